/** Detects features of recorded tokens and files for the rows in `differences.ts`. */

/** Decodes a part of a token; returns an empty string if that fails. */
export const partAsText = (token: string, index: number): string => {
  const part = (token.replace(/\s/g, '').split('.')[index] ?? '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const hasLooseBits = (part: string): boolean => {
  const over = part.length % 4;
  const last = alphabet.indexOf(part.charAt(part.length - 1));
  return (over === 2 && (last & 0b1111) !== 0) || (over === 3 && (last & 0b11) !== 0);
};

const standardNames = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  '_claim_names',
  '_claim_sources',
]);

export const isMisCased = (written: string): boolean => {
  const name = written.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const folded = name.replaceAll('\u017f', 's').toLowerCase();
  return standardNames.has(folded) && !standardNames.has(name);
};

export const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Returns the nesting depth by brackets or by columns of indentation, of which a level has at least
 * one.
 */
export const nestingDepth = (text: string): number => {
  let depth = 0;
  let maxDepth = 0;
  for (const [token] of text.matchAll(/[[{]|[\]}]|^[- ]+/gm)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    maxDepth = Math.max(maxDepth, depth, token.length);
  }
  return maxDepth;
};
