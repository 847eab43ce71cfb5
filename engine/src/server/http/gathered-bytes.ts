/**
 * Concatenates bytes as they arrive. However small the pieces are, memory use is at most twice the
 * size.
 */
export class GatheredBytes {
  #bytes: Buffer = empty;
  #size = 0;
  /** False while there is a single piece, which is neither copied nor written to. */
  #isCopy = false;

  get size(): number {
    return this.#size;
  }

  /**
   * Bytes of allocated memory: at least the size, and more if there is room to grow or the only
   * piece is part of a larger buffer.
   */
  get capacity(): number {
    return this.#bytes.buffer.byteLength;
  }

  add(piece: Buffer): void {
    this.addTransient(piece);
    this.compact();
  }

  /**
   * Adds a piece that is only read in this turn of the event loop; otherwise call `compact`
   * afterwards.
   */
  addTransient(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      this.#bytes = piece;
    } else {
      if (!this.#isCopy || size > this.#bytes.length) this.#grow(size);
      this.#bytes.set(piece, this.#size);
    }
    this.#size = size;
  }

  /**
   * Copies a piece that is a small part of its buffer, so that it does not retain the whole buffer.
   */
  compact(): void {
    if (!this.#isCopy && this.capacity > slackFactor * this.#size) this.#grow(this.#size);
  }

  bytes(): Buffer {
    const { length } = this.#bytes;
    return this.#size === length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * size);
    grown.set(this.bytes());
    this.#bytes = grown;
    this.#isCopy = true;
  }
}

/** The largest buffer that is retained, as a multiple of the piece that is part of it. */
const slackFactor = 4;

const empty = Buffer.alloc(0);
