/**
 * Audiences of authenticators that do not know any, as in kube-apiserver's
 * `WrapAudienceAgnosticToken`: the audiences of the API apply, and the authenticator is skipped if
 * the request has others only. It must not return audiences itself.
 */
import { type Decision, noOpinion } from '../model/decision.ts';
import { type AuthenticatorFunction, implicitAudiences } from './authenticate.ts';

/** Wraps an authenticator that does not know audiences. */
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
