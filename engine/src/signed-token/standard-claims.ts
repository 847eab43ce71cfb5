/**
 * Decodes the claims that go-oidc reads, with the rules of Go's decoder: names match ignoring case
 * and the last one is used, `exp` and `nbf` may be quoted numbers, and wrong types have specific
 * messages. Common claims take a fast path; others go through `decodeStandardClaims`, which handles
 * order, duplicates and all errors.
 */
import { foldName, goFieldTypeError, goTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import { type GoSeconds, goZeroTime } from '../formats/go-time.ts';
import { type JsonNode, rawJson } from '../formats/json-with-positions.ts';
import type { JsonObject } from '../formats/json-with-shape.ts';

export interface StandardClaims {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Year 1 if absent. */
  readonly expiry: GoSeconds;
  readonly notBefore: GoSeconds | undefined;
  /** The error if `_claim_names` refers to a missing source. */
  readonly sourceError: string | undefined;
}

/**
 * Reads common claims; returns `undefined` if the JSON tree has to be decoded. `writtenMembers`
 * exceeds the number of names if one is duplicated.
 */
export const readStandardClaims = (
  claims: JsonObject,
  writtenMembers: number,
): StandardClaims | undefined => {
  let issuer = '';
  let audience: readonly string[] = [];
  let expiry: GoSeconds = goZeroTime;
  let notBefore: GoSeconds | undefined;
  let names = 0;
  for (const name in claims) {
    names += 1;
    if (!hasStandardLength(name)) continue;
    const value = claims[name];
    switch (name) {
      case 'iss':
        if (typeof value !== 'string') return undefined;
        issuer = value;
        break;
      case 'sub':
      case 'nonce':
      case 'at_hash':
        if (typeof value !== 'string' && value !== null) return undefined;
        break;
      case 'aud':
        if (typeof value === 'string') audience = [value];
        else if (isStringList(value)) audience = value;
        else return undefined;
        break;
      case 'exp':
        if (!isPlainSeconds(value)) return undefined;
        expiry = Math.trunc(value);
        break;
      case 'nbf':
        if (!isPlainSeconds(value)) return undefined;
        notBefore = Math.trunc(value);
        break;
      case 'iat':
        if (!isPlainSeconds(value)) return undefined;
        break;
      case '_claim_names':
      case '_claim_sources':
        return undefined;
      default:
        if (isStandardName(name)) return undefined;
    }
  }
  // An empty object counts as one member.
  if (writtenMembers > Math.max(names, 1)) return undefined;
  return { issuer, audience, expiry, notBefore, sourceError: undefined };
};

/** Returns the first name that matches a standard claim only if case is ignored: `ISS`, `iſs`. */
export const misCasedClaim = (claims: JsonObject): string | undefined => {
  for (const name in claims) {
    if (isStandardName(name) && !standardNames.has(name)) return name;
  }
  return undefined;
};

export type StandardClaimsReading =
  | { readonly kind: 'claims'; readonly claims: StandardClaims }
  /** The error, worded to follow `oidc: failed to unmarshal claims: `. */
  | { readonly kind: 'error'; readonly error: string };

/** Decodes every member in order, as Go's decoder does. */
export const decodeStandardClaims = (root: JsonNode, bytes: Uint8Array): StandardClaimsReading => {
  const decoded = new Decoding();
  if (root.kind === 'object') {
    for (const { name, value } of root.members) {
      if (!isStandardName(name)) continue;
      const failed = decodeMember(decoded, foldName(name), { value, bytes });
      if (failed !== undefined) return { kind: 'error', error: failed };
    }
  } else if (root.kind !== 'null') {
    decoded.reportError(goTypeError(root.kind, 'oidc.idToken'));
  }
  if (decoded.firstError !== undefined) return { kind: 'error', error: decoded.firstError };
  const { issuer, audience, expiry, notBefore } = decoded;
  return {
    kind: 'claims',
    claims: { issuer, audience, expiry, notBefore, sourceError: findSourceError(decoded) },
  };
};

/**
 * Decodes the issuer as kube-apiserver does before it verifies a token: only `iss` is read, and if
 * its type is wrong no authenticator accepts the token (`undefined`).
 */
export const decodeIssuer = (root: JsonNode): string | undefined => {
  if (root.kind === 'null') return '';
  if (root.kind !== 'object') return undefined;
  let issuer = '';
  for (const { name, value } of root.members) {
    if (!isSpellingOf(name, 'iss') || value.kind === 'null') continue;
    if (value.kind !== 'string') return undefined;
    issuer = value.text;
  }
  return issuer;
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

/** Standard names by length, which excludes most other names quickly. */
const namesByLength: readonly (readonly string[])[] = Array.from({ length: 16 }, (_, length) =>
  [...standardNames].filter((name) => name.length === length),
);

/** A bit set of the lengths of standard names, none of which is above 31. */
const standardLengths = [...standardNames].reduce((bits, name) => bits | (1 << name.length), 0);

const hasStandardLength = ({ length }: string): boolean =>
  length < 32 && ((standardLengths >>> length) & 1) === 1;

/**
 * Returns true if the name is a standard one, ignoring case. Case folding never changes the length
 * of these names.
 */
const isStandardName = (name: string): boolean => {
  const candidates = namesByLength[name.length];
  if (candidates === undefined) return false;
  for (const standard of candidates) {
    if (isSpellingOf(name, standard)) return true;
  }
  return false;
};

const isSpellingOf = (name: string, standard: string): boolean => {
  if (name.length !== standard.length) return false;
  for (let at = 0; at < standard.length; at += 1) {
    if (foldCode(name.charCodeAt(at)) !== standard.charCodeAt(at)) return false;
  }
  return true;
};

/** Folds case like `foldName`; no standard name contains a k. */
const foldCode = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === 0x17f ? 0x73 : code;
};

const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isPlainSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** The decoded claims and the first type error. */
class Decoding {
  issuer = '';
  audience: readonly string[] = [];
  expiry: GoSeconds = goZeroTime;
  notBefore: GoSeconds | undefined;
  firstError: string | undefined;
  names = new Map<string, string>();
  sources = new Set<string>();

  reportError(error: string): void {
    this.firstError ??= error;
  }
}

interface Member {
  readonly value: JsonNode;
  readonly bytes: Uint8Array;
}

/**
 * Decodes a member. Returns an error that ends the decoding; a type error is stored and decoding
 * continues.
 */
const decodeMember = (decoded: Decoding, name: string, member: Member): string | undefined => {
  const { value } = member;
  switch (name) {
    case 'iss':
      if (value.kind === 'string') decoded.issuer = value.text;
      else reportNotString(decoded, name, value);
      return undefined;
    case 'sub':
    case 'nonce':
    case 'at_hash':
      if (value.kind !== 'string') reportNotString(decoded, name, value);
      return undefined;
    case 'aud':
      return decodeAudience(decoded, value);
    case 'exp':
    case 'iat':
    case 'nbf': {
      if (name === 'nbf' && value.kind === 'null') {
        decoded.notBefore = undefined;
        return undefined;
      }
      const seconds = decodeSeconds(name, member);
      if (typeof seconds === 'string') return seconds;
      if (name === 'exp') decoded.expiry = seconds;
      if (name === 'nbf') decoded.notBefore = seconds;
      return undefined;
    }
    case '_claim_names':
      decodeNames(decoded, value);
      return undefined;
    case '_claim_sources':
      decodeSources(decoded, value);
      return undefined;
    default:
      return undefined;
  }
};

const reportNotString = (decoded: Decoding, name: string, value: JsonNode): void => {
  if (value.kind !== 'null') {
    decoded.reportError(goFieldTypeError(value.kind, `idToken.${name}`, 'string'));
  }
};

const decodeAudience = (decoded: Decoding, value: JsonNode): string | undefined => {
  if (value.kind === 'string') decoded.audience = [value.text];
  else if (value.kind === 'null') decoded.audience = [''];
  else if (value.kind === 'array') {
    const mistyped = value.items.find((item) => item.kind !== 'string' && item.kind !== 'null');
    if (mistyped !== undefined) return goFieldTypeError(mistyped.kind, 'idToken.aud', 'string');
    decoded.audience = value.items.map((item) => (item.kind === 'string' ? item.text : ''));
  } else return goFieldTypeError(value.kind, 'idToken.aud', '[]string');
  return undefined;
};

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Returns the seconds, or the error message. */
const decodeSeconds = (name: string, { value, bytes }: Member): GoSeconds | string => {
  if (value.kind === 'null') return 'strconv.ParseFloat: parsing "": invalid syntax';
  if (value.kind === 'number') return secondsOf(value.literal);
  if (value.kind !== 'string') {
    return goFieldTypeError(value.kind, `idToken.${name}`, 'json.Number');
  }
  return jsonNumber.test(value.text)
    ? secondsOf(value.text)
    : `json: invalid number literal, trying to unmarshal ${goQuote(rawJson(bytes, value))} into Number`;
};

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

const secondsOf = (literal: string): GoSeconds | string => {
  if (/^-?[0-9]+$/.test(literal)) {
    const exact = BigInt(literal);
    if (exact >= minInt64 && exact <= maxInt64) return narrow(exact);
  }
  const double = Number(literal);
  if (!Number.isFinite(double)) {
    return `strconv.ParseFloat: parsing ${goQuote(literal)}: value out of range`;
  }
  // A value outside of 64 bits becomes the minimum, whatever its sign.
  const seconds = BigInt(Math.trunc(double));
  return seconds < minInt64 || seconds > maxInt64 ? minInt64 : narrow(seconds);
};

const narrow = (value: bigint): GoSeconds =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;

/** Decodes `_claim_names`; duplicates are merged. */
const decodeNames = (decoded: Decoding, value: JsonNode): void => {
  if (value.kind === 'null') decoded.names = new Map();
  else if (value.kind !== 'object') {
    decoded.reportError(goFieldTypeError(value.kind, 'idToken._claim_names', 'map[string]string'));
  } else {
    for (const { name, value: source } of value.members) {
      decoded.names.set(name, source.kind === 'string' ? source.text : '');
      if (source.kind !== 'string') reportNotString(decoded, '_claim_names', source);
    }
  }
};

const decodeSources = (decoded: Decoding, value: JsonNode): void => {
  const field = 'idToken._claim_sources';
  if (value.kind === 'null') decoded.sources = new Set();
  else if (value.kind !== 'object') {
    decoded.reportError(goFieldTypeError(value.kind, field, 'map[string]oidc.claimSource'));
  } else {
    for (const { name, value: source } of value.members) {
      decoded.sources.add(name);
      if (source.kind === 'object') reportSourceErrors(decoded, source);
      else if (source.kind !== 'null') {
        decoded.reportError(goFieldTypeError(source.kind, field, 'oidc.claimSource'));
      }
    }
  }
};

const reportSourceErrors = (
  decoded: Decoding,
  source: Extract<JsonNode, { kind: 'object' }>,
): void => {
  for (const { name, value } of source.members) {
    const folded = foldName(name);
    if (folded !== 'endpoint' && folded !== 'access_token') continue;
    if (value.kind === 'string' || value.kind === 'null') continue;
    const field = `claimSource._claim_sources.${folded}`;
    decoded.reportError(goFieldTypeError(value.kind, field, 'string'));
  }
};

const findSourceError = ({ names, sources }: Decoding): string | undefined => {
  for (const source of names.values()) {
    if (source === '') return 'oidc: failed to obtain source from claim name';
    if (!sources.has(source)) return 'oidc: source does not exist';
  }
  return undefined;
};
