/** Decodes UTF-8 strictly, or leniently like Go, with one U+FFFD for each invalid byte. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes well-formed UTF-8; returns `undefined` for other bytes. A byte order mark is preserved.
 */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Decodes any bytes; each invalid byte becomes U+FFFD. */
export const decodeUtf8Loosely = (bytes: Uint8Array): string =>
  decodeUtf8Replacing(bytes, () => 0xfffd);

/** Decodes any bytes; `replaceByte` returns the UTF-16 code unit for a byte that is not part of a character. */
export const decodeUtf8Replacing = (
  bytes: Uint8Array,
  replaceByte: (byte: number) => number,
): string => {
  const decoded = decodeUtf8(bytes);
  if (decoded !== undefined) return decoded;
  // A string of as many pieces would need an object for each of them; no character has more code units than bytes.
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const point = length === 0 ? replaceByte(bytes[at] ?? 0) : codePoint(bytes, at, length);
    if (point > 0xffff) {
      units[count] = 0xd7c0 + (point >> 10);
      units[count + 1] = 0xdc00 + (point & 0x3ff);
      count += 2;
    } else {
      units[count] = point;
      count += 1;
    }
    at += Math.max(length, 1);
  }
  return stringOfUnits(units.subarray(0, count));
};

/** Engines limit the number of arguments of a call. */
const unitsPerCall = 8_192;

const stringOfUnits = (units: Uint16Array): string => {
  let text = '';
  for (let at = 0; at < units.length; at += unitsPerCall) {
    // Spread syntax would iterate, which takes several times as long.
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(at, at + unitsPerCall));
  }
  return text;
};

const encoder = new TextEncoder();

/** Encodes a string; a lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** Returns the code point of the well-formed sequence at an index. */
const codePoint = (bytes: Uint8Array, at: number, length: number): number => {
  const first = bytes[at] ?? 0;
  let point = length === 1 ? first : first & (0x7f >> length);
  for (let place = 1; place < length; place += 1) {
    point = (point << 6) | ((bytes[at + place] ?? 0) & 0x3f);
  }
  return point;
};

/** Returns the length of the well-formed sequence at an index, or 0. */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const [low, high] = secondByteBounds(first);
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let place = 2; place < length; place += 1) {
    if (((bytes[at + place] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
};

/**
 * The limits of the second byte exclude overlong forms, surrogates and code points beyond U+10FFFF.
 */
const secondByteBounds = (first: number): readonly [number, number] => {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
};
