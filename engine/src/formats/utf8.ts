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
    const first = bytes[at] ?? 0;
    if (length > 1) {
      const character = strict.decode(bytes.subarray(at, at + length));
      for (let unit = 0; unit < character.length; unit += 1) {
        units[count + unit] = character.charCodeAt(unit);
      }
      count += character.length;
    } else {
      units[count] = length === 0 ? replaceByte(first) : first;
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
    text += String.fromCharCode(...units.subarray(at, at + unitsPerCall));
  }
  return text;
};

const encoder = new TextEncoder();

/** Encodes a string; a lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

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
