/**
 * Bytes, put together as they come: however small their pieces are, they need no more than twice their
 * own room.
 */
export class GatheredBytes {
  #bytes: Buffer = empty;
  #size = 0;
  /** Most come in one piece, which is neither copied nor written to. */
  #isCopy = false;

  get size(): number {
    return this.#size;
  }

  /** Bytes of memory, more than the size: room to grow, or what a small piece is a part of. */
  get capacity(): number {
    return this.#bytes.buffer.byteLength;
  }

  add(piece: Buffer): void {
    this.addTransient(piece);
    this.compact();
  }

  /** Adds a piece that is used in this turn of the event loop; otherwise `keep` has to be called. */
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

  /** Copies a piece that is a small part of its buffer, so that it does not keep the whole. */
  compact(): void {
    if (!this.#isCopy && this.capacity > slackFactor * this.#size) this.#grow(this.#size);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * size);
    grown.set(this.bytes());
    this.#bytes = grown;
    this.#isCopy = true;
  }
}

/** Bytes of a buffer for each byte of the piece that is kept of it, at most. */
const slackFactor = 4;

const empty = Buffer.alloc(0);
