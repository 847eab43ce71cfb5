/**
 * Parses a JSON Web Key as go-jose v2 does: member names match exactly, must not be duplicated, and
 * every malformed value has its error message. Private and symmetric keys are valid, but never
 * verify a signature.
 */
import { decodeGoBase64, encodeBase64Url } from '../formats/base64.ts';
import { goTypeError } from '../formats/go-json.ts';
import { decodeObject, type Fields } from '../formats/go-struct/decode.ts';
import { stringField, stringListField } from '../formats/go-struct/fields.ts';
import {
  type CustomShape,
  DecodeError,
  string,
  stringList,
  struct,
} from '../formats/go-struct/shape.ts';
import type { JsonNode } from '../formats/json-with-positions.ts';
import { readCertificate } from '../formats/x509/certificate.ts';
import { bytesToBigInt } from '../formats/x509/der.ts';
import { curveNamed, type EllipticCurve, isOnCurve } from '../formats/x509/elliptic-curve.ts';
import { type PublicKey, uncompressed } from '../formats/x509/public-key.ts';

export interface WebKey {
  readonly keyId: string;
  readonly use: string;
  /** The public members as a JWK; `undefined` if the key cannot verify tokens. */
  readonly publicJwk: Readonly<Record<string, string>> | undefined;
  /** The first certificate of `x5c`, and its digests according to `x5t` and `x5t#S256`. */
  readonly certificate: Uint8Array | undefined;
  readonly sha1: Uint8Array;
  readonly sha256: Uint8Array;
}

export type WebKeyReading =
  | { readonly kind: 'key'; readonly key: WebKey }
  | { readonly kind: 'error'; readonly error: string };

/** Parses a key from its JSON tree. */
export const readWebKey = (node: JsonNode): WebKeyReading => {
  const raw = decodeObject(node, webKeyShape, 'go-jose');
  if (raw.kind === 'error') return { kind: 'error', error: raw.message };
  try {
    return { kind: 'key', key: buildKey(raw.fields) };
  } catch (cause) {
    if (cause instanceof WebKeyError) return { kind: 'error', error: cause.message };
    throw cause;
  }
};

/** Thrown for an invalid key; caught in this file. */
class WebKeyError extends Error {}

const fail = (message: string): never => {
  throw new WebKeyError(message);
};

const urlBase64 = { alphabet: 'url', padding: 'none' } as const;

/** The shape of a member with bytes in base64url; the value is still encoded. */
const encodedBytes: CustomShape = {
  kind: 'custom',
  decode(value) {
    if (value.kind === 'null') return undefined;
    if (value.kind !== 'string') return new DecodeError(goTypeError(value.kind, 'string'));
    const decoded = decodeGoBase64(value.text, urlBase64);
    return decoded.kind === 'error' ? new DecodeError(decoded.error) : value.text;
  },
};

