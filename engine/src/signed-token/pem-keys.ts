/**
 * Reads RSA and ECDSA public keys from PEM blocks with public keys, private keys or certificates,
 * as kube-apiserver does for key files. Blocks without a key and text between blocks are ignored.
 * Private keys are parsed by a port, which returns their public half.
 */
import { encodeBase64Url } from '../formats/base64.ts';
import { certificateProblem } from '../formats/x509/certificate.ts';
import { DerReader, derTag } from '../formats/x509/der.ts';
import { pemBlocks } from '../formats/x509/pem.ts';
import type { PrivateKeys } from '../ports/private-keys.ts';
import { curveNamed, type EllipticCurve, isOnCurve } from './elliptic-curve.ts';
import { type ParsedPublicKey, readCertificatePublicKey, readPublicKeyInfo } from './public-key.ts';

/** A public key as JWK members and in DER, which determines its ID. */
export interface PemKey {
  readonly jwk: RsaJwk | EllipticJwk;
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array;
}

export type RsaJwk = { readonly kty: 'RSA'; readonly n: string; readonly e: string };

export type EllipticJwk = {
  readonly kty: 'EC';
  readonly crv: EllipticCurve['name'];
  readonly x: string;
  readonly y: string;
};

/** Returns the keys in the order of their blocks. */
export const readPemKeys = (text: string, privateKeys: PrivateKeys): readonly PemKey[] =>
  pemBlocks(text).flatMap(({ bytes }) => {
    const read = privateKeys.publicHalfOf(bytes) ?? readPublicKey(bytes);
    const key = read && pemKeyOf(read);
    return key === undefined ? [] : [key];
  });

const pemKeyOf = (key: ParsedPublicKey): PemKey | undefined => {
  switch (key.kind) {
    case 'RSA':
      return rsaKey(key.n, key.e);
    case 'EC':
      return ellipticKey(key.curve, key.point);
    case 'other':
      return undefined;
  }
};

const rsaId = '1.2.840.113549.1.1.1';
const ellipticId = '1.2.840.10045.2.1';

interface NamedCurve {
  readonly id: string;
  readonly name: EllipticCurve['name'];
}

const namedCurves: readonly NamedCurve[] = [
  { id: '1.2.840.10045.3.1.7', name: 'P-256' },
  { id: '1.3.132.0.34', name: 'P-384' },
  { id: '1.3.132.0.35', name: 'P-521' },
];

const readPublicKey = (der: Uint8Array): ParsedPublicKey | undefined => {
  const outer = new DerReader(der);
  const content = outer.read(derTag.sequence);
  const bare = content !== undefined && outer.isEmpty ? readPublicKeyInfo(content) : undefined;
  return bare === undefined || bare.kind === 'other' ? keyOfCertificate(der) : bare;
};

const keyOfCertificate = (der: Uint8Array): ParsedPublicKey | undefined =>
  certificateProblem(der) === undefined ? readCertificatePublicKey(der) : undefined;

const rsaKey = (n: bigint, e: bigint): PemKey | undefined => {
  if (n <= 0n || e <= 0n) return undefined;
  const [modulus, exponent] = [bytesOf(n), bytesOf(e)];
  const numbers = element(derTag.sequence, integer(modulus), integer(exponent));
  return {
    jwk: { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) },
    spki: publicKeyInfo([objectId(rsaId), Uint8Array.of(5, 0)], numbers),
  };
};

const ellipticKey = (name: string, point: Uint8Array): PemKey | undefined => {
  const curve = curveNamed(name);
  const named = namedCurves.find((candidate) => candidate.name === name);
  if (curve === undefined || named === undefined) return undefined;
  // 4: both coordinates follow, uncompressed.
  if (point[0] !== 4 || point.length !== 1 + 2 * curve.size) return undefined;
  const x = point.subarray(1, 1 + curve.size);
  const y = point.subarray(1 + curve.size);
  if (!isOnCurve(curve, x, y)) return undefined;
  return {
    jwk: { kty: 'EC', crv: curve.name, x: encodeBase64Url(x), y: encodeBase64Url(y) },
    spki: publicKeyInfo([objectId(ellipticId), objectId(named.id)], point),
  };
};

const publicKeyInfo = (algorithm: readonly Uint8Array[], key: Uint8Array): Uint8Array =>
  element(
    derTag.sequence,
    element(derTag.sequence, ...algorithm),
    element(derTag.bitString, Uint8Array.of(0), key),
  );

const element = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = parts.flatMap((part) => [...part]);
  const { length } = content;
  const digits = bytesOf(BigInt(length));
  const head = length < 0x80 ? [length] : [0x80 + digits.length, ...digits];
  return Uint8Array.from([tag, ...head, ...content]);
};

/** Encodes a positive number, with a zero byte if its first bit would make it negative. */
const integer = (bytes: Uint8Array): Uint8Array =>
  element(derTag.integer, ...((bytes[0] ?? 0) >= 0x80 ? [Uint8Array.of(0)] : []), bytes);

const objectId = (text: string): Uint8Array => {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const digits = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return element(derTag.objectId, Uint8Array.from(digits));
};

/** Returns the big-endian bytes without leading zeros. */
const bytesOf = (value: bigint): Uint8Array => {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
};
