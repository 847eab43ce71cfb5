/** Messages between a test and the process of its visitors. */
export type ToVisitors =
  | {
      readonly kind: 'start';
      readonly issuer: string;
      /** The number of first tokens that are stored to be sent again. */
      readonly keep: number;
    }
  /** Sends one request with each of `count` tokens, starting at the given number. */
  | {
      readonly kind: 'visit';
      readonly port: number;
      readonly from: number;
      readonly count: number;
    };

export interface Visited {
  /** Responses with the identity of the token. */
  readonly right: number;
  /** The first unexpected responses. */
  readonly findings: readonly string[];
}

export type FromVisitors =
  | { readonly kind: 'key'; readonly publicJwk: Readonly<Record<string, unknown>> }
  | { readonly kind: 'visited'; readonly visited: Visited };
