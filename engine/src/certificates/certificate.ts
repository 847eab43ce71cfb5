/** A certificate that was parsed as the real server parses it. */

export interface Certificate {
  readonly der: Uint8Array;
  /** Milliseconds since 1970, both inclusive. */
  readonly notBefore: number;
  readonly notAfter: number;
}
