/**
 * Converts bytes from the network to strings. UTF-8 is decoded exactly once. A byte that is not
 * UTF-8 becomes a lone surrogate (U+DC00 plus the byte), so the string differs from every string in
 * a file or token, and different bytes give different strings.
 */
import { goQuoteSurrogates } from './go-quote.ts';
import { decodeUtf8Replacing } from './utf8.ts';

export const decodeBytes = (bytes: Uint8Array): string =>
  decodeUtf8Replacing(bytes, (byte) => 0xdc00 + byte);

/** Decodes a string with one character per byte, which is how Node returns header values. */
export const decodeLatin1 = (value: string): string =>
  /[\u0080-\u00ff]/.test(value) ? decodeBytes(latin1Bytes(value)) : value;

/** The bytes of a string with one character per byte. */
export const latin1Bytes = (value: string): Uint8Array => {
  const bytes = new Uint8Array(value.length);
  for (let at = 0; at < value.length; at += 1) bytes[at] = value.charCodeAt(at);
  return bytes;
};

/** Quotes like Go's `%q`; a byte that was not UTF-8 prints as `\xc0`. */
export const quoteByteString = (text: string): string => goQuoteSurrogates(text, strayByte);

const strayByte = (code: number): string | undefined =>
  code >= 0xdc80 && code <= 0xdcff ? `\\x${(code - 0xdc00).toString(16)}` : undefined;
