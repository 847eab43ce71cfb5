/** Messages between a test and the process that floods a server. */
import type { PublishedKey } from '../../../engine/src/node/mint.ts';

export const floodKinds = ['connections', 'headers', 'bodies', 'watches', 'tokens'] as const;
export type FloodKind = (typeof floodKinds)[number];

export type ToFlood =
  | { readonly kind: 'start'; readonly issuer: string }
  | {
      readonly kind: 'flood';
      readonly floods: readonly FloodKind[];
      readonly port: number;
      readonly seconds: number;
      /** A token of an administrator. */
      readonly token: string;
    };

export type FromFlood =
  | ({ readonly kind: 'key' } & PublishedKey)
  | { readonly kind: 'flooded'; readonly tally: Tally };

export interface Tally {
  /** Opened connections, and those that the server closed. */
  readonly opened: number;
  readonly closed: number;
  readonly megabytesSent: number;
  /** Answers by status; `GOAWAY` and `RST_STREAM` of HTTP/2 with their codes. */
  readonly answers: Readonly<Record<string, number>>;
}
