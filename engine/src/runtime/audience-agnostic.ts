/**
 * Audiences of modules that know none: such a module stands for the API's own, is not asked where
 * others are wanted, and may not bring any.
 */
import { type Decision, noOpinion } from '../model/decision.ts';
import { type AuthenticatorFunction, implicitAudiences } from './authenticate.ts';

/** `own`: the audiences of this API. */
export const audienceAgnostic =
  (apiAudiences: readonly string[], authenticate: AuthenticatorFunction): AuthenticatorFunction =>
  (request, waiter, trace) => {
    const audiences = implicitAudiences(apiAudiences, request.audiences);
    if (audiences === undefined) return noOpinion;
    const decision = authenticate(request, waiter, trace);
    return decision instanceof Promise
      ? decision.then((decision) => withApiAudiences(audiences, decision, request.audiences))
      : withApiAudiences(audiences, decision, request.audiences);
  };

const withApiAudiences = (
  audiences: readonly string[],
  decision: Decision,
  requested: readonly string[],
): Decision => {
  if (decision.kind !== 'accepted' || requested.length === 0) return decision;
  if (decision.audiences.length === 0) return { ...decision, audiences };
  const message = `audience agnostic authenticator wrapped an authenticator that returned audiences: [${decision.audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;
  return { kind: 'rejected', by: decision.by, reason: { code: 'AG5000', message } };
};
