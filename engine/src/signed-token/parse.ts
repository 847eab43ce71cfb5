/**
 * A compact JWS in two steps, as the real server takes it: the claims are peeked at to find the
 * issuer, then header and signature are read. The quick way takes the one canonical spelling; what
 * is spelled otherwise (white space, line ends, loose bits) is read as the real libraries do, and
 * marked.
 */
import { decodeGoBase64, encodeBase64Url } from '../formats/base64.ts';
import { createScratchDecoder, isUrlSafeAscii } from '../formats/base64-fast-path.ts';
import { decodeUtf8Loosely } from '../formats/utf8.ts';
import { type HeaderReading, readHeader, type TokenHeader } from './header.ts';
import { readPayload, type TokenPayload } from './payload.ts';

export interface PeekedToken {
  readonly payload: TokenPayload;
  /** The three parts as they came. */
  readonly parts: TokenParts;
  /** False where the payload is not in its canonical spelling. */
  readonly canonical: boolean;
  /** See `isPlain`. */
  readonly plain: boolean;
}

export interface TokenParts {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  /** Header and payload with the dot between them. */
  readonly signingInput: string;
}

export interface ParsedToken {
  readonly kind: 'opened';
  readonly header: TokenHeader;
  /** In its one canonical spelling, or its bytes where it came in another; see `signatureBytes`. */
  readonly signature: string | Uint8Array;
  readonly signingInput: string;
  readonly canonical: boolean;
  /** Which decoding of a signature was this token's. */
  readonly decodeCount: number;
}

export type TokenParseResult =
  | ParsedToken
  /** Words after `oidc: malformed jwt: `. */
  | { readonly kind: 'error'; readonly error: string };

/** `undefined` for what no authenticator takes for its token. */
export const peekToken = (token: string): PeekedToken | undefined => {
  const parts = splitToken(token);
  if (parts === undefined) return undefined;
  const plain = isUrlSafeAscii(token);
  const strict = decodePayload(parts.payload, plain);
  const bytes = strict ?? decodeLeniently(parts.payload);
  const payload = bytes && readPayload(bytes);
  return payload && { payload, parts, canonical: strict !== undefined, plain };
};

/** As long as the longest payload that the product reads, and the signature of the largest key. */
const decodePayload = createScratchDecoder(192 * 1024);
const decodeSignature = createScratchDecoder(1024);

/** Reads header and signature; `readHeaderText` may remember headers it has seen. */
export const parseToken = (
  { parts, canonical, plain }: PeekedToken,
  readHeaderText: (text: string) => HeaderReading | undefined,
): TokenParseResult => {
  const { signature } = parts;
  if (!canonical || !decodeLastSignature(signature, plain)) return parseLeniently(parts);
  const header = readHeaderText(parts.header);
  if (header === undefined) return parseLeniently(parts);
  if (header.kind === 'error') return header;
  const signingInput = header.encodedPayload
    ? parts.signingInput
    : `${parts.header}.${decodeUtf8Loosely(payloadBytes(parts))}`;
  return { kind: 'opened', header, signature, signingInput, canonical, decodeCount };
};

/** The signature that was decoded last, in memory that the next decoding overwrites. */
let decodeCount = 0;
let lastSignature: Uint8Array = new Uint8Array();

/** False for what is not in its canonical spelling. */
const decodeLastSignature = (signature: string, plain: boolean): boolean => {
  const bytes = decodeSignature(signature, plain);
  decodeCount += 1;
  lastSignature = bytes ?? new Uint8Array();
  return bytes !== undefined;
};

/**
 * The signature in memory that the next token's overwrites. Where another token's came behind a
 * wait it is decoded anew: that costs less than memory of its own for each.
 */
export const signatureBytes = (token: ParsedToken): Uint8Array => {
  const { signature } = token;
  if (typeof signature !== 'string') return signature;
  if (token.decodeCount !== decodeCount) decodeLastSignature(signature, isUrlSafeAscii(signature));
  return lastSignature;
};

/** The claims as they were signed, for the few who need them twice. */
export const payloadBytes = ({ payload }: TokenParts): Uint8Array =>
  decodeLeniently(payload) ?? new Uint8Array();

/** Exactly two dots; counted before anything is cut, so that dots cost nothing. */
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

/** What the real library calls white space (Unicode's White_Space). */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** A text that starts with a brace is taken for the JSON form, which nobody accepts. */
export const looksLikeJson = (token: string): boolean => token.replace(spaces, '').startsWith('{');

const url = { alphabet: 'url', padding: 'none' } as const;

const decodeLeniently = (text: string): Uint8Array | undefined => {
  const decoded = decodeGoBase64(text, url);
  return decoded.kind === 'bytes' ? decoded.bytes : undefined;
};

/** White space is dropped first; the signature is over the canonical spelling of what is left. */
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
    kind: 'opened',
    header: reading,
    signature: signature.bytes,
    signingInput: `${encodeBase64Url(header.bytes)}.${signed}`,
    canonical: false,
    decodeCount: 0,
  };
};
