/** The compiled form of `--authentication-token-webhook-config-file`: who is asked, and how. No secret. */

export interface WebhookTokenNode {
  readonly module: 'webhook-token';
  /** The kubeconfig file as the flag names it. */
  readonly file: string;
  /** As messages name it: `https://host/authenticate?timeout=30s`. */
  readonly url: string;
  /** Of the review, sent and expected. */
  readonly version: WebhookVersion;
  /** The API domain of the review: `platform.io` or `k8s.io`. */
  readonly apiDomain: string;
  /** How long an answer is kept, accepted or not; 0 for not at all. */
  readonly cacheTtlMs: number;
  /** For which a token stands whose review names none. */
  readonly apiAudiences: readonly string[];
  /** How the webhook knows us. */
  readonly credential: 'none' | 'bearer token' | 'basic' | 'client certificate';
  /** Whom we take for the webhook. */
  readonly trust: 'system roots' | 'configured roots' | 'unverified' | 'plain HTTP';
}

export type WebhookVersion = 'v1' | 'v1beta1';
