/** Reads DER as strictly as Go's `cryptobyte`. */
import { hexOf } from '../bytes.ts';

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Reads elements (tag, length and content), each in its shortest form. */
export class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** The bytes that have not been read. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  /** Reads the content of the next element if it has the tag. */
  read(tag: number): Uint8Array | undefined {
    return this.nextTag === tag ? this.readAny()?.content : undefined;
  }

  readAny(): { readonly tag: number; readonly content: Uint8Array } | undefined {
    const tag = this.nextTag;
    if (tag === undefined || (tag & 0x1f) === 0x1f) return undefined;
    const length = this.#length();
    if (length === undefined) return undefined;
    const start = this.#at + length.headerBytes;
    const content = this.#bytes.subarray(start, start + length.value);
    if (content.length !== length.value) return undefined;
    this.#at = start + length.value;
    return { tag, content };
  }

  /** Reads the next element with its tag and length if it has the tag. */
  readElement(tag: number): Uint8Array | undefined {
    const { rest } = this;
    return this.read(tag) === undefined
      ? undefined
      : rest.subarray(0, rest.length - this.rest.length);
  }

  /** Skips an optional element; returns false if it is malformed. */
  skipOptional(tag: number): boolean {
    return this.nextTag !== tag || this.read(tag) !== undefined;
  }

  /** Reads an object identifier as dotted numbers: `1.2.840.10045.2.1`. */
  readObjectId(): string | undefined {
    const content = this.read(derTag.objectId);
    return content === undefined ? undefined : formatObjectId(content);
  }

  /** Reads bits without the padding count; returns `undefined` if the padding is not zero. */
  readBitString(): Uint8Array | undefined {
    const content = this.read(derTag.bitString);
    const padding = content?.[0];
    if (content === undefined || padding === undefined || padding > 7) return undefined;
    const bits = content.subarray(1);
    const last = bits.at(-1);
    if (last === undefined) return padding === 0 ? bits : undefined;
    return (last & ((1 << padding) - 1)) === 0 ? bits : undefined;
  }

  /** Reads bits as whole bytes, with the padding at the front. */
  readAlignedBits(): Uint8Array | undefined {
    const padding = this.#bytes[this.#contentStart()] ?? 0;
    const bits = this.readBitString();
    if (bits === undefined || padding === 0) return bits;
    return bits.map((byte, at) => (byte >> padding) | ((bits[at - 1] ?? 0) << (8 - padding)));
  }

  /** Reads an integer; `tag` replaces the universal tag. */
  readInteger(tag: number = derTag.integer): bigint | undefined {
    const content = this.read(tag);
    if (content === undefined || content.length === 0) return undefined;
    const [first = 0, second = 0] = content;
    const padded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
    if (content.length > 1 && padded) return undefined;
    const magnitude = bytesToBigInt(content);
    return first < 0x80 ? magnitude : magnitude - (1n << BigInt(8 * content.length));
  }

  readBoolean(): boolean | undefined {
    const content = this.read(derTag.boolean);
    if (content?.length !== 1) return undefined;
    return content[0] === 0 ? false : content[0] === 0xff ? true : undefined;
  }

  #contentStart(): number {
    return this.#at + (this.#length()?.headerBytes ?? 0);
  }

  #length(): { readonly value: number; readonly headerBytes: number } | undefined {
    const first = this.#bytes[this.#at + 1];
    if (first === undefined) return undefined;
    if (first < 0x80) return { value: first, headerBytes: 2 };
    const count = first & 0x7f;
    if (count === 0 || count > 4) return undefined;
    const digits = this.#bytes.subarray(this.#at + 2, this.#at + 2 + count);
    if (digits.length !== count) return undefined;
    const value = digits.reduce((sum, byte) => sum * 256 + byte, 0);
    const shortest = value >= 0x80 && (digits[0] ?? 0) !== 0;
    return shortest ? { value, headerBytes: 2 + count } : undefined;
  }
}

export const bytesToBigInt = (bytes: Uint8Array): bigint => {
  const digits = hexOf(bytes);
  return digits === '' ? 0n : BigInt(`0x${digits}`);
};

/** Converts to one character for each byte. */
export const toLatin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const formatObjectId = (content: Uint8Array): string | undefined => {
  const numbers: number[] = [];
  let value = 0;
  let length = 0;
  for (const byte of content) {
    if ((length === 0 && byte === 0x80) || length === 5 || value >= 2 ** 24) return undefined;
    value = value * 128 + (byte & 0x7f);
    length += 1;
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
    length = 0;
  }
  const [first, ...others] = numbers;
  if (first === undefined || length > 0) return undefined;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...others].join('.');
};
