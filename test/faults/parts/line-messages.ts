/** Messages between a test and the process of a proxy. */
export interface Quality {
  /** The delay in one direction. */
  readonly delayMs: number;
  /** The share of lost packets. */
  readonly lossShare: number;
  readonly bytesPerSecond: number;
}

export type ToLine =
  | { readonly kind: 'to'; readonly port: number }
  | { readonly kind: 'quality'; readonly quality: Quality };
