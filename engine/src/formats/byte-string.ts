/**
 * Bytes of the wire as text. UTF-8 is decoded exactly once; a byte that belongs to no character stays
 * apart from every text that a file or a token can hold: it becomes a lone surrogate, U+DC00 and the
 * byte. No two byte strings make one text.
 */
import { goQuote } from './go-quote.ts';
import { decodeUtf8Replacing } from './utf8.ts';

export const decodeBytes = (bytes: Uint8Array): string =>
  decodeUtf8Replacing(bytes, (byte) => String.fromCharCode(0xdc00 + byte));

/** The same for one character a byte, as Node gives header values. */
export const decodeLatin1 = (value: string): string =>
  /[\u0080-\u00ff]/.test(value)
    ? decodeBytes(Uint8Array.from(value, (character) => character.charCodeAt(0)))
    : value;

/** Text in quotes as the real server prints it, bytes that were no UTF-8 as `\xc0`. */
export const quoteByteString = (text: string): string => {
  const parts = text.split(/([\udc80-\udcff])/).map((part, index) => {
    const isStray = index % 2 === 1;
    return isStray
      ? `\\x${(part.charCodeAt(0) - 0xdc00).toString(16)}`
      : goQuote(part).slice(1, -1);
  });
  return `"${parts.join('')}"`;
};
