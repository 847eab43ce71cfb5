/** Authenticates bearer tokens with the token cache, and with the last decision of a connection. */
import { type Decision, noOpinion } from '../model/decision.ts';
import { decisionBytes } from '../model/decision-bytes.ts';
import { andThen } from '../model/maybe-promise.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import { reveal, type Secret } from '../model/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { AuthenticatorFunction } from './combine-decisions.ts';
import type { CachedDecision, TokenCache } from './token-cache.ts';

/** The authenticator of the bearer tokens of all requests, or of one connection. */
export interface BearerTokenAuthenticator {
  /** Authenticates with the token cache; traced requests are not served from it. */
  readonly authenticate: AuthenticatorFunction;
  /** Returns the last decision of the connection if it applies; only for one connection. */
  lastDecision?(request: AuthenticationRequest): Decision | undefined;
}

/** Creates the authenticator; without a cache, every request is authenticated anew. */
export const bearerTokenAuthenticator = (
  authenticateToken: AuthenticatorFunction,
  cache: TokenCache | undefined,
): BearerTokenAuthenticator => ({
  authenticate(request, waiter, trace) {
    if (request.token === undefined) return noOpinion;
    if (cache === undefined || trace !== undefined) {
      return authenticateToken(request, waiter, trace);
    }
    const { audiences } = request;
    const cached = cache.decide(
      { token: reveal(request.token), audiences },
      (check) => authenticateToken(request, check),
      waiter,
    );
    return cached instanceof Promise ? cached.then(decisionOf) : cached.decision;
  },
});

/** Creates the authenticator of one connection, which stores the last decision and does not trace. */
export const connectionAuthenticator = (
  authenticateToken: AuthenticatorFunction,
  cache: TokenCache,
  clock: Clock,
): BearerTokenAuthenticator => {
  let last:
    | (CachedDecision & { readonly token: Secret<string>; readonly audiences: string })
    | undefined;
  return {
    lastDecision(request) {
      if (
        last === undefined ||
        request.token === undefined ||
        reveal(last.token) !== reveal(request.token) ||
        last.audiences !== audiencesKey(request) ||
        last.expiresAt <= clock.monotonic()
      ) {
        return undefined;
      }
      cache.countHit();
      return last.decision;
    },
    authenticate(request, waiter) {
      const { token } = request;
      if (token === undefined) return noOpinion;
      const revealed = reveal(token);
      const cached = cache.decide(
        { token: revealed, audiences: request.audiences },
        (check) => authenticateToken(request, check),
        waiter,
      );
      return andThen(cached, ({ decision, expiresAt }) => {
        last = fitsConnectionCache(decision, revealed)
          ? { decision, expiresAt, token, audiences: audiencesKey(request) }
          : undefined;
        return decision;
      });
    },
  };
};

const audiencesKey = ({ audiences }: AuthenticationRequest): string =>
  audiences.length === 0 ? '' : JSON.stringify(audiences);

const decisionOf = ({ decision }: CachedDecision): Decision => decision;

/** The maximum length of a token and size of its decision that a connection caches itself. */
const maxConnectionCacheSize = 8 * 1024;

const fitsConnectionCache = (decision: Decision, token: string): boolean =>
  decision.kind === 'accepted' &&
  token.length <= maxConnectionCacheSize &&
  decisionBytes(decision) <= maxConnectionCacheSize;
