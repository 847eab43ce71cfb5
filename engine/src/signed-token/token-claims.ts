/** What stands in a token, for those who want to keep its claims and not the token. */
import { decodeBase64Url } from '../formats/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../formats/utf8.ts';
import { readClaims } from './payload.ts';

/**
 * The claims as a JSON object that is also YAML: on one line, or with each claim on its own. Nothing is
 * verified. `undefined` where they cannot be read, as in a token that is encrypted.
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

/** Numbers stay as they were written. */
const formatClaims = (json: string, lineBreak: string | undefined): string => {
  let depth = 0;
  let result = '';
  // Only the outermost members stand on lines of their own.
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
