/** What a test and the process of its visitors say to each other. */
export type ToVisitors =
  | {
      readonly kind: 'start';
      readonly issuer: string;
      /** So many of the first tokens are kept, to be asked with again. */
      readonly keep: number;
    }
  /** Asks once with each of `count` tokens from the one of that number on. */
  | {
      readonly kind: 'visit';
      readonly port: number;
      readonly from: number;
      readonly count: number;
    };

export interface Visited {
  /** Answers with the identity of their own token. */
  readonly right: number;
  /** The first that were not right. */
  readonly findings: readonly string[];
}

export type FromVisitors =
  | { readonly kind: 'key'; readonly publicJwk: Readonly<Record<string, unknown>> }
  | { readonly kind: 'visited'; readonly visited: Visited };
