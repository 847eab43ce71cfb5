/**
 * Encodes fields of header blocks (RFC 7541), without a dynamic table and without Huffman coding.
 */
import { staticFields } from './static-table.ts';

/** A dynamic table size update to 0 (RFC 7541, 6.3), sent at the start of a header block. */
export const emptyTableUpdate = 0x20;

/** Index of the first field with this name in the static table. */
const indexByName = new Map<string, number>();
/** The byte that encodes a whole `:status` field of the static table. */
const byteByStatus = new Map<string, number>();
for (const [index, field] of staticFields.entries()) {
  if (field === undefined) continue;
  if (!indexByName.has(field.name)) indexByName.set(field.name, index);
  if (field.name === ':status') byteByStatus.set(field.value, 0x80 | index);
}

/** The first byte of the field and the lengths of both strings. */
const maxIntegerBytes = 13;
/** The most bytes that one character takes in UTF-8. */
const maxCharacterBytes = 3;

/** Returns the most bytes that `writeField` writes. */
export const maxEncodedBytes = (name: string, value: string): number =>
  maxIntegerBytes + (name.length + value.length) * maxCharacterBytes;

/**
 * Writes a field that is not added to a table, and returns the offset after it. A string with
 * characters above 0xFF is encoded as UTF-8, any other one as one byte for each character.
 */
export const writeField = (into: Buffer, offset: number, name: string, value: string): number => {
  const status = name === ':status' ? byteByStatus.get(value) : undefined;
  if (status !== undefined) {
    into[offset] = status;
    return offset + 1;
  }
  return writeString(into, writeName(into, offset, name), value);
};

const writeName = (into: Buffer, offset: number, name: string): number => {
  const index = indexByName.get(name);
  if (index === undefined) {
    into[offset] = 0;
    return writeString(into, offset + 1, name);
  }
  return writeInteger(into, offset, index, 0x0f);
};

const writeString = (into: Buffer, offset: number, text: string): number => {
  const start = writeInteger(into, offset, text.length, 0x7f);
  // Strings are short: a loop is faster than `Buffer.write`.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0xff) return writeUtf8(into, offset, text);
    into[start + at] = code;
  }
  return start + text.length;
};

const writeUtf8 = (into: Buffer, offset: number, text: string): number => {
  const start = writeInteger(into, offset, Buffer.byteLength(text), 0x7f);
  return start + into.write(text, start);
};

/**
 * Writes an integer (RFC 7541, 5.1); `maxPrefix` is the largest value of its prefix, and the other
 * bits of the first byte are 0.
 */
const writeInteger = (into: Buffer, offset: number, number: number, maxPrefix: number): number => {
  if (number < maxPrefix) {
    into[offset] = number;
    return offset + 1;
  }
  into[offset] = maxPrefix;
  let at = offset + 1;
  let rest = number - maxPrefix;
  for (; rest >= 0x80; rest >>>= 7) {
    into[at] = 0x80 | (rest & 0x7f);
    at += 1;
  }
  into[at] = rest;
  return at + 1;
};
