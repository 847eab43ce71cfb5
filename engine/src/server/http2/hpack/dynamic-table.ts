/**
 * The fields that a peer put into its table, newest first, bounded by their bytes: RFC 7541 2.3.2 and 4.
 * They stand in a ring, so that none is moved for another.
 */
import { type Field, fieldOverhead, sizeOf } from './field.ts';

export class DynamicTable {
  /** As many as fit, at least; a power of two. */
  readonly #ring: (Field | undefined)[];
  #newest = 0;
  #count = 0;
  #bytes = 0;
  #limit: number;

  /** `mostBytes`: no later limit is above it. */
  constructor(limit: number, maxBytes: number) {
    const maxEntries = Math.floor(maxBytes / fieldOverhead);
    this.#ring = new Array(2 ** Math.ceil(Math.log2(maxEntries))).fill(undefined);
    this.#limit = limit;
  }

  /** In bytes, as RFC 7541 4.1 counts. */
  get limit(): number {
    return this.#limit;
  }

  /** The newest is at 1; `undefined` behind the oldest. */
  at(index: number): Field | undefined {
    if (index > this.#count) return undefined;
    return this.#ring[(this.#newest - index + 1) & (this.#ring.length - 1)];
  }

  /** Makes room as RFC 7541 4.4 says: what is larger than the table empties it. */
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

  /** Until what is left has at most so many bytes. */
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
