/** Public keys of certificates, with the errors of Go's parser. */
import { bytesToBigInt, DerReader, derTag } from './der.ts';

export type X509PublicKey =
  | { readonly algorithm: 'RSA'; readonly modulus: bigint; readonly exponent: bigint }
  | { readonly algorithm: 'ECDSA' | 'Ed25519' | 'DSA' };

/** Returns the key, Go's error as a string, or `undefined` for an unsupported algorithm. */
export const readPublicKey = (
  algorithm: string,
  parameters: Uint8Array,
  key: Uint8Array,
): X509PublicKey | string | undefined => {
  switch (algorithm) {
    case '1.2.840.113549.1.1.1':
      return readRsaKey(parameters, key);
    case '1.2.840.10045.2.1':
      return ecdsaProblem(parameters, key) ?? { algorithm: 'ECDSA' };
    case '1.3.101.112':
      if (parameters.length > 0) return 'x509: Ed25519 key encoded with illegal parameters';
      if (key.length !== 32) return 'x509: wrong Ed25519 public key size';
      return { algorithm: 'Ed25519' };
    case '1.2.840.10040.4.1':
      return dsaProblem(parameters, key) ?? { algorithm: 'DSA' };
    default:
      return undefined;
  }
};

const largestExponent = 2n ** 63n - 1n;

const readRsaKey = (parameters: Uint8Array, key: Uint8Array): X509PublicKey | string => {
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
  return { algorithm: 'RSA', modulus, exponent };
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

interface Curve {
  readonly name: string;
  readonly size: number;
  readonly prime: bigint;
  readonly b: bigint;
  readonly elementError: string;
}

/** Curves of the form y² = x³ - 3x + b modulo the prime, with the parameters of FIPS 186. */
const curves: ReadonlyMap<string, Curve> = new Map([
  [
    '1.3.132.0.33',
    {
      name: 'P224',
      size: 28,
      prime: 2n ** 224n - 2n ** 96n + 1n,
      b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
      elementError: 'invalid P224Element encoding',
    },
  ],
  [
    '1.2.840.10045.3.1.7',
    {
      name: 'P256',
      size: 32,
      prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
      elementError: 'invalid P256 element encoding',
    },
  ],
  [
    '1.3.132.0.34',
    {
      name: 'P384',
      size: 48,
      prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
      elementError: 'invalid P384Element encoding',
    },
  ],
  [
    '1.3.132.0.35',
    {
      name: 'P521',
      size: 66,
      prime: 2n ** 521n - 1n,
      b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
      elementError: 'invalid P521Element encoding',
    },
  ],
]);

const ecdsaProblem = (parameters: Uint8Array, key: Uint8Array): string | undefined => {
  const curveId = new DerReader(parameters).readObjectId();
  if (curveId === undefined) return 'x509: invalid ECDSA parameters';
  const curve = curves.get(curveId);
  if (curve === undefined) return 'x509: unsupported elliptic curve';
  if (key[0] !== 4) return 'ecdsa: invalid uncompressed public key';
  const { name, size, prime, b } = curve;
  if (key.length !== 1 + 2 * size) return `invalid ${name} point encoding`;
  const x = bytesToBigInt(key.subarray(1, 1 + size));
  const y = bytesToBigInt(key.subarray(1 + size));
  if (x >= prime || y >= prime) return curve.elementError;
  const onCurve = (y * y - (x * x * x - 3n * x + b)) % prime === 0n;
  return onCurve ? undefined : `${name} point not on curve`;
};
