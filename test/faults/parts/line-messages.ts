/** What a test and the process of a line say to each other. */
export interface Quality {
  /** One way. */
  readonly delayMs: number;
  /** Of packets. */
  readonly lossShare: number;
  readonly bytesPerSecond: number;
}

export type ToLine =
  | { readonly kind: 'to'; readonly port: number }
  | { readonly kind: 'quality'; readonly quality: Quality };
