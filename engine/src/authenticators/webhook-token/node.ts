/** The compiled form of `--authentication-token-webhook-config-file`. It contains no secrets. */

export interface WebhookTokenNode {
  readonly module: 'webhook-token';
  /** Path of the kubeconfig as given in the flag. */
  readonly file: string;
  /** The URL as messages show it: `https://host/authenticate?timeout=30s`. */
  readonly url: string;
  /** The version of the TokenReview, sent and expected. */
  readonly version: WebhookVersion;
  /** The API domain of the review: `platform.io` or `k8s.io`. */
  readonly apiDomain: string;
  /** How long a response is cached, accepted or not; 0 disables the cache. */
  readonly cacheTtlMs: number;
  /** The audiences of a review that has none. */
  readonly apiAudiences: readonly string[];
  /** How the server authenticates to the webhook. */
  readonly credential: 'none' | 'bearer token' | 'basic' | 'client certificate';
  /** How the certificate of the webhook is verified. */
  readonly trust: 'system roots' | 'configured roots' | 'unverified' | 'plain HTTP';
}

export type WebhookVersion = 'v1' | 'v1beta1';
