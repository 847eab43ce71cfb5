/** The settings of a server. */
import type { HeaderNames } from '../authenticators/authenticating-proxy/header-rules.ts';
import type { ClaimRecordOptions } from '../authenticators/jwt/claim-record.ts';
import type { Log } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { FindList, ListSnapshots } from './api/list-snapshots.ts';
import type { GenerationHolder } from './configuration/authenticator-generation.ts';
import type { WaitingLimits } from './fairness/fairness.ts';
import type { ServeOptions } from './flags/options.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import type { ClientAuthorities } from './modules/client-authorities.ts';
import type { ObjectServices } from './objects/object-services.ts';
import type { TokenIssuing } from './objects/token-issuing.ts';
import type { ReservedPort } from './reserve-port.ts';
import type { CertificatePair } from './tls/serving-certificate.ts';
import type { WorkerPlace } from './workers/divide-limits.ts';

/**
 * The settings of a server. Only the options, the holder and the ports are required.
 *
 * @example
 * ```ts
 * const settings: ServerSettings = {
 *   options: defaultServeOptions(),
 *   holder: start.serving.holder,
 *   ports: nodePorts(),
 * };
 * ```
 */
export interface ServerSettings {
  readonly options: ServeOptions;
  readonly holder: GenerationHolder;
  readonly ports: Pick<Ports, 'clock' | 'digest' | 'log' | 'metrics' | 'randomness'>;
  /**
   * The stored objects and their roles. If absent, no objects are served and only the bootstrap
   * roles apply.
   */
  readonly objectServices?: ObjectServices | undefined;
  /** Absent if service account tokens are not configured. */
  readonly issuing?: TokenIssuing | undefined;
  /**
   * Certificate authorities announced to clients in the TLS handshake. If absent, no client
   * certificate is requested.
   */
  readonly authorities?: ClientAuthorities | undefined;
  /** The headers of the authenticating proxy, which are removed after authentication. */
  readonly proxyHeaders?: HeaderNames | undefined;
  /** The destination of the decision log; absent if there is none. */
  readonly decisionLog?: Log;
  /** What the decision log contains of the claims of tokens; absent if it contains none. */
  readonly decisionClaims?: ClaimRecordOptions | undefined;
  /** A port that is bound already, instead of the one of the options. */
  readonly reservedPort?: ReservedPort;
  /** A serving certificate that replaces the files and the self-signed certificate. */
  readonly certificate?: CertificatePair;
  /** The content of `/metrics`; empty if absent. */
  readonly metricsText?: { text(): Promise<string>; readonly contentType: string };
  /** Records traces of requests; absent if tracing is not configured. */
  readonly tracing?: Tracing | undefined;
  /**
   * `false` for a server without kube-apiserver's loopback authenticator, which comes before the
   * modules.
   */
  readonly checksLoopbackTokens?: false;
  /**
   * The place of this process among the workers of the server, which divide the limits; absent for a
   * server of one process. The options contain the part of this worker already.
   */
  readonly place?: WorkerPlace | undefined;
  /** Finds a list that another worker stores for its later pages. */
  readonly findList?: FindList | undefined;
  /** Receives the function that finds a list that this process stores. */
  readonly onLists?: ((find: ListSnapshots['find']) => void) | undefined;
  /** Replaces the default limits of waiting requests. */
  readonly waitingLimits?: WaitingLimits;
  /** The memory that clients may occupy; derived from the limits of the process if absent. */
  readonly budget?: MemoryBudget;
}
