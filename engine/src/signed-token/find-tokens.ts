/** Finds signed tokens in text, so that they are not saved or sent by mistake. */
import { decodeGoBase64 } from '../formats/base64.ts';
import { decodeUtf8Loosely } from '../formats/utf8.ts';

/**
 * A match must not be preceded by a character of the alphabet, so that no text is scanned more than
 * three times.
 */
const candidates = /(?<![\w-])[\w-]{8,}\.[\w-]{2,}\.[\w-]*/g;

/**
 * Finds three parts separated by dots of which the first is a token header. Host names have the
 * same format, but no header.
 */
export const findTokens = (
  text: string,
): readonly { readonly start: number; readonly end: number }[] =>
  Array.from(text.matchAll(candidates), ({ index, 0: candidate }) =>
    isHeader(candidate.slice(0, candidate.indexOf('.')))
      ? [{ start: index, end: index + candidate.length }]
      : [],
  ).flat();

const isHeader = (part: string): boolean => {
  // Every JSON object starts like this; a header of this length is not decoded.
  if (part.length > maxDecodedHeaderLength) return /^(?:ey|ew)/.test(part);
  const decoded = decodeGoBase64(part, { alphabet: 'url', padding: 'none' });
  if (decoded.kind === 'error') return false;
  return /^\s*\{[\s\S]*\}\s*$/.test(decodeUtf8Loosely(decoded.bytes));
};

const maxDecodedHeaderLength = 8192;
