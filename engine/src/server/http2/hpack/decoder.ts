/**
 * Decodes header blocks (RFC 7541). The decoder belongs to a connection, because of its dynamic
 * table.
 */
import { DynamicTable } from './dynamic-table.ts';
import { type Field, fieldOverhead, sizeOf } from './field.ts';
import { decodeHuffman, maxDecodedBytes } from './huffman.ts';
import { lastStaticIndex, staticFields } from './static-table.ts';

/** The header block is invalid: the connection cannot be used any longer. */
export class HpackError extends Error {}

/** The table size that a peer may use before it receives our settings (RFC 9113, 6.5.2). */
const initialTableBytes = 4096;

/** A peer that changed the size repeatedly sends the smallest and the last size (RFC 7541, 4.2). */
const maxSizeUpdates = 2;

/** Bits of an integer in its continuation bytes: no integer is above 2^28 + 126. */
const maxIntegerBits = 28;

export class HpackDecoder {
  readonly #tableBytes: number;
  readonly #table: DynamicTable;
  readonly #maxFields: number;
  #at = 0;

  /**
   * `tableBytes` is the value of our SETTINGS_HEADER_TABLE_SIZE, at least 4096. `maxFields` fields
   * of a block are returned; further fields are decoded and dropped.
   */
  constructor({
    tableBytes,
    maxFields = Number.POSITIVE_INFINITY,
  }: {
    readonly tableBytes: number;
    readonly maxFields?: number;
  }) {
    this.#maxFields = maxFields;
    this.#tableBytes = Math.max(tableBytes, initialTableBytes);
    this.#table = new DynamicTable(initialTableBytes, this.#tableBytes);
  }

  /**
   * Returns the fields of a complete header block, in order. Fields beyond `limitBytes` in total,
   * counted as in RFC 7541, 4.1, are decoded, so that the table stays correct, and dropped:
   * `isTruncated`. After an `HpackError` the decoder must not be used any longer.
   */
  decode(
    block: Buffer,
    limitBytes: number,
  ): { readonly fields: readonly Field[]; readonly isTruncated: boolean } {
    const fields: Field[] = [];
    let left = limitBytes;
    this.#at = 0;
    this.#readSizeUpdates(block);
    while (this.#at < block.length) {
      const first = block[this.#at] ?? 0;
      const field =
        first >= 0x80
          ? this.#fieldAt(this.#readInteger(block, 0x7f))
          : this.#readLiteral(block, left);
      left = field === undefined ? -1 : left - sizeOf(field);
      if (field !== undefined && left >= 0 && fields.length < this.#maxFields) fields.push(field);
    }
    return { fields, isTruncated: left < 0 };
  }

  #readSizeUpdates(block: Buffer): void {
    for (let count = 0; isSizeUpdate(block[this.#at]); count += 1) {
      if (count === maxSizeUpdates) throw new HpackError('too many table size updates');
      const size = this.#readInteger(block, 0x1f);
      if (size > this.#tableBytes)
        throw new HpackError('table size above SETTINGS_HEADER_TABLE_SIZE');
      this.#table.resize(size);
    }
  }

  #fieldAt(index: number): Field {
    const field =
      index <= lastStaticIndex ? staticFields[index] : this.#table.at(index - lastStaticIndex);
    if (field === undefined) throw new HpackError('no field at this index');
    return field;
  }

  /**
   * Returns `undefined` for a field that is too large for the `left` bytes of the list and for the
   * table.
   */
  #readLiteral(block: Buffer, left: number): Field | undefined {
    const first = block[this.#at] ?? 0;
    const isIndexed = first >= 0x40;
    if (!isIndexed && first >= 0x20) throw new HpackError('table size update after a field');
    const index = this.#readInteger(block, isIndexed ? 0x3f : 0x0f);
    const capacity = Math.max(left, isIndexed ? this.#table.limit : 0) - fieldOverhead;
    const name = index === 0 ? this.#readString(block, capacity) : this.#fieldAt(index).name;
    const value = this.#readString(block, name === undefined ? -1 : capacity - name.length);
    if (name === undefined || value === undefined) {
      if (isIndexed) this.#table.clear();
      return undefined;
    }
    const field = { name, value };
    if (isIndexed) this.#table.insert(field);
    return field;
  }

  /** Returns `undefined` for a string of more than `maxBytes` bytes. */
  #readString(block: Buffer, maxBytes: number): string | undefined {
    const isHuffman = (block[this.#at] ?? 0) >= 0x80;
    const bytes = this.#readInteger(block, 0x7f);
    const start = this.#at;
    const end = start + bytes;
    if (end > block.length) throw truncated();
    this.#at = end;
    if (isHuffman) return decodeHuffmanString(block, { start, end, maxBytes });
    return bytes > maxBytes ? undefined : block.toString('latin1', start, end);
  }

  /** Reads an integer (RFC 7541, 5.1); `mask` selects its bits in the first byte. */
  #readInteger(block: Buffer, mask: number): number {
    if (this.#at >= block.length) throw truncated();
    let number = (block[this.#at] ?? 0) & mask;
    this.#at += 1;
    if (number < mask) return number;
    for (let shift = 0; shift < maxIntegerBits; shift += 7) {
      if (this.#at >= block.length) throw truncated();
      const byte = block[this.#at] ?? 0;
      this.#at += 1;
      number += (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw new HpackError('integer too large');
  }
}

const truncated = (): HpackError => new HpackError('header block ends within a field');

const isSizeUpdate = (first: number | undefined): boolean =>
  first !== undefined && first >= 0x20 && first < 0x40;

interface EncodedString {
  readonly start: number;
  readonly end: number;
  readonly maxBytes: number;
}

const decodeHuffmanString = (
  block: Buffer,
  { start, end, maxBytes }: EncodedString,
): string | undefined => {
  const capacity = Math.min(maxDecodedBytes(end - start), Math.max(maxBytes, 0));
  const into = Buffer.allocUnsafe(capacity);
  const length = decodeHuffman(block, { start, end }, into);
  if (length < 0) throw new HpackError('invalid Huffman code');
  return length > maxBytes ? undefined : into.toString('latin1', 0, length);
};
