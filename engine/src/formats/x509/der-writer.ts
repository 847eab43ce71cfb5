/** Encodes the DER elements of a certificate. */

type Bytes = Uint8Array;

const join = (parts: readonly Bytes[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const lengthBytes = (length: number): readonly number[] => {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
};

/** Encodes a tag, the length and the content. */
export const tagged = (tag: number, ...content: readonly Bytes[]): Bytes => {
  const body = join(content);
  return join([Uint8Array.from([tag, ...lengthBytes(body.length)]), body]);
};

export const sequence = (...items: readonly Bytes[]): Bytes => tagged(0x30, ...items);
/** Encodes a set with a single item; several items would have to be sorted. */
export const setOf = (item: Bytes): Bytes => tagged(0x31, item);
export const octetString = (...content: readonly Bytes[]): Bytes => tagged(0x04, ...content);
export const utf8String = (text: string): Bytes => tagged(0x0c, new TextEncoder().encode(text));
export const asciiString = (tag: number, text: string): Bytes =>
  tagged(tag, new TextEncoder().encode(text));
export const boolean = (value: boolean): Bytes => tagged(0x01, Uint8Array.of(value ? 0xff : 0));
/** Encodes an explicit tag `[number]` around its content. */
export const explicit = (number: number, ...content: readonly Bytes[]): Bytes =>
  tagged(0xa0 + number, ...content);
/** Encodes a bit string of whole bytes. */
export const bitString = (content: Bytes): Bytes => tagged(0x03, Uint8Array.of(0), content);

/** Encodes a positive integer from its big-endian bytes. */
export const positiveInteger = (magnitude: Bytes): Bytes => {
  const start = magnitude.findIndex((byte) => byte !== 0);
  const trimmed = start < 0 ? Uint8Array.of(0) : magnitude.subarray(start);
  const needsZero = (trimmed[0] ?? 0) >= 0x80;
  return tagged(0x02, needsZero ? join([Uint8Array.of(0), trimmed]) : trimmed);
};

/** Encodes an object identifier such as `1.2.840.10045`. */
export const objectIdentifier = (dotted: string): Bytes => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const groups = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) {
      groups.unshift((left % 128) | 0x80);
    }
    return groups;
  });
  return tagged(0x06, Uint8Array.from(bytes));
};

/** Encodes milliseconds since 1970 as UTCTime, from 2050 on as GeneralizedTime. */
export const time = (milliseconds: number): Bytes => {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? asciiString(0x17, digits.slice(2))
    : asciiString(0x18, digits);
};
