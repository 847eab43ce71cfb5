/**
 * Bytes, put together as they come: however small their pieces are, they need no more than twice their
 * own room.
 */
export class GatheredBytes {
  #bytes: Buffer = nothing;
  #size = 0;
  /** Most come in one piece, which is not copied, and never written to. */
  #isCopy = false;

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) {
      this.#bytes = piece;
    } else {
      if (!this.#isCopy || size > this.#bytes.length) this.#grow(size);
      this.#bytes.set(piece, this.#size);
    }
    this.#size = size;
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * size);
    grown.set(this.whole());
    this.#bytes = grown;
    this.#isCopy = true;
  }
}

const nothing = Buffer.alloc(0);
