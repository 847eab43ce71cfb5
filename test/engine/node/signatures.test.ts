/** Every algorithm accepts its key, and no other. */
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nodeSignatures } from '../../../engine/src/node/signatures.ts';
import { portableSignatures } from '../../../engine/src/signed-token/portable-signatures.ts';

const rsa = (modulusLength: number, publicExponent?: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    ...(publicExponent === undefined ? {} : { publicExponent }),
  });
const elliptic = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const pairs = {
  RSA: rsa(2048),
  'RSA-4096': rsa(4096),
  'P-256': elliptic('P-256'),
  'P-384': elliptic('P-384'),
  'P-521': elliptic('P-521'),
};
type KeyName = keyof typeof pairs;

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }) });
const input = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ';

const signatureOf = (algorithm: string, key: KeyObject, saltLength?: number): Uint8Array => {
  const digest = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('ES')) {
    return sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  }
  if (algorithm.startsWith('RS')) return sign(digest, Buffer.from(input), key);
  return sign(digest, Buffer.from(input), {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: saltLength ?? constants.RSA_PSS_SALTLEN_DIGEST,
  });
};

const algorithmsByKey: readonly (readonly [KeyName, readonly string[]])[] = [
  ['RSA', ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
  ['RSA-4096', ['RS256', 'PS512']],
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
];
const cases = algorithmsByKey.flatMap(([name, algorithms]) =>
  algorithms.map((algorithm) => [name, algorithm] as const),
);

test.each(['PS256', 'PS384', 'PS512'])(
  'requires leading zeros of a signature: %s',
  async (algorithm) => {
    const { publicKey, privateKey } = pairs.RSA;
    // The signatures are salted: one in 256 begins with a zero.
    let signature = signatureOf(algorithm, privateKey);
    while (signature[0] !== 0) signature = signatureOf(algorithm, privateKey);
    for (const signatures of [nodeSignatures(), portableSignatures()]) {
      const { verify } = signatures.prepare(jwkOf(publicKey));
      expect(await verify(algorithm, input, signature)).toBe(true);
      expect(await verify(algorithm, input, signature.subarray(1))).toBe(false);
    }
  },
);

describe.each(cases)('%s with %s', (name, algorithm) => {
  const { publicKey, privateKey } = pairs[name];
  const prepared = nodeSignatures().prepare(jwkOf(publicKey));
  const signature = signatureOf(algorithm, privateKey);

  test('accepts a valid signature', async () => {
    expect(await prepared.verify(algorithm, input, signature)).toBe(true);
  });

  test('rejects a flipped bit, another text, and a truncated or empty signature', async () => {
    const flipped = Uint8Array.from(signature, (byte, at) => (at === 3 ? byte ^ 1 : byte));
    expect(await prepared.verify(algorithm, input, flipped)).toBe(false);
    expect(await prepared.verify(algorithm, `${input}x`, signature)).toBe(false);
    expect(await prepared.verify(algorithm, input, signature.subarray(1))).toBe(false);
    expect(await prepared.verify(algorithm, input, new Uint8Array())).toBe(false);
    expect(await prepared.verify(algorithm, input, new Uint8Array(signature.length))).toBe(false);
  });

  test('is rejected by every other algorithm', async () => {
    const others = new Set(cases.map(([, other]) => other));
    others.delete(algorithm);
    for (const other of [...others, 'none', 'HS256', 'EdDSA', 'constructor', '']) {
      expect(await prepared.verify(other, input, signature), other).toBe(false);
    }
  });

  test('is rejected by another key of the same type', async () => {
    const other = name.startsWith('RSA') ? rsa(2048) : elliptic(name);
    const otherKey = nodeSignatures().prepare(jwkOf(other.publicKey));
    expect(await otherKey.verify(algorithm, input, signature)).toBe(false);
  });
});

test('verifies fast algorithms synchronously and slow ones asynchronously', () => {
  const answers = cases.map(([name, algorithm]) => {
    const { publicKey, privateKey } = pairs[name];
    const answer = nodeSignatures()
      .prepare(jwkOf(publicKey))
      .verify(algorithm, input, signatureOf(algorithm, privateKey));
    return `${name} ${algorithm} ${typeof answer === 'boolean' ? 'at once' : 'later'}`;
  });
  expect(answers.filter((answer) => answer.endsWith('later'))).toEqual([
    'RSA-4096 RS256 later',
    'RSA-4096 PS512 later',
    'P-521 ES512 later',
  ]);
});

test('rejects a DER signature where a fixed-width one is required', () => {
  const { publicKey, privateKey } = pairs['P-256'];
  const der = sign('sha256', Buffer.from(input), privateKey);
  expect(nodeSignatures().prepare(jwkOf(publicKey)).verify('ES256', input, der)).toBe(false);
});

test('verifies long and non-ASCII texts by their UTF-8 bytes', async () => {
  const { publicKey, privateKey } = pairs.RSA;
  const prepared = nodeSignatures().prepare(jwkOf(publicKey));
  for (const text of ['a'.repeat(300_000), 'ŁŁ', 'é'.repeat(9000)]) {
    const signature = sign('sha256', Buffer.from(text, 'utf8'), privateKey);
    expect(await prepared.verify('RS256', text, signature)).toBe(true);
  }
  const signature = sign('sha256', Buffer.from('AA'), privateKey);
  expect(await prepared.verify('RS256', 'ŁŁ', signature)).toBe(false);
});

describe('salt of PS256', () => {
  const { publicKey, privateKey } = pairs.RSA;
  const unusualSalt = signatureOf('PS256', privateKey, 20);
  test('must be as long as the digest by default', () => {
    expect(nodeSignatures().prepare(jwkOf(publicKey)).verify('PS256', input, unusualSalt)).toBe(
      false,
    );
  });
  test('may have any length in exact mode', () => {
    const exact = nodeSignatures({ pssSalt: 'any' }).prepare(jwkOf(publicKey));
    expect(exact.verify('PS256', input, unusualSalt)).toBe(true);
  });
});

describe('rejected keys', () => {
  const short = jwkOf(rsa(1024).publicKey);
  test('rejects RSA with 1024 bits, except in exact mode', () => {
    expect(() => nodeSignatures().prepare(short)).toThrow(
      'RSA key of 1024 bits is shorter than 2048',
    );
    expect(nodeSignatures({ rsaKeys: 'any' }).prepare(short).keyType).toBe('RSA');
  });
  test('rejects RSA with 512 bits always', () => {
    const tiny = jwkOf(rsa(512).publicKey);
    expect(() => nodeSignatures({ rsaKeys: 'any' }).prepare(tiny)).toThrow(/shorter than 1024/);
  });
  test('rejects a huge modulus', () => {
    const huge = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(1100, 0xff).toString('base64url') };
    expect(() => nodeSignatures().prepare(huge)).toThrow(
      'RSA key of 8800 bits is longer than 8192',
    );
  });
  test.each(['AQ', 'Ag', 'BAAA', 'AQAAAAE'])('rejects exponent %s', (e) => {
    const { n } = jwkOf(pairs.RSA.publicKey);
    expect(() => nodeSignatures().prepare({ kty: 'RSA', n, e })).toThrow();
  });
  test.each([
    {},
    { kty: 'oct', k: 'AAAA' },
    { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
    { ...jwkOf(elliptic('secp256k1').publicKey) },
    { kty: 'RSA', n: 5, e: 'AQAB' },
  ])('%j', (jwk) => {
    expect(() => nodeSignatures().prepare(jwk)).toThrow();
  });
  test('ignores private members', () => {
    const jwk = { ...jwkOf(pairs.RSA.privateKey), d: 'broken', p: 'broken' };
    expect(nodeSignatures().prepare(jwk).keyType).toBe('RSA');
  });
});