const stringMembers = ['use', 'kty', 'kid', 'crv', 'alg', 'x5t', 'x5t#S256'];
const byteMembers = ['k', 'x', 'y', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

const webKeyShape = struct(
  'jose.rawJSONWebKey',
  ...stringMembers.map((name) => [name, string] as const),
  ...byteMembers.map((name) => [name, encodedBytes] as const),
  ['x5c', stringList],
  ['x5u', struct('url.URL')],
);

const bytesOf = (raw: Fields, name: string): Uint8Array | undefined => {
  if (!raw.has(name)) return undefined;
  const decoded = decodeGoBase64(stringField(raw, name), urlBase64);
  return decoded.kind === 'bytes' ? decoded.bytes : undefined;
};

const buildKey = (raw: Fields): WebKey => {
  const chain = readChain(stringListField(raw, 'x5c'));
  if (chain.error !== undefined) {
    fail(`go-jose/go-jose: failed to unmarshal x5c field: ${chain.error}`);
  }
  const publicJwk = readPublicKey(raw, chain.leafKey);
  return {
    keyId: stringField(raw, 'kid'),
    use: stringField(raw, 'use'),
    publicJwk,
    certificate: chain.leaf,
    sha1: readThumbprint(raw, { member: 'x5t', size: 20 }),
    sha256: readThumbprint(raw, { member: 'x5t#S256', size: 32 }),
  };
};

export interface CertificateChain {
  readonly leaf?: Uint8Array;
  readonly leafKey?: PublicKey;
  readonly error?: string;
}

/** Parses a chain of certificates in standard base64, the leaf first. */
export const readChain = (encoded: readonly string[]): CertificateChain => {
  let first: CertificateChain = {};
  for (const [index, text] of encoded.entries()) {
    const der = decodeGoBase64(text, { alphabet: 'standard', padding: 'required' });
    if (der.kind === 'error') return { error: der.error };
    const certificate = readCertificate(der.bytes);
    if (typeof certificate === 'string') return { error: certificate };
    if (index > 0) continue;
    const { publicKey } = certificate;
    first = { leaf: der.bytes, ...(publicKey === undefined ? {} : { leafKey: publicKey }) };
  }
  return first;
};

const readPublicKey = (raw: Fields, certificateKey: PublicKey | undefined): WebKey['publicJwk'] => {
  const type = stringField(raw, 'kty');
  switch (type) {
    case 'EC':
      return readEllipticKey(raw, certificateKey);
    case 'RSA':
      return readRsaKey(raw, certificateKey);
    case 'oct':
      if (certificateKey !== undefined) {
        fail("go-jose/go-jose: invalid JWK, found 'oct' (symmetric) key with cert chain");
      }
      if (!raw.has('k')) {
        fail('go-jose/go-jose: invalid OCT (symmetric) key, missing k value');
      }
      return undefined;
    case 'OKP':
      if (stringField(raw, 'crv') !== 'Ed25519' || !raw.has('x')) {
        fail(`go-jose/go-jose: unknown curve ${stringField(raw, 'crv')}'`);
      }
      return undefined;
    default:
      return fail(`go-jose/go-jose: unknown json web key type '${type}'`);
  }
};

const readRsaKey = (raw: Fields, certificateKey: PublicKey | undefined): WebKey['publicJwk'] => {
  const n = bytesOf(raw, 'n');
  const e = bytesOf(raw, 'e');
  if (raw.has('d')) {
    const missing = ['n', 'e', 'd', 'p', 'q'].find((name) => !raw.has(name));
    if (missing !== undefined) {
      fail(`go-jose/go-jose: invalid RSA private key, missing ${missing.toUpperCase()} value(s)`);
    }
    return undefined;
  }
  if (n === undefined || e === undefined) {
    return fail('go-jose/go-jose: invalid RSA key, missing n/e values');
  }
  if (certificateKey !== undefined) {
    const same =
      certificateKey.kind === 'RSA' &&
      certificateKey.n === bytesToBigInt(n) &&
      certificateKey.e === bytesToBigInt(e);
    if (!same) failMismatch();
  }
  return { kty: 'RSA', n: encodeBase64Url(withoutZeros(n)), e: encodeBase64Url(withoutZeros(e)) };
};

const readEllipticKey = (
  raw: Fields,
  certificateKey: PublicKey | undefined,
): WebKey['publicJwk'] => {
  const curveName = stringField(raw, 'crv');
  const isPrivate = raw.has('d');
  const curve = curveNamed(curveName);
  if (curve === undefined) {
    return fail(`go-jose/go-jose: unsupported elliptic curve '${curveName}'`);
  }
  const x = bytesOf(raw, 'x');
  const y = bytesOf(raw, 'y');
  if (x === undefined || y === undefined) {
    return fail(
      isPrivate
        ? 'go-jose/go-jose: invalid EC private key, missing x/y/d values'
        : 'go-jose/go-jose: invalid EC key, missing x/y values',
    );
  }
  const kind = isPrivate ? 'private' : 'public';
  const lengths: readonly (readonly [string, Uint8Array | undefined])[] = [
    ['x', x],
    ['y', y],
    ['d', bytesOf(raw, 'd')],
  ];
  for (const [name, bytes] of lengths) {
    if (bytes !== undefined && bytes.length !== curve.size) {
      fail(`go-jose/go-jose: invalid EC ${kind} key, wrong length for ${name}`);
    }
  }
  if (!isOnCurve(curve, x, y)) {
    fail('go-jose/go-jose: invalid EC key, X/Y are not on declared curve');
  }
  if (certificateKey !== undefined && !isCertifiedPoint(certificateKey, curve, { x, y }))
    failMismatch();
  if (isPrivate) return undefined;
  return { kty: 'EC', crv: curve.name, x: encodeBase64Url(x), y: encodeBase64Url(y) };
};

const isCertifiedPoint = (
  certificateKey: PublicKey,
  curve: EllipticCurve,
  { x, y }: { readonly x: Uint8Array; readonly y: Uint8Array },
): boolean =>
  certificateKey.kind === 'ECDSA' &&
  certificateKey.curve === curve.name &&
  bytesToBigInt(certificateKey.point) === bytesToBigInt(Uint8Array.of(uncompressed, ...x, ...y));

const failMismatch = (): never =>
  fail('go-jose/go-jose: invalid JWK, public keys in key and x5c fields to not match');

/** Decodes a digest: bytes in base64url, or hex digits in base64url. */
const readThumbprint = (
  raw: Fields,
  { member, size }: { readonly member: string; readonly size: number },
): Uint8Array => {
  const decoded = decodeGoBase64(stringField(raw, member), urlBase64);
  if (decoded.kind === 'error') {
    return fail(`go-jose/go-jose: invalid JWK, ${member} header has invalid encoding`);
  }
  const { bytes } = decoded;
  if (bytes.length === 2 * size) return readHex(bytes, member);
  if (bytes.length !== 0 && bytes.length !== size) {
    fail(`go-jose/go-jose: invalid JWK, ${member} header is of incorrect size`);
  }
  return bytes;
};

const readHex = (letters: Uint8Array, member: string): Uint8Array => {
  const digits = Array.from(letters, (letter) => Number.parseInt(String.fromCharCode(letter), 16));
  const firstInvalid = digits.findIndex((digit) => Number.isNaN(digit));
  if (firstInvalid >= 0) {
    const code = letters[firstInvalid] ?? 0;
    fail(
      `go-jose/go-jose: invalid JWK, unable to hex decode ${member}: encoding/hex: invalid byte: ${goUnicode(code)}`,
    );
  }
  return Uint8Array.from({ length: letters.length / 2 }, (_, at) => {
    const [high = 0, low = 0] = [digits[2 * at], digits[2 * at + 1]];
    return high * 16 + low;
  });
};

/** Formats a character like Go: `U+007A 'z'`. */
const goUnicode = (code: number): string => {
  const character = String.fromCharCode(code);
  const shown = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? ` '${character}'` : '';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${shown}`;
};

const withoutZeros = (bytes: Uint8Array): Uint8Array => {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? bytes : bytes.subarray(first);
};
