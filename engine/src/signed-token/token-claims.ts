/** Extracts the claims of a token, so that they can be saved without the token. */
import { decodeBase64Url } from '../formats/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../formats/utf8.ts';
import { readClaims } from './payload.ts';

/**
 * Returns the claims as a JSON object, which is also YAML, on one line or with each claim on its
 * own line. Nothing is verified. `undefined` if they cannot be read, as in an encrypted token.
 */
export const tokenClaimsText = (
  token: string,
  layout: 'line' | 'lines',
  lineBreak = '\n',
): string | undefined => {
  const [, payload = ''] = token.split('.');
  const bytes = decodeBase64Url(payload);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  if (text === undefined || readClaims(encodeUtf8(text)) === undefined) return undefined;
  return formatClaims(text, layout === 'line' ? undefined : lineBreak);
};

/** Formats the JSON; numbers keep their notation. */
const formatClaims = (json: string, lineBreak: string | undefined): string => {
  let depth = 0;
  let result = '';
  // Only members of the top level are on lines of their own.
  const gap = (): string => (lineBreak !== undefined && depth === 1 ? `${lineBreak}  ` : ' ');
  for (const [piece] of json.matchAll(/"(?:\\.|[^"\\])*"?|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (piece === '{' || piece === '[') {
      depth += 1;
      result += piece + (piece === '{' && depth === 1 && lineBreak !== undefined ? gap() : '');
    } else if (piece === '}' || piece === ']') {
      depth -= 1;
      result += depth === 0 && lineBreak !== undefined ? lineBreak + piece : piece;
    } else if (piece === ',') result += piece + gap();
    else if (piece === ':') result += ': ';
    else result += piece.startsWith('"') ? JSON.stringify(JSON.parse(piece)) : piece;
  }
  return result;
};
