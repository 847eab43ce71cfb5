/**
 * The bearer token of a request, read from the raw header list as the real server reads it: the first
 * `Authorization` field counts, it is trimmed and cut at single spaces, the scheme has no case, words
 * behind the token are ignored.
 */
import { trimSpace } from '../formats/go-space.ts';
import { type Secret, secret } from '../model/secret.ts';

export interface BearerReading {
  readonly token: Secret<string> | undefined;
  /** For a Warning header of the answer. */
  readonly warning: string | undefined;
}

/** Two spaces in front of the token: it is ignored, and the client is told. */
const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Value of the first `Authorization` field -> the token. */
export const readBearerToken = (authorization: string | undefined): BearerReading => {
  if (authorization === undefined) return noToken;
  const [scheme = '', token, ...rest] = splitWords(trimSpace(authorization));
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return noToken;
  if (token === '') {
    return rest.length > 0 ? { token: undefined, warning: extraSpaceWarning } : noToken;
  }
  return { token: secret(token), warning: undefined };
};

/** A token that came without its header field, read as if it stood there. */
export const readBareToken = (token: string): BearerReading =>
  // Most have nothing that could be cut off.
  token !== '' && !token.includes(' ') && trimSpace(token) === token
    ? { token: secret(token), warning: undefined }
    : readBearerToken(`Bearer ${token}`);

const noToken: BearerReading = { token: undefined, warning: undefined };

/** At most three pieces, cut at the first two spaces. */
const splitWords = (text: string): readonly string[] => {
  const first = text.indexOf(' ');
  if (first < 0) return [text];
  const second = text.indexOf(' ', first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
};
