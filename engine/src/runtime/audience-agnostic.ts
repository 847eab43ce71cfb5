/**
 * Audiences of authenticators that do not read any, as in kube-apiserver's
 * `WrapAudienceAgnosticToken`: the audiences of the API apply, and the authenticator is skipped if
 * the request has others only. It must not return audiences itself.
 */
import type { Authenticator } from '../authenticators/module.ts';
import { type Decision, noOpinion } from '../model/decision.ts';
import { andThen } from '../model/maybe-promise.ts';
import { rejectionOf } from '../model/rejection.ts';
import { type AuthenticatorFunction, implicitAudiences } from './combine-decisions.ts';
import { unexpectedAudiences } from './rejections.ts';

/** Returns the function of an audience-agnostic authenticator. */
export const audienceAgnostic =
  (
    apiAudiences: readonly string[],
    authenticator: Pick<Authenticator, 'authenticate'>,
  ): AuthenticatorFunction =>
  (request, waiter, trace) => {
    const requested = request.audiences;
    const audiences = implicitAudiences(apiAudiences, requested);
    if (audiences === undefined) return noOpinion;
    return andThen(authenticator.authenticate(request, waiter, trace), (decision) =>
      withApiAudiences(audiences, decision, requested),
    );
  };

const withApiAudiences = (
  audiences: readonly string[],
  decision: Decision,
  requested: readonly string[],
): Decision => {
  if (decision.kind !== 'accepted' || requested.length === 0) return decision;
  if (decision.audiences.length === 0) return { ...decision, audiences };
  const reason = rejectionOf(unexpectedAudiences, decision.audiences);
  return { kind: 'rejected', by: decision.by, reason };
};
