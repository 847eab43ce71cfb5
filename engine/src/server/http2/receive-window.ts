/** How many bytes of bodies the client may send (RFC 9113, 5.2): of a stream, or of a connection. */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;
  /** Bytes that may come again, and that the client was not told of. */
  #unannounced = 0;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** So many came; false for more than may come. */
  consume(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /**
   * So many need no room any more. What the client is to be told now: nothing, until it is much, or as
   * much as it has left, which others' bytes may have taken.
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
