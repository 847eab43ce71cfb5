/**
 * Reads the bearer token of a request from the raw headers as kube-apiserver does: the first
 * `Authorization` header is used, trimmed and split at single spaces; the scheme ignores case, and
 * words after the token are ignored.
 */
import { trimSpace } from '../formats/go-space.ts';
import { type Secret, secret } from '../model/secret.ts';

export interface BearerReading {
  readonly token: Secret<string> | undefined;
  /** The text of a `Warning` header for the response. */
  readonly warning: string | undefined;
}

/** The warning if two spaces precede the token, which is then ignored. */
const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Reads the token from the value of the first `Authorization` header. */
export const readBearerToken = (authorization: string | undefined): BearerReading => {
  if (authorization === undefined) return noToken;
  const [scheme = '', token, ...rest] = splitWords(trimSpace(authorization));
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return noToken;
  if (token === '') {
    return rest.length > 0 ? { token: undefined, warning: extraSpaceWarning } : noToken;
  }
  return { token: secret(token), warning: undefined };
};

/** Reads a token that was sent outside of the header, with the same rules. */
export const readBareToken = (token: string): BearerReading =>
  // Most tokens have nothing to trim.
  token !== '' && !token.includes(' ') && trimSpace(token) === token
    ? { token: secret(token), warning: undefined }
    : readBearerToken(`Bearer ${token}`);

const noToken: BearerReading = { token: undefined, warning: undefined };

/** Splits at the first two spaces into at most three parts. */
const splitWords = (text: string): readonly string[] => {
  const first = text.indexOf(' ');
  if (first < 0) return [text];
  const second = text.indexOf(' ', first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
};
