/**
 * INV-T10 with edge cases of r and s on every curve: values out of range or of the wrong width are
 * rejected.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nodeSignatures } from '../../../engine/src/node/signatures.ts';

const curves = [
  {
    algorithm: 'ES256',
    curve: 'P-256',
    digest: 'sha256',
    width: 32,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    field: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  },
  {
    algorithm: 'ES384',
    curve: 'P-384',
    digest: 'sha384',
    width: 48,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    field: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  },
  {
    algorithm: 'ES512',
    curve: 'P-521',
    digest: 'sha512',
    width: 66,
    order:
      2n ** 521n -
      2n ** 260n +
      0xa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    field: 2n ** 521n - 1n,
  },
] as const;

describe.each(curves)('INV-T10 $algorithm', ({ algorithm, curve, digest, width, order, field }) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const key = nodeSignatures().prepare({ ...publicKey.export({ format: 'jwk' }) });
  const text = 'eyJhbGciOiJFUzI1NiJ9.e30';
  const good = sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const bytesOf = (value: bigint): Buffer =>
    Buffer.from(value.toString(16).padStart(2 * width, '0'), 'hex');
  const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
  const r = numberOf(good.subarray(0, width));
  const s = numberOf(good.subarray(width));
  const holds = async (signature: Uint8Array) => key.verify(algorithm, text, signature);

  test('accepts the signature, and its mirror, which is valid by the standard', async () => {
    expect(await holds(good)).toBe(true);
    expect(await holds(Buffer.concat([bytesOf(r), bytesOf(order - s)]))).toBe(true);
  });

  const most = 2n ** BigInt(8 * width) - 1n;
  const edges: readonly (readonly [string, bigint])[] = [
    ['0', 0n],
    ['1', 1n],
    ['2', 2n],
    ['n - 1', order - 1n],
    ['n', order],
    ['n + 1', order + 1n],
    ['p', field],
    ['p - 1', field - 1n],
    ['p + 1', (field + 1n) & most],
    ['(n - 1) / 2', (order - 1n) / 2n],
    ['2^k - 1', most],
    ['2^(k - 1)', 2n ** BigInt(8 * width - 1)],
  ];
  const pairs = edges.flatMap(([first, one]) =>
    edges.map(([second, other]) => [`r = ${first}, s = ${second}`, one, other] as const),
  );
  test.each(pairs)('%s', async (_name, one, other) => {
    expect(await holds(Buffer.concat([bytesOf(one), bytesOf(other)]))).toBe(false);
  });
  test.each(edges)('rejects one valid half: %s', async (_name, edge) => {
    expect(await holds(Buffer.concat([bytesOf(edge), bytesOf(s)]))).toBe(false);
    expect(await holds(Buffer.concat([bytesOf(r), bytesOf(edge)]))).toBe(false);
  });
  test('rejects the same numbers modulo n, if they fit', async () => {
    for (const [one, other] of [
      [r + order, s],
      [r, s + order],
      [r + order, s + order],
    ] as const) {
      if (one > most || other > most) continue;
      expect(await holds(Buffer.concat([bytesOf(one), bytesOf(other)]))).toBe(false);
    }
  });
  test.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['nothing', () => Buffer.alloc(0)],
    ['a byte less', (bytes) => bytes.subarray(0, -1)],
    ['a byte more', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['a zero before each', (bytes) => padded(bytes)],
    ['r alone', (bytes) => bytes.subarray(0, width)],
    ['twice', (bytes) => Buffer.concat([bytes, bytes])],
    ['s before r', (bytes) => Buffer.concat([bytes.subarray(width), bytes.subarray(0, width)])],
    ['DER', () => sign(digest, Buffer.from(text), privateKey)],
    ['a bit of r', (bytes) => flipped(bytes, 0)],
    ['a bit of s', (bytes) => flipped(bytes, 2 * width - 1)],
  ])('rejects another encoding: %s', async (_name, change) => {
    expect(await holds(change(good))).toBe(false);
  });
  const padded = (bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.alloc(1),
      bytes.subarray(0, width),
      Buffer.alloc(1),
      bytes.subarray(width),
    ]);
  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  test('rejects another algorithm of the family', async () => {
    for (const other of ['ES256', 'ES384', 'ES512', 'RS256', 'none', 'HS256']) {
      if (other === algorithm) continue;
      expect(await Promise.resolve(key.verify(other, text, good)).catch(() => false)).toBe(false);
    }
  });
});
