/** Signed tokens that stand in a text, so that nobody keeps or sends one by mistake. */
import { decodeGoBase64 } from '../formats/base64.ts';
import { decodeUtf8Loosely } from '../formats/utf8.ts';

/** Each starts where nothing of the alphabet stands before it, so no text is read more than thrice. */
const candidates = /(?<![\w-])[\w-]{8,}\.[\w-]{2,}\.[\w-]*/g;

/**
 * Where three parts stand between dots and the first is a token's header. Names of hosts, which have
 * the same form, are none.
 */
export const findTokens = (
  text: string,
): readonly { readonly start: number; readonly end: number }[] =>
  Array.from(text.matchAll(candidates), ({ index, 0: found }) =>
    isHeader(found.slice(0, found.indexOf('.')))
      ? [{ start: index, end: index + found.length }]
      : [],
  ).flat();

const isHeader = (part: string): boolean => {
  // So begins every JSON object; a header of this length is not worth decoding.
  if (part.length > maxDecodedHeaderLength) return /^(?:ey|ew)/.test(part);
  const decoded = decodeGoBase64(part, { alphabet: 'url', padding: 'none' });
  if (decoded.kind === 'error') return false;
  return /^\s*\{[\s\S]*\}\s*$/.test(decodeUtf8Loosely(decoded.bytes));
};

const maxDecodedHeaderLength = 8192;
