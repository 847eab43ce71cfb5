/**
 * The dynamic table of HPACK: fields in order of insertion, limited by their size (RFC 7541, 2.3.2
 * and 4). A ring buffer holds them, so that insertions do not move other fields.
 */
import { type Field, fieldOverhead, sizeOf } from './field.ts';

export class DynamicTable {
  /** A ring with at least as many slots as fields can fit; a power of two. */
  readonly #ring: (Field | undefined)[];
  #newest = 0;
  #count = 0;
  #bytes = 0;
  #limit: number;

  /** `maxBytes` is the upper bound of all later limits. */
  constructor(limit: number, maxBytes: number) {
    const maxEntries = Math.floor(maxBytes / fieldOverhead);
    this.#ring = new Array(2 ** Math.ceil(Math.log2(maxEntries))).fill(undefined);
    this.#limit = limit;
  }

  /** The limit in bytes, counted as in RFC 7541, 4.1. */
  get limit(): number {
    return this.#limit;
  }

  /** Returns a field by its index, from 1 for the newest; `undefined` after the oldest. */
  at(index: number): Field | undefined {
    if (index > this.#count) return undefined;
    return this.#ring[(this.#newest - index + 1) & (this.#ring.length - 1)];
  }

  /**
   * Inserts a field and evicts others (RFC 7541, 4.4): a field larger than the table empties it.
   */
  insert(field: Field): void {
    const size = sizeOf(field);
    this.#evict(this.#limit - size);
    if (size > this.#limit) return;
    this.#newest = (this.#newest + 1) & (this.#ring.length - 1);
    this.#ring[this.#newest] = field;
    this.#count += 1;
    this.#bytes += size;
  }

  clear(): void {
    this.#evict(0);
  }

  resize(limit: number): void {
    this.#limit = limit;
    this.#evict(limit);
  }

  /** Evicts the oldest fields until at most this many bytes are left. */
  #evict(bytes: number): void {
    while (this.#bytes > bytes && this.#count > 0) {
      const oldest = (this.#newest - this.#count + 1) & (this.#ring.length - 1);
      const field = this.#ring[oldest];
      this.#ring[oldest] = undefined;
      this.#count -= 1;
      if (field !== undefined) this.#bytes -= sizeOf(field);
    }
  }
}
