/** Messages between a test and the process of its issuer or webhook. */

/** `honest`, or a kind of misbehavior. */
export const behaviors = [
  'honest',
  'hang',
  'drip',
  'reset',
  'hang-up',
  'error500',
  'redirect-loop',
  'redirect-away',
  'wrong-issuer',
  'huge-body',
  'gzip-bomb',
  'truncated',
  'no-json',
  'no-user',
  'other-version',
  'other-audience',
] as const;

export type Behavior = (typeof behaviors)[number];

export interface CertificateFiles {
  readonly pem: string;
  readonly keyPem: string;
}

export type ToPeer =
  | {
      readonly kind: 'start';
      readonly certificate: CertificateFiles;
      /** The public port, if there is a proxy in front. */
      readonly shownPort?: number;
    }
  | { readonly kind: 'behave'; readonly behavior: Behavior; readonly times?: number }
  | { readonly kind: 'certificate'; readonly certificate: CertificateFiles }
  | { readonly kind: 'keys'; readonly keySet: unknown }
  /** The users of the webhook by token. */
  | { readonly kind: 'people'; readonly people: Readonly<Record<string, unknown>> }
  | { readonly kind: 'close' }
  | { readonly kind: 'open' }
  | { readonly kind: 'count' };

export interface PeerCounts {
  readonly discovery: number;
  readonly keys: number;
  readonly reviews: number;
  /** Requests for other paths: redirects that were followed. */
  readonly strays: number;
  /** The time of each request for keys, in milliseconds of the wall clock. */
  readonly keysAt: readonly number[];
  readonly reviewsAt: readonly number[];
}

export type FromPeer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'counts'; readonly counts: PeerCounts };
