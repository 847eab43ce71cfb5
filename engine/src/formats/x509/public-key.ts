/** Public keys, with the errors of Go's parser. */
import { readAlgorithm } from './certificate-signature.ts';
import { bytesToBigInt, DerReader, derTag } from './der.ts';
import { curveWithId, type EllipticCurve, isOnCurve } from './elliptic-curve.ts';

export type PublicKey =
  | { readonly kind: 'RSA'; readonly n: bigint; readonly e: bigint }
  /** The point is uncompressed: 4, x, y. */
  | {
      readonly kind: 'ECDSA';
      readonly curve: EllipticCurve['name'];
      readonly point: Uint8Array;
    }
  | { readonly kind: 'Ed25519' | 'DSA' };

/** A key with its encoding. */
export interface PublicKeyInfo {
  /** The key, or `undefined` if its algorithm is not supported. */
  readonly publicKey: PublicKey | undefined;
  /** The DER encoding of SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Uint8Array;
}

/** Reads the next element, a SubjectPublicKeyInfo; returns Go's error as a string. */
export const readPublicKeyInfo = (reader: DerReader): PublicKeyInfo | string => {
  const publicKeyInfo = reader.readElement(derTag.sequence);
  const content = publicKeyInfo && new DerReader(publicKeyInfo).read(derTag.sequence);
  if (publicKeyInfo === undefined || content === undefined) return 'x509: malformed spki';
  const key = new DerReader(content);
  const identifier = key.read(derTag.sequence);
  if (identifier === undefined) return 'x509: malformed public key algorithm identifier';
  const algorithm = readAlgorithm(identifier);
  if (typeof algorithm === 'string') return algorithm;
  const bits = key.readAlignedBits();
  if (bits === undefined) return 'x509: malformed subjectPublicKey';
  const publicKey = readPublicKey(algorithm.id, algorithm.parameters, bits);
  return typeof publicKey === 'string' ? publicKey : { publicKey, publicKeyInfo };
};

/** Returns the key, Go's error as a string, or `undefined` for an unsupported algorithm. */
const readPublicKey = (
  algorithm: string,
  parameters: Uint8Array,
  key: Uint8Array,
): PublicKey | string | undefined => {
  switch (algorithm) {
    case '1.2.840.113549.1.1.1':
      return readRsaKey(parameters, key);
    case '1.2.840.10045.2.1':
      return readEllipticKey(parameters, key);
    case '1.3.101.112':
      if (parameters.length > 0) return 'x509: Ed25519 key encoded with illegal parameters';
      if (key.length !== 32) return 'x509: wrong Ed25519 public key size';
      return { kind: 'Ed25519' };
    case '1.2.840.10040.4.1':
      return dsaProblem(parameters, key) ?? { kind: 'DSA' };
    default:
      return undefined;
  }
};

const largestExponent = 2n ** 63n - 1n;

const readRsaKey = (parameters: Uint8Array, key: Uint8Array): PublicKey | string => {
  const isNull = parameters.length === 2 && parameters[0] === 5 && parameters[1] === 0;
  if (!isNull) return 'x509: RSA key missing NULL parameters';
  const content = new DerReader(key).read(derTag.sequence);
  if (content === undefined) return 'x509: invalid RSA public key';
  const numbers = new DerReader(content);
  const modulus = numbers.readInteger();
  if (modulus === undefined) return 'x509: invalid RSA modulus';
  const exponent = numbers.readInteger();
  if (exponent === undefined || exponent > largestExponent || exponent < -largestExponent - 1n)
    return 'x509: invalid RSA public exponent';
  if (modulus <= 0n) return 'x509: RSA modulus is not a positive number';
  if (exponent <= 0n) return 'x509: RSA public exponent is not a positive number';
  return { kind: 'RSA', n: modulus, e: exponent };
};

const dsaProblem = (parameters: Uint8Array, key: Uint8Array): string | undefined => {
  const value = new DerReader(key).readInteger();
  if (value === undefined) return 'x509: invalid DSA public key';
  const content = new DerReader(parameters).read(derTag.sequence);
  const numbers = new DerReader(content ?? new Uint8Array());
  const group = [numbers.readInteger(), numbers.readInteger(), numbers.readInteger()];
  if (group.includes(undefined)) return 'x509: invalid DSA parameters';
  return [value, ...group].some((number) => number === undefined || number <= 0n)
    ? 'x509: zero or negative DSA parameter'
    : undefined;
};

const readEllipticKey = (parameters: Uint8Array, key: Uint8Array): PublicKey | string => {
  const curveId = new DerReader(parameters).readObjectId();
  if (curveId === undefined) return 'x509: invalid ECDSA parameters';
  const curve = curveWithId(curveId);
  if (curve === undefined) return 'x509: unsupported elliptic curve';
  if (key[0] !== uncompressed) return 'ecdsa: invalid uncompressed public key';
  const { size, prime } = curve;
  const name = curve.name.replace('-', '');
  if (key.length !== 1 + 2 * size) return `invalid ${name} point encoding`;
  const [x, y] = pointCoordinates(key);
  if (bytesToBigInt(x) >= prime || bytesToBigInt(y) >= prime)
    return `invalid ${name}${name === 'P256' ? ' e' : 'E'}lement encoding`;
  return isOnCurve(curve, x, y)
    ? { kind: 'ECDSA', curve: curve.name, point: key }
    : `${name} point not on curve`;
};

/** The first byte of a point whose coordinates both follow. */
export const uncompressed = 4;

/** Returns the coordinates of an uncompressed point. */
export const pointCoordinates = (point: Uint8Array): readonly [x: Uint8Array, y: Uint8Array] => {
  const middle = (point.length + 1) / 2;
  return [point.subarray(1, middle), point.subarray(middle)];
};
