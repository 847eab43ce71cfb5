/** The elliptic curves of the allowed algorithms. */
import { bytesToBigInt } from '../formats/x509/der.ts';

export interface EllipticCurve {
  readonly name: 'P-256' | 'P-384' | 'P-521';
  /** Bytes of a coordinate. */
  readonly size: number;
  readonly prime: bigint;
  readonly b: bigint;
}

const p256: EllipticCurve = {
  name: 'P-256',
  size: 32,
  prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
};

const p384: EllipticCurve = {
  name: 'P-384',
  size: 48,
  prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
};

const p521: EllipticCurve = {
  name: 'P-521',
  size: 66,
  prime: 2n ** 521n - 1n,
  b: 0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
};

const curves: ReadonlyMap<string, EllipticCurve> = new Map(
  [p256, p384, p521].map((curve) => [curve.name, curve]),
);

/** Returns the curve by its name in a JWK. */
export const curveNamed = (name: string): EllipticCurve | undefined => curves.get(name);

/** Checks y² = x³ - 3x + b and that both coordinates are below the prime. */
export const isOnCurve = (curve: EllipticCurve, x: Uint8Array, y: Uint8Array): boolean => {
  const { prime, b } = curve;
  const [xValue, yValue] = [bytesToBigInt(x), bytesToBigInt(y)];
  if (xValue >= prime || yValue >= prime) return false;
  return (yValue * yValue - xValue * xValue * xValue + 3n * xValue - b) % prime === 0n;
};
