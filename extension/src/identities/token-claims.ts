/**
 * Reads the claims of a pasted token. The signature is cut off before anything is decoded, and
 * error messages never quote the text.
 */
import { memberAt, stringAt } from '../member-at.ts';
import { tokensIn, withoutTokens } from './nested-tokens.ts';

export type TokenReading =
  | { readonly kind: 'read'; readonly token: TokenClaims }
  | { readonly kind: 'invalid'; readonly problem: string };

export interface TokenClaims {
  /** A JSON object with one member per line; numbers keep their spelling. */
  readonly claims: string;
  /** A name for the sample. */
  readonly name: string;
  readonly algorithm: string | undefined;
  readonly issuer: string | undefined;
  /** Seconds since 1970. */
  readonly expires: number | undefined;
}

/** The maximum length of a token in a request header. */
const maxCharacters = 100_000;

export const readTokenClaims = (pasted: string): TokenReading => {
  const token = bareToken(pasted);
  if (token === '') return invalid('the text is empty');
  if (token.length > maxCharacters) return invalid('the text is too long for a token');
  const parts = token.split('.');
  if (parts.length === 5) {
    return invalid("the token is encrypted: its claims can't be read without the key");
  }
  const [header, payload] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined) {
    return invalid('not a JWT: it needs three parts separated by dots');
  }
  const claims = decodedObject(payload);
  if (claims === undefined) return invalid('not a JWT: the payload is not a JSON object');
  const { value } = claims;
  return {
    kind: 'read',
    token: {
      claims: withoutTokens(indentedJson(claims.text)),
      name: nameOf(value),
      algorithm: stringAt(decodedObject(header)?.value, 'alg'),
      issuer: stringAt(value, 'iss'),
      expires: secondsAt(value, 'exp'),
    },
  };
};

/** Removes the header name and the scheme in front of a token. */
export const bareToken = (pasted: string): string =>
  pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');

/** Returns a phrase such as `expires in 42 min` or `expired 3 h ago`. */
export const expiryText = (expires: number | undefined, nowMs: number): string => {
  if (expires === undefined) return 'no expiry';
  const seconds = Math.round(expires - nowMs / 1000);
  return seconds >= 0
    ? `expires in ${durationText(seconds)}`
    : `expired ${durationText(-seconds)} ago`;
};

const invalid = (problem: string): TokenReading => ({ kind: 'invalid', problem });

const decodedObject = (
  part: string,
): { readonly text: string; readonly value: Readonly<Record<string, unknown>> } | undefined => {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { text, value } : undefined;
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const secondsAt = (value: unknown, name: string): number | undefined => {
  const member = memberAt(value, name);
  return typeof member === 'number' && Number.isFinite(member) ? member : undefined;
};

const nameClaims = ['preferred_username', 'email', 'upn', 'name', 'sub'];

const nameOf = (claims: Readonly<Record<string, unknown>>): string => {
  const named = nameClaims
    .map((claim) => stringAt(claims, claim))
    .find((text) => text !== undefined && text !== '' && tokensIn(text).length === 0);
  // The local part of an address is enough to identify a person.
  return (named ?? 'token').replace(/@.*$/s, '').slice(0, 60);
};

const durationText = (seconds: number): string => {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  if (seconds < 2 * yearSeconds) return `${Math.round(seconds / 86_400)} days`;
  return `${Math.floor(seconds / yearSeconds)} years`;
};

const yearSeconds = 31_556_952;

const jsonToken = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Reformats JSON with one member per line. Works on the text, because parsing would change long
 * numbers.
 */
export const indentedJson = (json: string): string => {
  const tokens = json.match(jsonToken) ?? [];
  let depth = 0;
  let written = '';
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const isEmpty = before === '{' || before === '[';
    if (token === '}' || token === ']') {
      depth -= 1;
      written += isEmpty ? token : `${newLine()}${token}`;
      return;
    }
    if (isEmpty) written += newLine();
    if (token === '{' || token === '[') depth += 1;
    written += token;
    if (token === ',') written += newLine();
    if (token === ':') written += ' ';
  });
  return `${written}\n`;
};
