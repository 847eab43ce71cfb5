/** Writes fields of header blocks, without a dynamic table and without the Huffman code: RFC 7541. */
import { staticFields } from './static-table.ts';

/** Begins a block: the table has no room from here on (RFC 7541, 6.3). */
export const emptyTableUpdate = 0x20;

/** The index of the first field of the static table with this name. */
const indexByName = new Map<string, number>();
/** The byte that stands for a whole `:status` field of the static table. */
const byteByStatus = new Map<string, number>();
for (const [index, field] of staticFields.entries()) {
  if (field === undefined) continue;
  if (!indexByName.has(field.name)) indexByName.set(field.name, index);
  if (field.name === ':status') byteByStatus.set(field.value, 0x80 | index);
}

/** The first byte of the field and the lengths of both texts. */
const maxIntegerBytes = 13;
/** Of one character of a text, in UTF-8. */
const maxCharacterBytes = 3;

/** Bytes that `writeField` needs at most. */
export const maxEncodedBytes = (name: string, value: string): number =>
  maxIntegerBytes + (name.length + value.length) * maxCharacterBytes;

/**
 * Writes a field that enters no table, and answers the offset behind it. A text with characters above
 * 0xFF is written as UTF-8, any other one byte a character.
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
  // Texts are short: byte by byte costs less than a call of `Buffer.write`.
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

/** `most`: what the first byte has room for; its higher bits are 0. RFC 7541 5.1. */
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
