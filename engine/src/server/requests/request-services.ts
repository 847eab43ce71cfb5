/** What handling requests is given once, by who starts the server. */
import type { HeaderNames } from '../../authenticators/authenticating-proxy/index.ts';
import type { Authorizer } from '../../ports/authorizer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Impersonator } from '../../runtime/impersonate.ts';
import type {
  AuthenticatorGeneration,
  GenerationHolder,
} from '../configuration/authenticator-generation.ts';
import type { Fairness } from '../fairness/fairness.ts';
import type { RequestTurn } from '../fairness/request-turn.ts';
import type { IncomingRequest } from '../http/exchange.ts';
import type { AuthenticationErrorLog } from './authentication-error-log.ts';
import type { EndpointServices } from './endpoint-answer.ts';
import type { ReadableFacts } from './request-facts.ts';

/** Services of the whole server. */
export interface RequestServices extends EndpointServices {
  readonly holder: GenerationHolder;
  readonly authorizer: Authorizer;
  /** Fields that are gone once the request is decided, whoever decided it. */
  readonly proxyHeaders: HeaderNames | undefined;
  readonly impersonation: {
    readonly impersonate: Impersonator;
    /** The feature gate ConstrainedImpersonation. */
    readonly constrained: boolean;
    /** Whose names stand in refusals, `k8s.io`. */
    readonly domain: string;
  };
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly authenticationErrors: AuthenticationErrorLog;
  readonly decisionLog: Log | undefined;
  readonly decisionFields: { readonly groups: boolean; readonly extra: boolean };
  readonly metrics: Metrics;
  /** Is a request without an identity the last one of its HTTP/2 connection? */
  readonly endsUnauthenticated: boolean;
  /**
   * Are tokens of the server's own asked for before all modules, as in the real server? What they say
   * of a token, and of how it was sent, comes before what the modules say.
   */
  readonly checksLoopbackTokens: boolean;
  /** The shares of users and clients in what the server can do at the same time. */
  readonly fairness: Fairness;
  /** Chance that an HTTP/2 connection ends gracefully after a request. */
  readonly goawayChance: number;
}

/** One request with the stage that it sees from start to end. */
export interface RequestContext {
  readonly generation: AuthenticatorGeneration;
  readonly incoming: IncomingRequest;
  readonly facts: ReadableFacts;
  readonly services: RequestServices;
  readonly sent: SentStatus;
  readonly turn: RequestTurn;
}

/** What the client was told before the end of the work for it. */
export interface SentStatus {
  status?: number;
}
