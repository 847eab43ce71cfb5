/** UTF-8 to text: strictly, or as the real server reads it, with one U+FFFD for each bad byte. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of well-formed UTF-8; `undefined` otherwise. A byte order mark stays a character. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Text of any bytes: what is not UTF-8 becomes U+FFFD, byte by byte. */
export const decodeUtf8Loosely = (bytes: Uint8Array): string =>
  decodeUtf8Replacing(bytes, () => '\ufffd');

/** Text of any bytes; `stray` says what stands for a byte that belongs to no character. */
export const decodeUtf8Replacing = (
  bytes: Uint8Array,
  replaceByte: (byte: number) => string,
): string => {
  const decoded = decodeUtf8(bytes);
  if (decoded !== undefined) return decoded;
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0 ? replaceByte(bytes[at] ?? 0) : strict.decode(bytes.subarray(at, at + length));
    at += Math.max(length, 1);
  }
  return text;
};

const encoder = new TextEncoder();

/** UTF-8 of a text; a lone surrogate becomes U+FFFD. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** Length of the well-formed sequence that starts here; 0 where none does. */
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

/** Overlong forms, surrogates and what lies beyond U+10FFFF are ruled out by the second byte. */
const secondByteBounds = (first: number): readonly [number, number] => {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
};
