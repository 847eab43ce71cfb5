/** The elliptic curves of certificates and tokens. */
import { bytesToBigInt } from './der.ts';

/** The curves of algorithms for tokens. */
export type CurveName = 'P-256' | 'P-384' | 'P-521';

/** A curve y² = x³ - 3x + b modulo the prime, with the parameters of FIPS 186. */
export interface EllipticCurve {
  readonly name: CurveName | 'P-224';
  readonly id: string;
  /** Bytes of a coordinate. */
  readonly size: number;
  readonly prime: bigint;
  readonly b: bigint;
}

/** A curve with which tokens can be signed. */
export interface TokenCurve extends EllipticCurve {
  readonly name: CurveName;
}

const p224: EllipticCurve = {
  name: 'P-224',
  id: '1.3.132.0.33',
  size: 28,
  prime: 2n ** 224n - 2n ** 96n + 1n,
  b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
};

const tokenCurves: readonly TokenCurve[] = [
  {
    name: 'P-256',
    id: '1.2.840.10045.3.1.7',
    size: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  {
    name: 'P-384',
    id: '1.3.132.0.34',
    size: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
  {
    name: 'P-521',
    id: '1.3.132.0.35',
    size: 66,
    prime: 2n ** 521n - 1n,
    b: 0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  },
];

/** Returns a curve for tokens by its name in a JWK. */
export const curveNamed = (name: string): TokenCurve | undefined =>
  tokenCurves.find((curve) => curve.name === name);

/** Returns a curve by its object identifier. */
export const curveWithId = (id: string): EllipticCurve | undefined =>
  [p224, ...tokenCurves].find((curve) => curve.id === id);

/** Checks y² = x³ - 3x + b and that both coordinates are below the prime. */
export const isOnCurve = (curve: EllipticCurve, x: Uint8Array, y: Uint8Array): boolean => {
  const { prime, b } = curve;
  const [xValue, yValue] = [bytesToBigInt(x), bytesToBigInt(y)];
  if (xValue >= prime || yValue >= prime) return false;
  return (yValue * yValue - xValue * xValue * xValue + 3n * xValue - b) % prime === 0n;
};
