/**
 * Bytes of the wire as text. UTF-8 is decoded exactly once; bytes that are none stay apart from
 * every text that a file or a token can hold: each becomes a lone surrogate, U+DC00 and the byte.
 */
import { goQuote } from './go-quote.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const textOfBytes = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte),
    ).join('');
  }
};

/** The same for one character a byte, as Node gives header values. */
export const textOfLatin1 = (value: string): string =>
  /[\u0080-\u00ff]/.test(value)
    ? textOfBytes(Uint8Array.from(value, (character) => character.charCodeAt(0)))
    : value;

/** Text in quotes as the real server prints it, bytes that were no UTF-8 as `\xc0`. */
export const quoteByteText = (text: string): string => {
  const parts = text.split(/([\udc80-\udcff])/).map((part, index) => {
    const isStray = index % 2 === 1;
    return isStray
      ? `\\x${(part.charCodeAt(0) - 0xdc00).toString(16)}`
      : goQuote(part).slice(1, -1);
  });
  return `"${parts.join('')}"`;
};
