/**
 * RSA and ECDSA public keys out of PEM text: of public keys, private keys and certificates, as the
 * real server finds them in key files. A block that holds none is passed over; the words around a
 * block do not matter. An ECDSA private key counts in its own form alone, not in the wrapping of
 * PKCS #8: so it is there.
 */
import { encodeBase64Url } from '../formats/base64.ts';
import { certificateProblem } from '../formats/certificate.ts';
import { bytesToBigInt, DerReader, derTag } from '../formats/der.ts';
import { pemBlocks } from '../formats/pem.ts';
import { type CertificateKey, readCertificateKey, readPublicKeyInfo } from './certificate.ts';
import { curveNamed, type EllipticCurve, isOnCurve, publicPoint } from './elliptic-curve.ts';

/** A public key as JWK members and as DER, from which its id is made. */
export interface PemKey {
  readonly jwk: RsaJwk | EllipticJwk;
  /** SubjectPublicKeyInfo. */
  readonly info: Uint8Array;
}

export type RsaJwk = { readonly kty: 'RSA'; readonly n: string; readonly e: string };

export type EllipticJwk = {
  readonly kty: 'EC';
  readonly crv: EllipticCurve['name'];
  readonly x: string;
  readonly y: string;
};

/** In the order of their blocks; empty where there is none. */
export const readPemKeys = (text: string): readonly PemKey[] =>
  pemBlocks(text).flatMap(({ bytes }) => {
    const key =
      readRsaPrivateKey(bytes) ??
      readWrappedRsaKey(bytes) ??
      readPublicKey(bytes) ??
      readEllipticPrivateKey(bytes);
    return key === undefined ? [] : [key];
  });

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

/** RFC 8017 A.1.2. */
const readRsaPrivateKey = (der: Uint8Array): PemKey | undefined => {
  const outer = new DerReader(der);
  const content = outer.read(derTag.sequence);
  if (content === undefined || !outer.isEmpty) return undefined;
  const reader = new DerReader(content);
  const version = reader.readInteger();
  if (version === undefined || version > 1n) return undefined;
  const [n, e, d, p, q] = Array.from({ length: 5 }, () => reader.readInteger());
  if (n === undefined || e === undefined || d === undefined) return undefined;
  if (p === undefined || q === undefined || [n, e, d, p, q].some((part) => part <= 0n)) {
    return undefined;
  }
  const rest = Array.from({ length: 3 }, () => reader.readInteger());
  if (rest.includes(undefined)) return undefined;
  const primes = [p, q, ...otherPrimes(reader)];
  return belongTogether({ n, e, d, primes }) ? rsaKey(n, e) : undefined;
};

const otherPrimes = (reader: DerReader): readonly bigint[] => {
  const list = reader.read(derTag.sequence);
  if (list === undefined) return [];
  const primes: bigint[] = [];
  const infos = new DerReader(list);
  while (!infos.isEmpty) {
    const info = infos.read(derTag.sequence);
    // A zero is no factor of anything: such a key is none.
    primes.push((info && new DerReader(info).readInteger()) ?? 0n);
    if (info === undefined) break;
  }
  return primes;
};

const belongTogether = (key: {
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly primes: readonly bigint[];
}): boolean => {
  const { n, e, d, primes } = key;
  const product = primes.reduce((left, right) => left * right, 1n);
  return product === n && primes.every((prime) => prime > 1n && (d * e) % (prime - 1n) === 1n);
};

/** PKCS #8 around an RSA key. */
const readWrappedRsaKey = (der: Uint8Array): PemKey | undefined => {
  const content = new DerReader(der).read(derTag.sequence);
  if (content === undefined) return undefined;
  const reader = new DerReader(content);
  const version = reader.readInteger();
  const algorithm = reader.read(derTag.sequence);
  const key = reader.read(derTag.octetString);
  if (version === undefined || algorithm === undefined || key === undefined) return undefined;
  return new DerReader(algorithm).readObjectId() === rsaId ? readRsaPrivateKey(key) : undefined;
};

const readPublicKey = (der: Uint8Array): PemKey | undefined => {
  const outer = new DerReader(der);
  const content = outer.read(derTag.sequence);
  const bare = content !== undefined && outer.isEmpty ? readPublicKeyInfo(content) : undefined;
  const key = bare === undefined || bare.kind === 'other' ? keyOfCertificate(der) : bare;
  if (key === undefined || key.kind === 'other') return undefined;
  return key.kind === 'RSA' ? rsaKey(key.n, key.e) : ellipticKey(key.curve, key.point);
};

const keyOfCertificate = (der: Uint8Array): CertificateKey | undefined =>
  certificateProblem(der) === undefined ? readCertificateKey(der) : undefined;

/** RFC 5915: the public half is made anew, whatever stands beside the private one. */
const readEllipticPrivateKey = (der: Uint8Array): PemKey | undefined => {
  const content = new DerReader(der).read(derTag.sequence);
  if (content === undefined) return undefined;
  const reader = new DerReader(content);
  if (reader.readInteger() !== 1n) return undefined;
  const secretBytes = reader.read(derTag.octetString);
  const parameters = reader.read(explicitZero);
  if (secretBytes === undefined || parameters === undefined) return undefined;
  const id = new DerReader(parameters).readObjectId();
  const named = namedCurves.find((curve) => curve.id === id);
  const curve = named && curveNamed(named.name);
  if (curve === undefined) return undefined;
  const excess = Math.max(secretBytes.length - curve.size, 0);
  if (secretBytes.subarray(0, excess).some((byte) => byte !== 0)) return undefined;
  const point = publicPoint(curve, bytesToBigInt(secretBytes));
  return point && ellipticKey(curve.name, point);
};

const explicitZero = 0xa0;

const rsaKey = (n: bigint, e: bigint): PemKey | undefined => {
  if (n <= 0n || e <= 0n) return undefined;
  const [modulus, exponent] = [bytesOf(n), bytesOf(e)];
  const numbers = element(derTag.sequence, integer(modulus), integer(exponent));
  return {
    jwk: { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) },
    info: publicKeyInfo([objectId(rsaId), Uint8Array.of(5, 0)], numbers),
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
    info: publicKeyInfo([objectId(ellipticId), objectId(named.id)], point),
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

/** A positive number: a leading bit would make it a negative one. */
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

/** Big-endian, without leading zeros. */
const bytesOf = (value: bigint): Uint8Array => {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
};
