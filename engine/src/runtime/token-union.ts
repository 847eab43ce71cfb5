/** The union of all authenticators for bearer tokens, in kube-apiserver's order. */
import type { Authenticator } from '../authenticators/module.ts';
import { withSharedPeek } from '../authenticators/peek-token.ts';
import type { FlagModule, FlagModules } from '../authenticators/registry.ts';
import type { Decision } from '../model/decision.ts';
import { andThen } from '../model/maybe-promise.ts';
import { audienceAgnostic } from './audience-agnostic.ts';
import {
  type AuthenticatorFunction,
  addDefaultGroup,
  firstAccepted,
  rejectUnclaimed,
} from './combine-decisions.ts';

/** Returns a function that rejects the token if no authenticator has an opinion. */
export const tokenUnion = (
  jwt: Pick<Authenticator, 'authenticate'>,
  { tokensBeforeJwt, tokensAfterJwt }: FlagModules,
  apiAudiences: readonly string[],
): AuthenticatorFunction => {
  const ofModule = (module: FlagModule) => flagAuthenticator(module, apiAudiences);
  const decideJwt = audienceAgnostic(apiAudiences, jwt);
  const authenticateJwt: AuthenticatorFunction = (request, waiter, trace) =>
    andThen(decideJwt(request, waiter, trace), addDefaultGroup);
  const authenticators = [
    ...tokensBeforeJwt.map(ofModule),
    authenticateJwt,
    ...tokensAfterJwt.map(ofModule),
  ];
  const decide: AuthenticatorFunction =
    authenticators.length === 1
      ? authenticateJwt
      : (request, waiter, trace) =>
          firstAccepted(authenticators, withSharedPeek(request), waiter, trace);
  return (request, waiter, trace) => andThen(decide(request, waiter, trace), rejectUnclaimed);
};

/** Returns the function of an authenticator with kube-apiserver's default audiences and groups. */
export const flagAuthenticator = (
  { authenticator, audiences }: FlagModule,
  apiAudiences: readonly string[],
): AuthenticatorFunction => {
  const decide: AuthenticatorFunction =
    audiences === 'agnostic'
      ? audienceAgnostic(apiAudiences, authenticator)
      : (...args) => authenticator.authenticate(...args);
  /** Completes a decision that an authenticator caches only once. */
  const completed = new WeakMap<Decision, Decision>();
  const complete = (decision: Decision): Decision => {
    if (decision.kind !== 'accepted') return decision;
    const cached = completed.get(decision);
    if (cached !== undefined) return cached;
    const withDefaults = addDefaultGroup(decision);
    completed.set(decision, withDefaults);
    return withDefaults;
  };
  return (...args) => andThen(decide(...args), complete);
};
