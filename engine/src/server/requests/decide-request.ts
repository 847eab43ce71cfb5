/** Authenticates a request with the current authenticator generation. */
import { otherAudiences } from '../../authenticators/jwt/rejections.ts';
import type { Waiter } from '../../fairness/waiter.ts';
import type { Decision } from '../../model/decision.ts';
import type { MaybePromise } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import { prependMessage } from '../../runtime/combine-decisions.ts';
import { internalError, unclaimedToken } from '../../runtime/rejections.ts';
import type { AuthenticatorGeneration } from '../configuration/authenticator-generation.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import type { RequestServices } from './request-services.ts';

/** The waiting request, and the services that a decision needs. */
export interface DecisionContext {
  readonly turn: Waiter;
  readonly services: Pick<RequestServices, 'log' | 'checksLoopbackTokens'>;
}

/** Decides a request. An exception in a module is a rejection (401), never an identity. */
export const decide = (
  request: AuthenticationRequest,
  authenticate: AuthenticatorGeneration['authenticate'],
  { turn, services }: DecisionContext,
): MaybePromise<Decision> => {
  try {
    const deciding = authenticate(request, turn);
    return deciding instanceof Promise
      ? deciding.then(
          (decision) => prependLoopbackError(decision, request, services),
          (error: unknown) => failedDecision(error, services),
        )
      : prependLoopbackError(deciding, request, services);
  } catch (error) {
    return failedDecision(error, services);
  }
};

const failedDecision = (error: unknown, { log }: DecisionContext['services']): Decision => {
  log.event('error', 'authentication failed unexpectedly', { error });
  return { kind: 'rejected', reason: rejectionOf(internalError) };
};

/**
 * Keyed by generation first, so that the caches of a connection are dropped with their generation,
 * however long the connection stays open.
 */
const authenticators = new WeakMap<
  AuthenticatorGeneration,
  WeakMap<object, AuthenticatorGeneration['authenticate']>
>();

/**
 * Returns the authenticator of a connection, which caches the last token: most requests of a
 * connection carry the same one. Without a token there is nothing to cache.
 */
export const authenticatorOf = (
  { connection }: IncomingRequest,
  { token }: AuthenticationRequest,
  generation: AuthenticatorGeneration,
): AuthenticatorGeneration['authenticate'] => {
  if (token === undefined) return generation.authenticate;
  let byConnection = authenticators.get(generation);
  if (byConnection === undefined) {
    byConnection = new WeakMap();
    authenticators.set(generation, byConnection);
  }
  const cached = byConnection.get(connection);
  if (cached !== undefined) return cached;
  const authenticate = generation.authenticateConnection?.() ?? generation.authenticate;
  byConnection.set(connection, authenticate);
  return authenticate;
};

/**
 * kube-apiserver tries its loopback tokens before the modules, so the message of every rejected
 * token starts with "invalid bearer token".
 */
const prependLoopbackError = (
  decision: Decision,
  { token }: AuthenticationRequest,
  { checksLoopbackTokens }: DecisionContext['services'],
): Decision => {
  if (!checksLoopbackTokens || decision.kind !== 'rejected' || token === undefined) return decision;
  return prependMessage(unclaimedToken.message, decision);
};

/** Rejects an identity that was accepted for audiences other than this API's. */
export const withAcceptableAudiences = (
  decision: Decision,
  { audiences }: AuthenticationRequest,
): Decision => {
  if (decision.kind !== 'accepted') return decision;
  const none = audiences.length === 0 || decision.audiences.length === 0;
  if (none || decision.audiences.some((audience) => audiences.includes(audience))) return decision;
  const reason = rejectionOf(otherAudiences, decision.audiences, audiences);
  return { kind: 'rejected', reason, by: decision.by };
};
