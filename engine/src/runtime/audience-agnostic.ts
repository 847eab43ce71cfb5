/**
 * Audiences of modules that know none: such a module stands for the API's own, is not asked where
 * others are wanted, and may not bring any.
 */
import { type Decision, noOpinion } from '../model/decision.ts';
import { type Asked, implicitAudiences } from './authenticate.ts';

/** `own`: the audiences of this API. */
export const audienceAgnostic =
  (own: readonly string[], ask: Asked): Asked =>
  (request, waiter, trace) => {
    const audiences = implicitAudiences(own, request.audiences);
    if (audiences === undefined) return noOpinion;
    const decision = ask(request, waiter, trace);
    return decision instanceof Promise
      ? decision.then((settled) => standingFor(audiences, settled, request.audiences))
      : standingFor(audiences, decision, request.audiences);
  };

const standingFor = (
  audiences: readonly string[],
  decision: Decision,
  requested: readonly string[],
): Decision => {
  if (decision.kind !== 'accepted' || requested.length === 0) return decision;
  if (decision.audiences.length === 0) return { ...decision, audiences };
  const message = `audience agnostic authenticator wrapped an authenticator that returned audiences: [${decision.audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;
  return { kind: 'rejected', by: decision.by, reason: { code: 'AG5000', message } };
};
