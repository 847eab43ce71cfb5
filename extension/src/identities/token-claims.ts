/**
 * The claims of a token that somebody pasted: the signature is cut off before anything is decoded, and
 * nothing that is said about a failure quotes the text.
 */
import { memberAt, stringAt } from '../member-at.ts';
import { tokensIn, withoutTokens } from './nested-tokens.ts';

export type TokenReading =
  | { readonly kind: 'read'; readonly token: TokenClaims }
  | { readonly kind: 'unread'; readonly problem: string };

export interface TokenClaims {
  /** A JSON object, member by member on lines of its own; numbers are spelt as the token spells them. */
  readonly claims: string;
  /** What the sample may be called. */
  readonly name: string;
  readonly algorithm: string | undefined;
  readonly issuer: string | undefined;
  /** Seconds since 1970. */
  readonly expires: number | undefined;
}

/** As much as a request's header may hold. */
const maxCharacters = 100_000;

export const readTokenClaims = (pasted: string): TokenReading => {
  const token = bareToken(pasted);
  if (token === '') return unread('there is no text');
  if (token.length > maxCharacters) return unread('the text is too long for a token');
  const parts = token.split('.');
  if (parts.length === 5) {
    return unread('the token is encrypted: its claims cannot be read without the key');
  }
  const [header, payload] = parts;
  if (parts.length !== 3 || header === undefined || payload === undefined) {
    return unread('a JWT has three parts with points between them');
  }
  const claims = decodedObject(payload);
  if (claims === undefined) return unread('the middle part is no JSON object in base64url');
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

/** Without what stands around it in a header. */
export const bareToken = (pasted: string): string =>
  pasted.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');

/** `expires in 42 min`, `expired 3 h ago`. */
export const expiryText = (expires: number | undefined, nowMs: number): string => {
  if (expires === undefined) return 'says nothing about its end';
  const seconds = Math.round(expires - nowMs / 1000);
  return seconds >= 0
    ? `expires in ${durationText(seconds)}`
    : `expired ${durationText(-seconds)} ago`;
};

const unread = (problem: string): TokenReading => ({ kind: 'unread', problem });

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
  // The start of an address is enough to know somebody by.
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

/** The same values on lines of their own. Works on the text: a long number would not survive a parse. */
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
