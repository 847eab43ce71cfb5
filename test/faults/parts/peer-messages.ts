/** What a test and the process of its issuer or webhook say to each other. */

/** `honest`, or one of the ways to misbehave. */
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
      /** The port that others see, where a line is before it. */
      readonly shownPort?: number;
    }
  | { readonly kind: 'behave'; readonly behaviour: Behavior; readonly times?: number }
  | { readonly kind: 'certificate'; readonly certificate: CertificateFiles }
  | { readonly kind: 'keys'; readonly keySet: unknown }
  /** Whom the webhook knows: token → user. */
  | { readonly kind: 'people'; readonly people: Readonly<Record<string, unknown>> }
  | { readonly kind: 'close' }
  | { readonly kind: 'open' }
  | { readonly kind: 'count' };

export interface PeerCounts {
  readonly discovery: number;
  readonly keys: number;
  readonly reviews: number;
  /** Requests for something else: redirects that were followed. */
  readonly strays: number;
  /** When each request for keys came, in milliseconds of the wall clock. */
  readonly keysAt: readonly number[];
  readonly reviewsAt: readonly number[];
}

export type FromPeer =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'counts'; readonly counts: PeerCounts };
