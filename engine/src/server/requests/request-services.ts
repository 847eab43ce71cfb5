/** The services of the request handler, which are created once by the server. */
import type { HeaderNames } from '../../authenticators/authenticating-proxy/header-rules.ts';
import type { ClaimRecordOptions } from '../../authenticators/jwt/claim-record.ts';
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
import type { IncomingRequest } from '../http/incoming-request.ts';
import type { AuthenticationErrorLog } from './authentication-error-log.ts';
import type { EndpointServices } from './endpoint-response.ts';
import type { ReadableFacts } from './request-facts.ts';

/** The services of the whole server. */
export interface RequestServices extends EndpointServices {
  readonly holder: GenerationHolder;
  readonly authorizer: Authorizer;
  /** The headers that are removed after authentication, whichever module accepted the request. */
  readonly proxyHeaders: HeaderNames | undefined;
  readonly impersonation: {
    readonly impersonate: Impersonator;
    /** The feature gate ConstrainedImpersonation. */
    readonly constrained: boolean;
    /** The API domain in error messages, such as `k8s.io`. */
    readonly domain: string;
  };
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly authenticationErrors: AuthenticationErrorLog;
  readonly decisionLog: Log | undefined;
  /** What the decision log contains of claims; absent if it contains none. */
  readonly decisionClaims: ClaimRecordOptions | undefined;
  readonly decisionFields: { readonly groups: boolean; readonly extra: boolean };
  readonly metrics: Metrics;
  /** Whether an unauthenticated request is the last one of its HTTP/2 connection. */
  readonly endsUnauthenticated: boolean;
  /**
   * Whether kube-apiserver's loopback tokens are checked before all modules, so that their error
   * and warnings come first.
   */
  readonly checksLoopbackTokens: boolean;
  /** The fair shares of users and clients. */
  readonly fairness: Fairness;
  /** The probability that an HTTP/2 connection ends gracefully after a request. */
  readonly goawayChance: number;
}

/** One request with the authenticator generation that it uses to its end. */
export interface RequestContext {
  readonly generation: AuthenticatorGeneration;
  readonly incoming: IncomingRequest;
  readonly facts: ReadableFacts;
  readonly services: RequestServices;
  readonly sent: SentStatus;
  readonly turn: RequestTurn;
}

/** The status that was sent before the work for a request had ended. */
export interface SentStatus {
  status?: number;
}
