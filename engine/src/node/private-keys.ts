/**
 * Derives the public key of private keys in key files, with OpenSSL. RSA keys in PKCS #1 and PKCS
 * #8 and ECDSA keys in SEC 1 are supported; kube-apiserver does not read ECDSA keys in PKCS #8
 * here.
 */
import { createECDH } from 'node:crypto';
import { DerReader, derTag } from '../formats/x509/der.ts';
import { curveWithId } from '../formats/x509/elliptic-curve.ts';
import type { PublicKey } from '../formats/x509/public-key.ts';
import type { PrivateKeys } from '../ports/private-keys.ts';

export const nodePrivateKeys = (): PrivateKeys => ({
  publicHalfOf: (der) =>
    readRsaPrivateKey(der) ?? readPkcs8RsaKey(der) ?? readEllipticPrivateKey(der),
});

const rsaId = '1.2.840.113549.1.1.1';

/** Parses RSAPrivateKey of RFC 8017, A.1.2. */
const readRsaPrivateKey = (der: Uint8Array): PublicKey | undefined => {
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
  return isConsistent({ n, e, d, primes }) ? { kind: 'RSA', n, e } : undefined;
};

const otherPrimes = (reader: DerReader): readonly bigint[] => {
  const list = reader.read(derTag.sequence);
  if (list === undefined) return [];
  const primes: bigint[] = [];
  const infos = new DerReader(list);
  while (!infos.isEmpty) {
    const info = infos.read(derTag.sequence);
    // Zero is not a factor of any modulus, so such a key is rejected.
    primes.push((info && new DerReader(info).readInteger()) ?? 0n);
    if (info === undefined) break;
  }
  return primes;
};

const isConsistent = (key: {
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly primes: readonly bigint[];
}): boolean => {
  const { n, e, d, primes } = key;
  const product = primes.reduce((left, right) => left * right, 1n);
  return product === n && primes.every((prime) => prime > 1n && (d * e) % (prime - 1n) === 1n);
};

/** Parses an RSA key in PKCS #8. */
const readPkcs8RsaKey = (der: Uint8Array): PublicKey | undefined => {
  const content = new DerReader(der).read(derTag.sequence);
  if (content === undefined) return undefined;
  const reader = new DerReader(content);
  const version = reader.readInteger();
  const algorithm = reader.read(derTag.sequence);
  const key = reader.read(derTag.octetString);
  if (version === undefined || algorithm === undefined || key === undefined) return undefined;
  return new DerReader(algorithm).readObjectId() === rsaId ? readRsaPrivateKey(key) : undefined;
};

/** OpenSSL's names of the curves. */
const opensslNames: ReadonlyMap<string, string> = new Map([
  ['P-256', 'prime256v1'],
  ['P-384', 'secp384r1'],
  ['P-521', 'secp521r1'],
]);

/**
 * Parses ECPrivateKey of RFC 5915. The public key is derived, whatever is stored next to the
 * private one.
 */
const readEllipticPrivateKey = (der: Uint8Array): PublicKey | undefined => {
  const content = new DerReader(der).read(derTag.sequence);
  if (content === undefined) return undefined;
  const reader = new DerReader(content);
  if (reader.readInteger() !== 1n) return undefined;
  const secretBytes = reader.read(derTag.octetString);
  const parameters = reader.read(explicitZero);
  if (secretBytes === undefined || parameters === undefined) return undefined;
  const curve = curveWithId(new DerReader(parameters).readObjectId() ?? '');
  if (curve === undefined) return undefined;
  const excess = Math.max(secretBytes.length - curve.size, 0);
  if (secretBytes.subarray(0, excess).some((byte) => byte !== 0)) return undefined;
  const point = publicPoint(curve.name, secretBytes.subarray(excess));
  return point && { kind: 'ECDSA', curve: curve.name, point };
};

const explicitZero = 0xa0;

/** Returns the public point; `undefined` for zero and for numbers beyond the order of the curve. */
const publicPoint = (curve: string, secretBytes: Uint8Array): Uint8Array | undefined => {
  const opensslName = opensslNames.get(curve);
  if (opensslName === undefined) return undefined;
  const exchange = createECDH(opensslName);
  try {
    exchange.setPrivateKey(secretBytes);
    return exchange.getPublicKey();
  } catch {
    return undefined;
  }
};
