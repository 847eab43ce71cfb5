/** Who asks: the decision of the stage, as the whole server takes it. */
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import { prependMessage } from '../../runtime/authenticate.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import type { AuthenticatorGeneration } from '../configuration/authenticator-generation.ts';
import type { IncomingRequest } from '../http/exchange.ts';
import type { RequestContext } from './request-services.ts';

/** An exception of a module is an error of that module: 401, never an identity. */
export const decide = (
  request: AuthenticationRequest,
  authenticate: AuthenticatorGeneration['authenticate'],
  { turn, services }: Pick<RequestContext, 'turn' | 'services'>,
): Decision | Promise<Decision> => {
  const failed = (error: unknown): Decision => {
    services.log.event('error', 'authentication failed unexpectedly', { error });
    const message = 'Internal error occurred: authentication failed unexpectedly';
    return { kind: 'rejected', reason: { code: 'AG5000', message } };
  };
  try {
    const decision = authenticate(request, turn);
    if (!services.checksLoopbackTokens) {
      return decision instanceof Promise ? decision.catch(failed) : decision;
    }
    return decision instanceof Promise
      ? decision.then((settled) => prependLoopbackError(settled, request), failed)
      : prependLoopbackError(decision, request);
  } catch (error) {
    return failed(error);
  }
};

/** By stage first: what a connection remembers goes with its stage, however long it stays open. */
const authenticators = new WeakMap<
  AuthenticatorGeneration,
  WeakMap<object, AuthenticatorGeneration['authenticate']>
>();

/** One way in for each connection and stage: most requests of a connection carry the same token. */
export const authenticatorOf = (
  { connection }: IncomingRequest,
  generation: AuthenticatorGeneration,
): AuthenticatorGeneration['authenticate'] => {
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
 * The real server asks its own loopback tokens beside the modules, so every token that it refuses is
 * an invalid bearer token first, and whatever the modules say second.
 */
const prependLoopbackError = (decision: Decision, { token }: AuthenticationRequest): Decision => {
  if (decision.kind !== 'rejected' || token === undefined) return decision;
  return prependMessage(unclaimedToken.message, decision);
};

/** Who was accepted for other audiences than this API's is nobody here. */
export const withAcceptableAudiences = (
  decision: Decision,
  { audiences }: AuthenticationRequest,
): Decision => {
  if (decision.kind !== 'accepted') return decision;
  const none = audiences.length === 0 || decision.audiences.length === 0;
  if (none || decision.audiences.some((audience) => audiences.includes(audience))) return decision;
  const message = `unable to match the audience: [${decision.audiences.join(' ')}] , accepted: [${audiences.join(' ')}]`;
  return { kind: 'rejected', reason: { code: 'AG5009', message }, by: decision.by };
};
