/** The three curves of the allowed algorithms: sizes, and whether a point lies on one. */
import { bytesToBigInt } from '../formats/der.ts';

export interface EllipticCurve {
  readonly name: 'P-256' | 'P-384' | 'P-521';
  /** Bytes of a coordinate. */
  readonly size: number;
  readonly prime: bigint;
  readonly b: bigint;
  /** Number of points. */
  readonly order: bigint;
  /** The point that all keys are multiples of. */
  readonly base: AffinePoint;
}

interface AffinePoint {
  readonly x: bigint;
  readonly y: bigint;
}

const p256: EllipticCurve = {
  name: 'P-256',
  size: 32,
  prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  base: {
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  },
};

const p384: EllipticCurve = {
  name: 'P-384',
  size: 48,
  prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  order:
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  base: {
    x: 0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
    y: 0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
  },
};

const p521: EllipticCurve = {
  name: 'P-521',
  size: 66,
  prime: 2n ** 521n - 1n,
  b: 0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  order:
    0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  base: {
    x: 0x00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
    y: 0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
  },
};

const curves: ReadonlyMap<string, EllipticCurve> = new Map(
  [p256, p384, p521].map((curve) => [curve.name, curve]),
);

/** By its name in a JWK. */
export const curveNamed = (name: string): EllipticCurve | undefined => curves.get(name);

/** y² = x³ - 3x + b, with both coordinates below the prime. */
export const isOnCurve = (curve: EllipticCurve, x: Uint8Array, y: Uint8Array): boolean => {
  const { prime, b } = curve;
  const [xValue, yValue] = [bytesToBigInt(x), bytesToBigInt(y)];
  if (xValue >= prime || yValue >= prime) return false;
  return (yValue * yValue - xValue * xValue * xValue + 3n * xValue - b) % prime === 0n;
};

/**
 * The public point of a private key, uncompressed; `undefined` for a number that is no key. Not in
 * constant time: for keys of the operator's own files, once at start.
 */
export const publicPoint = (curve: EllipticCurve, scalar: bigint): Uint8Array | undefined => {
  if (scalar <= 0n || scalar >= curve.order) return undefined;
  let sum: AffinePoint | undefined;
  let power: AffinePoint | undefined = curve.base;
  for (let left = scalar; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) sum = addPoints(curve, sum, power);
    power = addPoints(curve, power, power);
  }
  if (sum === undefined) return undefined;
  const coordinates = [sum.x, sum.y].map((value) =>
    value.toString(16).padStart(2 * curve.size, '0'),
  );
  return Uint8Array.from(`04${coordinates.join('')}`.match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  );
};

/** `undefined` is the point at infinity. */
const addPoints = (
  { prime }: EllipticCurve,
  left: AffinePoint | undefined,
  right: AffinePoint | undefined,
): AffinePoint | undefined => {
  if (left === undefined || right === undefined) return left ?? right;
  const same = left.x === right.x;
  if (same && (left.y !== right.y || left.y === 0n)) return undefined;
  const slope = same
    ? (3n * left.x * left.x - 3n) * inverse(2n * left.y, prime)
    : (right.y - left.y) * inverse(right.x - left.x, prime);
  const x = modulo(slope * slope - left.x - right.x, prime);
  return { x, y: modulo(slope * (left.x - x) - left.y, prime) };
};

const modulo = (value: bigint, prime: bigint): bigint => ((value % prime) + prime) % prime;

/** By Euclid's algorithm. */
const inverse = (value: bigint, prime: bigint): bigint => {
  let [low, high] = [modulo(value, prime), prime];
  let [factor, next] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [factor, next] = [next - quotient * factor, factor];
  }
  return modulo(factor, prime);
};
