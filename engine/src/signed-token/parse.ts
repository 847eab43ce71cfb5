/**
 * Parses a compact JWS in two steps, as kube-apiserver does: first the claims, to find the issuer,
 * then header and signature. Canonical tokens take a fast path; others (white space, line breaks,
 * unused bits) are parsed as go-jose does and marked.
 */
import { decodeGoBase64, encodeBase64Url } from '../formats/base64.ts';
import { decodeBase64UrlFastPath, isUrlSafeAscii } from '../formats/base64-fast-path.ts';
import { decodeUtf8Loosely } from '../formats/utf8.ts';
import { type HeaderReading, readHeader, type TokenHeader } from './header.ts';
import { readPayload, type TokenPayload } from './payload.ts';

export interface PeekedToken {
  readonly payload: TokenPayload;
  /** The three parts as received. */
  readonly parts: TokenParts;
  /** False if the payload is not canonical base64url. */
  readonly canonical: boolean;
  /** The result of `isUrlSafeAscii` for the token. */
  readonly plain: boolean;
}

export interface TokenParts {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  /** Header and payload, joined with a dot. */
  readonly signingInput: string;
}

export interface ParsedToken {
  readonly kind: 'parsed';
  readonly header: TokenHeader;
  readonly signature: Uint8Array;
  readonly signingInput: string;
  readonly canonical: boolean;
}

export type TokenParseResult =
  | ParsedToken
  /** The error, worded to follow `oidc: malformed jwt: `. */
  | { readonly kind: 'error'; readonly error: string };

/** Parses the claims; returns `undefined` if no authenticator can accept the token. */
export const peekToken = (token: string): PeekedToken | undefined => {
  const parts = splitToken(token);
  if (parts === undefined) return undefined;
  const plain = isUrlSafeAscii(token);
  const strict = decodeBase64UrlFastPath(parts.payload, plain);
  const bytes = strict ?? decodeLeniently(parts.payload);
  const payload = bytes && readPayload(bytes);
  return payload && { payload, parts, canonical: strict !== undefined, plain };
};

/** Parses header and signature; `readHeaderText` may cache headers. */
export const parseToken = (
  { parts, canonical, plain }: PeekedToken,
  readHeaderText: (text: string) => HeaderReading | undefined,
): TokenParseResult => {
  const signature = decodeBase64UrlFastPath(parts.signature, plain);
  if (!canonical || signature === undefined) return parseLeniently(parts);
  const header = readHeaderText(parts.header);
  if (header === undefined) return parseLeniently(parts);
  if (header.kind === 'error') return header;
  const signingInput = header.encodedPayload
    ? parts.signingInput
    : `${parts.header}.${decodeUtf8Loosely(payloadBytes(parts))}`;
  return { kind: 'parsed', header, signature, signingInput, canonical };
};

/** Decodes the claims again, for callers that need their bytes. */
export const payloadBytes = ({ payload }: TokenParts): Uint8Array =>
  decodeLeniently(payload) ?? new Uint8Array();

/**
 * Splits a token; the dots are counted first, so that a token with many of them is rejected
 * cheaply.
 */
export const splitToken = (token: string): TokenParts | undefined => {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) return undefined;
  return {
    header: token.slice(0, first),
    payload: token.slice(first + 1, second),
    signature: token.slice(second + 1),
    signingInput: token.slice(0, second),
  };
};

/** White space as in Go: Unicode's White_Space. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/**
 * Returns true if the token starts with a brace: go-jose takes it for the JSON serialization, which
 * is not supported.
 */
export const looksLikeJson = (token: string): boolean => token.replace(spaces, '').startsWith('{');

const url = { alphabet: 'url', padding: 'none' } as const;

const decodeLeniently = (text: string): Uint8Array | undefined => {
  const decoded = decodeGoBase64(text, url);
  return decoded.kind === 'bytes' ? decoded.bytes : undefined;
};

/**
 * Parses a token leniently. White space is removed first; the signing input is the canonical
 * encoding of the rest.
 */
const parseLeniently = (parts: TokenParts): TokenParseResult => {
  const header = decodeGoBase64(parts.header.replace(spaces, ''), url);
  if (header.kind === 'error') return header;
  const payload = decodeGoBase64(parts.payload.replace(spaces, ''), url);
  if (payload.kind === 'error') return payload;
  const signature = decodeGoBase64(parts.signature.replace(spaces, ''), url);
  if (signature.kind === 'error') return signature;
  const reading = readHeader(header.bytes);
  if (reading.kind === 'error') return reading;
  const signed = reading.encodedPayload
    ? encodeBase64Url(payload.bytes)
    : decodeUtf8Loosely(payload.bytes);
  return {
    kind: 'parsed',
    header: reading,
    signature: signature.bytes,
    signingInput: `${encodeBase64Url(header.bytes)}.${signed}`,
    canonical: false,
  };
};
