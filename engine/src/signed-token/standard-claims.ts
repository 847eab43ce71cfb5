/**
 * Decodes the claims that go-oidc reads, with the rules of Go's decoder: names match ignoring case
 * and the last one is used, `exp` and `nbf` may be quoted numbers, and wrong types have specific
 * messages. Common claims take a fast path; others go through `decodeStandardClaims`, which handles
 * order, duplicates and all errors.
 */
import { goFieldTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import { decodeObject, type Fields } from '../formats/go-struct/decode.ts';
import {
  mapField,
  numberField,
  stringField,
  stringListField,
} from '../formats/go-struct/fields.ts';
import {
  type CustomShape,
  DecodeError,
  map,
  string,
  stringMap,
  struct,
} from '../formats/go-struct/shape.ts';
import { type GoSeconds, goZeroTime } from '../formats/go-time.ts';
import { type JsonNode, type PlainValue, rawJson } from '../formats/json-with-positions.ts';
import type { JsonObject } from '../formats/json-with-shape.ts';

export interface StandardClaims {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Year 1 if absent. */
  readonly expiry: GoSeconds;
  readonly notBefore: GoSeconds | undefined;
  /** The error if `_claim_names` refers to a missing source, worded to follow `oidc: `. */
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
  const decoded = decodeObject(root, idTokenShape, 'encoding/json', bytes);
  if (decoded.kind === 'error') return { kind: 'error', error: decoded.message };
  const { fields } = decoded;
  return {
    kind: 'claims',
    claims: {
      issuer: stringField(fields, 'iss'),
      audience: stringListField(fields, 'aud'),
      expiry: numberField(fields, 'exp') ?? goZeroTime,
      notBefore: numberField(fields, 'nbf'),
      sourceError: findSourceError(fields),
    },
  };
};

/**
 * Decodes the issuer as kube-apiserver does before it verifies a token: only `iss` is read, and if
 * its type is wrong no authenticator accepts the token (`undefined`).
 */
export const decodeIssuer = (root: JsonNode): string | undefined => {
  const decoded = decodeObject(root, issuerShape, 'encoding/json');
  return decoded.kind === 'error' ? undefined : stringField(decoded.fields, 'iss');
};

const issuerShape = struct('struct { Issuer string "json:\\"iss\\"" }', ['iss', string]);

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

/** Folds case like Go's decoder; no standard name contains a k. */
const foldCode = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  return code === 0x17f ? 0x73 : code;
};

const isStringList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isPlainSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const decodeAudience = (value: PlainValue): readonly string[] | DecodeError => {
  if (value.kind === 'string') return [value.text];
  if (value.kind === 'null') return [''];
  if (value.kind !== 'array') {
    return new DecodeError(goFieldTypeError(value.kind, 'idToken.aud', '[]string'));
  }
  const mistyped = value.items.find((item) => item.kind !== 'string' && item.kind !== 'null');
  return mistyped === undefined
    ? value.items.map((item) => (item.kind === 'string' ? item.text : ''))
    : new DecodeError(goFieldTypeError(mistyped.kind, 'idToken.aud', 'string'));
};

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

const decodeSeconds = (
  name: string,
  value: PlainValue,
  bytes: Uint8Array,
): GoSeconds | DecodeError => {
  if (value.kind === 'null') {
    return new DecodeError('strconv.ParseFloat: parsing "": invalid syntax');
  }
  if (value.kind === 'number') return secondsOf(value.literal);
  if (value.kind !== 'string') {
    return new DecodeError(goFieldTypeError(value.kind, `idToken.${name}`, 'json.Number'));
  }
  return jsonNumber.test(value.text)
    ? secondsOf(value.text)
    : new DecodeError(
        `json: invalid number literal, trying to unmarshal ${goQuote(rawJson(bytes, value))} into Number`,
      );
};

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

const secondsOf = (literal: string): GoSeconds | DecodeError => {
  if (/^-?[0-9]+$/.test(literal)) {
    const exact = BigInt(literal);
    if (exact >= minInt64 && exact <= maxInt64) return narrow(exact);
  }
  const double = Number(literal);
  if (!Number.isFinite(double)) {
    return new DecodeError(`strconv.ParseFloat: parsing ${goQuote(literal)}: value out of range`);
  }
  // A value outside of 64 bits becomes the minimum, whatever its sign.
  const seconds = BigInt(Math.trunc(double));
  return seconds < minInt64 || seconds > maxInt64 ? minInt64 : narrow(seconds);
};

const narrow = (value: bigint): GoSeconds =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;

const claimSourceShape = struct('oidc.claimSource', ['endpoint', string], ['access_token', string]);

const secondsShape = (name: string): CustomShape => ({
  kind: 'custom',
  decode: (value, source) => decodeSeconds(name, value, source),
});

/** The claims that go-oidc decodes. */
const idTokenShape = struct(
  'oidc.idToken',
  ['iss', string],
  ['sub', string],
  ['aud', { kind: 'custom', decode: decodeAudience }],
  ['exp', secondsShape('exp')],
  ['iat', secondsShape('iat')],
  ['nbf', { ...secondsShape('nbf'), isPointer: true }],
  ['nonce', string],
  ['at_hash', string],
  ['_claim_names', stringMap],
  ['_claim_sources', map('map[string]oidc.claimSource', claimSourceShape)],
);

const findSourceError = (fields: Fields): string | undefined => {
  const names = mapField(fields, '_claim_names');
  const sources = mapField(fields, '_claim_sources');
  for (const name of names.keys()) {
    const source = stringField(names, name);
    if (source === '') return 'failed to obtain source from claim name';
    if (!sources.has(source)) return 'source does not exist';
  }
  return undefined;
};
