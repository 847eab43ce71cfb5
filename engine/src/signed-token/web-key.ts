/**
 * Parses a JSON Web Key as go-jose v2 does: member names match exactly, must not be duplicated, and
 * every malformed value has its error message. Private and symmetric keys are valid, but never
 * verify a signature.
 */
import { decodeGoBase64, encodeBase64Url } from '../formats/base64.ts';
import { goTypeError } from '../formats/go-json.ts';
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
  try {
    return { kind: 'key', key: buildKey(readMembers(node)) };
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

interface RawKey {
  readonly strings: ReadonlyMap<string, string>;
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  readonly certificates: readonly string[];
}

const stringMembers = new Set(['use', 'kty', 'kid', 'crv', 'alg', 'x5t', 'x5t#S256']);
const byteMembers = new Set(['k', 'x', 'y', 'n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']);

/**
 * Reads the members. The first type error is reported at the end; an invalid value is reported
 * immediately.
 */
const readMembers = (node: JsonNode): RawKey => {
  const strings = new Map<string, string>();
  const bytes = new Map<string, Uint8Array>();
  let certificates: readonly string[] = [];
  let firstTypeError: string | undefined;
  const reportTypeError = (kind: string, type: string): void => {
    // Go's decoder stops at a number of the wrong type and continues after any other type error.
    if (kind === 'number') fail(goTypeError(kind, type));
    firstTypeError ??= goTypeError(kind, type);
  };
  if (node.kind === 'null') return { strings, bytes, certificates };
  if (node.kind !== 'object') return fail(goTypeError(node.kind, 'jose.rawJSONWebKey'));
  const seen = new Set<string>();
  for (const { name, value } of node.members) {
    if (seen.has(name)) fail(`json: duplicate key '${name}' in object`);
    seen.add(name);
    if (value.kind === 'null') continue;
    if (stringMembers.has(name)) {
      if (value.kind === 'string') strings.set(name, value.text);
      else reportTypeError(value.kind, 'string');
    } else if (byteMembers.has(name)) bytes.set(name, readBytes(value));
    else if (name === 'x5c') certificates = readStrings(value, reportTypeError);
    else if (name === 'x5u' && value.kind !== 'object') reportTypeError(value.kind, 'url.URL');
  }
  if (firstTypeError !== undefined) fail(firstTypeError);
  return { strings, bytes, certificates };
};

const readBytes = (value: JsonNode): Uint8Array => {
  if (value.kind !== 'string') return fail(goTypeError(value.kind, 'string'));
  const decoded = decodeGoBase64(value.text, { alphabet: 'url', padding: 'none' });
  return decoded.kind === 'error' ? fail(decoded.error) : decoded.bytes;
};

const readStrings = (
  value: JsonNode,
  reportTypeError: (kind: string, type: string) => void,
): readonly string[] => {
  if (value.kind !== 'array') {
    reportTypeError(value.kind, '[]string');
    return [];
  }
  return value.items.map((item) => {
    if (item.kind !== 'string' && item.kind !== 'null') reportTypeError(item.kind, 'string');
    return item.kind === 'string' ? item.text : '';
  });
};

const buildKey = (raw: RawKey): WebKey => {
  const chain = readChain(raw.certificates);
  if (chain.error !== undefined) {
    fail(`go-jose/go-jose: failed to unmarshal x5c field: ${chain.error}`);
  }
  const publicJwk = readPublicKey(raw, chain.leafKey);
  return {
    keyId: raw.strings.get('kid') ?? '',
    use: raw.strings.get('use') ?? '',
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

const readPublicKey = (raw: RawKey, certificateKey: PublicKey | undefined): WebKey['publicJwk'] => {
  const type = raw.strings.get('kty') ?? '';
  switch (type) {
    case 'EC':
      return readEllipticKey(raw, certificateKey);
    case 'RSA':
      return readRsaKey(raw, certificateKey);
    case 'oct':
      if (certificateKey !== undefined) {
        fail("go-jose/go-jose: invalid JWK, found 'oct' (symmetric) key with cert chain");
      }
      if (!raw.bytes.has('k')) {
        fail('go-jose/go-jose: invalid OCT (symmetric) key, missing k value');
      }
      return undefined;
    case 'OKP':
      if (raw.strings.get('crv') !== 'Ed25519' || !raw.bytes.has('x')) {
        fail(`go-jose/go-jose: unknown curve ${raw.strings.get('crv') ?? ''}'`);
      }
      return undefined;
    default:
      return fail(`go-jose/go-jose: unknown json web key type '${type}'`);
  }
};

const readRsaKey = (raw: RawKey, certificateKey: PublicKey | undefined): WebKey['publicJwk'] => {
  const n = raw.bytes.get('n');
  const e = raw.bytes.get('e');
  if (raw.bytes.has('d')) {
    const missing = ['n', 'e', 'd', 'p', 'q'].find((name) => !raw.bytes.has(name));
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
  raw: RawKey,
  certificateKey: PublicKey | undefined,
): WebKey['publicJwk'] => {
  const curveName = raw.strings.get('crv') ?? '';
  const isPrivate = raw.bytes.has('d');
  const curve = curveNamed(curveName);
  if (curve === undefined) {
    return fail(`go-jose/go-jose: unsupported elliptic curve '${curveName}'`);
  }
  const x = raw.bytes.get('x');
  const y = raw.bytes.get('y');
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
    ['d', raw.bytes.get('d')],
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
  raw: RawKey,
  { member, size }: { readonly member: string; readonly size: number },
): Uint8Array => {
  const decoded = decodeGoBase64(raw.strings.get(member) ?? '', {
    alphabet: 'url',
    padding: 'none',
  });
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
