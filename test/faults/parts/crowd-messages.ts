/** Messages between a test and the process of its idle connections. */
export type ToCrowd =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly count: number;
      readonly localAddress: string;
    }
  | { readonly kind: 'look' };

export interface FromCrowd {
  readonly open: number;
  readonly failed: number;
}
