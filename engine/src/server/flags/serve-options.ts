/** The options of `authgraph serve`, parsed and typed. */
import type { OidcSettings } from '../../authenticators/jwt/config.ts';
import type { LeaderElectionTiming } from '../../controllers/leader-election.ts';
import type { FeatureGates } from '../../model/feature-gates.ts';
import type { Release } from '../../model/release.ts';
import type { StoreSettings } from '../../node/store/flags.ts';
import type { RbacSettings } from '../../rbac/config.ts';
import type { WebhookReasons } from '../endpoints/webhook-reasons.ts';
import type { ModuleSettings } from '../modules/settings.ts';

/** Whether HTTP/2 is offered, and how many streams a client may have open on one connection. */
export type Http2Options = 'disabled' | { readonly maxStreams: number };

/**
 * The options of a server.
 *
 * @example
 * ```ts
 * const options: ServeOptions = { ...defaultServeOptions(), securePort: 8443 };
 * ```
 */
export interface ServeOptions {
  /** The path of the configuration file or of a compiled artifact. */
  readonly authenticationConfig: string | undefined;
  /** Present if the `--oidc-*` flags configure an authenticator. */
  readonly oidc: OidcSettings | undefined;
  /** The value of the flag if it is set; the default is true. */
  readonly anonymousAuth: boolean | undefined;
  /** The audiences of this API: those of the flag, or else the service account issuers. */
  readonly apiAudiences: readonly string[];
  /** The settings of the other authenticators. */
  readonly modules: ModuleSettings;
  /** The place of stored objects; memory by default. */
  readonly store: StoreSettings;
  readonly rbac: RbacSettings;
  /** The entries of `--controllers`. */
  readonly controllers: readonly string[];
  /** Absent if every replica runs the controllers. */
  readonly leaderElection: LeaderElectionTiming | undefined;
  /** The file for `ca.crt` in service account Secrets. */
  readonly rootCaFile: string | undefined;
  readonly featureGates: FeatureGates;
  /** Warnings about accepted flag values that should be corrected; logged at startup. */
  readonly warnings: readonly string[];
  /** Whether v1beta1 of the authentication groups is served. */
  readonly betaReviews: boolean;
  readonly targetRelease: Release;
  readonly apiDomain: string | undefined;

  /** An IP address. */
  readonly bindAddress: string;
  /** The port; 0 (any free port) can be set by code but not by the flag. */
  readonly securePort: number;
  /** Both or neither are set; without them a self-signed certificate is created. */
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly http2: Http2Options;
  readonly shutdownGraceMs: number;
  /** The number of worker processes; 1 is a server of one process. */
  readonly workers: number;

  /** The limit of read-only requests. With priority and fairness, the sum of both limits is the number of seats. */
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  readonly priorityAndFairness: boolean;
  /** The probability that a request over HTTP/2 ends its connection gracefully. */
  readonly goawayChance: number;

  readonly tokenReviewOpen: readonly ReviewerName[];
  /** The path for API servers that use this server as their webhook; absent if disabled. */
  readonly webhook: { readonly path: string; readonly reasons: WebhookReasons } | undefined;
  /**
   * `throttled`: at most one key fetch without a new key per issuer in ten seconds; `per-token`: as
   * kube-apiserver.
   */
  readonly jwksRefetch: 'throttled' | 'per-token';
  readonly jwksCacheDir: string | undefined;

  /** A path, or `-` for standard output. */
  readonly decisionLog: string | undefined;
  readonly decisionLogGroups: boolean;
  readonly decisionLogExtra: boolean;
  readonly decisionLogClaims: 'none' | 'shape' | 'masked';
  /** The claims whose values are logged. */
  readonly decisionLogClaimValues: readonly string[];
  /** The file with the key of the pseudonyms. */
  readonly decisionLogClaimsKeyFile: string | undefined;
  /** The format of the log; if absent, text on a terminal and JSON otherwise. */
  readonly loggingFormat: 'json' | 'text' | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** When colors are used in human-readable messages. */
  readonly color: string;
}

/** A subject that may create TokenReviews: one user, or the members of one group. */
export interface ReviewerName {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

/** Parses `user:NAME` or `group:NAME`. */
export const reviewerOf = (text: string): ReviewerName | undefined => {
  const match = /^(user|group):(.+)$/s.exec(text);
  const name = match?.[2];
  if (name === undefined) return undefined;
  return { kind: match?.[1] === 'group' ? 'group' : 'user', name };
};
