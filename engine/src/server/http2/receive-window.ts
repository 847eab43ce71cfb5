/**
 * The flow-control window for DATA that a client may send (RFC 9113, 5.2), for a stream or for the
 * connection.
 */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;
  /** Released bytes that were not announced with WINDOW_UPDATE yet. */
  #unannounced = 0;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Consumes received bytes; returns false if they exceed the window. */
  consume(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /**
   * Releases bytes and returns the increment to announce now: 0 until half of the window, or as
   * much as is left of it, can be announced.
   */
  release(bytes: number): number {
    this.#unannounced += bytes;
    if (this.#unannounced < Math.min(this.#size / 2, Math.max(this.#left, 1))) return 0;
    const increment = this.#unannounced;
    this.#left += increment;
    this.#unannounced = 0;
    return increment;
  }
}
