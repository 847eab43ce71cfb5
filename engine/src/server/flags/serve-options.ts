/** What `authgraph serve` was told, read and typed. */
import type { FeatureGates } from '../../model/feature-gates.ts';
import type { Release } from '../../model/release.ts';
import type { StoreSettings } from '../../node/store/flags.ts';
import type { RbacSettings } from '../../rbac/config.ts';
import type { WebhookReasons } from '../endpoints/webhook-reasons.ts';
import type { ModuleSettings } from '../modules/settings.ts';

/** Whether HTTP/2 is offered, and how many streams a client may have open on one connection. */
export type Http2Options = 'disabled' | { readonly maxStreams: number };

export interface ServeOptions {
  /** Path of the configuration file or of a compiled artefact. */
  readonly authenticationConfig: string | undefined;
  /** Present when the `--oidc-*` flags make an authenticator. */
  readonly oidc: OidcOptions | undefined;
  /** The value of the flag where it was given; the default is on. */
  readonly anonymousAuth: boolean | undefined;
  /** Of this API: those that the flag names, else the issuers of service account tokens. */
  readonly apiAudiences: readonly string[];
  /** What the flags of the other authenticators say. */
  readonly modules: ModuleSettings;
  /** Where objects are stored; in memory where no flag asks for any. */
  readonly store: StoreSettings;
  readonly rbac: RbacSettings;
  /** `--controllers`, as it was given. */
  readonly controllers: readonly string[];
  /** `ca.crt` of Secrets with service account tokens. */
  readonly rootCaFile: string | undefined;
  readonly featureGates: FeatureGates;
  /** Flag values that were accepted and that should be corrected; logged at startup. */
  readonly warnings: readonly string[];
  /** Is v1beta1 of the groups of authentication served? */
  readonly betaReviews: boolean;
  readonly targetRelease: Release;
  readonly apiDomain: string | undefined;

  /** An IP address. */
  readonly bindAddress: string;
  /** 0 (any free port) only from code, never from the flag. */
  readonly securePort: number;
  /** Both or neither; without them a self-signed certificate is made. */
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly http2: Http2Options;
  readonly shutdownGraceMs: number;

  /** With priority and fairness, the sum of both limits is the number of seats. */
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  readonly priorityAndFairness: boolean;
  /** Chance that a request over HTTP/2 ends its connection gracefully. */
  readonly goawayChance: number;

  readonly tokenReviewOpen: readonly ReviewerName[];
  /** Where API servers ask as their webhook; absent: nowhere. */
  readonly webhook: { readonly path: string; readonly reasons: WebhookReasons } | undefined;
  /** `throttled`: at most one fruitless key fetch an issuer in ten seconds; `per-token`: as the real server. */
  readonly jwksRefetch: 'throttled' | 'per-token';
  readonly jwksCacheDir: string | undefined;

  /** A path, or `-` for standard output. */
  readonly decisionLog: string | undefined;
  readonly decisionLogGroups: boolean;
  readonly decisionLogExtra: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Of what is written for people. */
  readonly color: string;
}

export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly caFile: string | undefined;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly signingAlgorithms: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
}

/** Who may create a TokenReview: one user, or the members of one group. */
export interface ReviewerName {
  readonly kind: 'user' | 'group';
  readonly name: string;
}

/** `user:NAME` or `group:NAME`. */
export const reviewerOf = (text: string): ReviewerName | undefined => {
  const match = /^(user|group):(.+)$/s.exec(text);
  const name = match?.[2];
  if (name === undefined) return undefined;
  return { kind: match?.[1] === 'group' ? 'group' : 'user', name };
};
