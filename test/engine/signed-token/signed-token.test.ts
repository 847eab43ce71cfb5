import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import { createSigningKey, keySetOf, mintToken } from '../../../engine/src/node/mint.ts';
import { nodeSignatures } from '../../../engine/src/node/signatures.ts';
import type { Signatures } from '../../../engine/src/ports/signatures.ts';
import { memoizedHeaderReader } from '../../../engine/src/signed-token/header.ts';
import { readKeySet } from '../../../engine/src/signed-token/key-set.ts';
import { parseToken, peekToken } from '../../../engine/src/signed-token/parse.ts';
import { portableSignatures } from '../../../engine/src/signed-token/portable-signatures.ts';
import { isSignedByAnyKey } from '../../../engine/src/signed-token/verify.ts';
import { makeCert } from '../../attacks/lib/der.mjs';

const readSet = async (text: string, signatures: Signatures = nodeSignatures()) =>
  readKeySet(encodeUtf8(text), { signatures, rejectEncryptionKeys: false, maxKeys: 256 });

const errorOf = async (keys: readonly unknown[]): Promise<string> => {
  const reading = await readSet(JSON.stringify({ keys }));
  return reading.kind === 'error' ? reading.error : 'good';
};

const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
];

describe('tokens signed by jose are valid for Node and WebCrypto', () => {
  test.each(algorithms)('%s', async (algorithm) => {
    const key = await createSigningKey(algorithm, 'k');
    const token = await mintToken({ iss: 'https://i', sub: 'jane' }, key);
    const peeked = peekToken(token);
    const opened = peeked && parseToken(peeked, memoizedHeaderReader());
    if (opened?.kind !== 'parsed') throw new Error('a minted token opens');
    const changed = { ...opened, signingInput: `${opened.signingInput}x` };
    for (const signatures of [nodeSignatures(), portableSignatures()]) {
      const reading = await readSet(JSON.stringify(keySetOf([key])), signatures);
      if (reading.kind === 'error') throw new Error(reading.error);
      expect(await isSignedByAnyKey(reading.keys, opened)).toBe(true);
      expect(await isSignedByAnyKey(reading.keys, changed)).toBe(false);
    }
  });
});

describe('keys with certificates', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
  const certificateOf = (keyPair: object) =>
    new X509Certificate(makeCert({ subject: [['CN', 'signer']], ca: true, keyPair }).pem);
  const thumbprint = (certificate: X509Certificate, name: 'fingerprint' | 'fingerprint256') =>
    Buffer.from(certificate[name].replaceAll(':', ''), 'hex').toString('base64url');

  test.each([
    ['RSA', rsa],
    ['EC', ec],
  ])('%s: accepts a certificate of the key and rejects one of another key', async (_name, pair) => {
    const certificate = certificateOf(pair);
    const x5c = [certificate.raw.toString('base64')];
    const x5t = thumbprint(certificate, 'fingerprint');
    const sha256 = thumbprint(certificate, 'fingerprint256');
    const jwk = jwkOf(pair.publicKey);
    expect(await errorOf([{ ...jwk, x5c }])).toBe('good');
    expect(await errorOf([{ ...jwk, x5c, x5t, 'x5t#S256': sha256 }])).toBe('good');
    const inHex = Buffer.from(certificate.fingerprint.replaceAll(':', '')).toString('base64url');
    expect(await errorOf([{ ...jwk, x5c, x5t: inHex }])).toBe('good');
    expect(await errorOf([{ ...jwkOf(other.publicKey), x5c }])).toBe(
      'go-jose/go-jose: invalid JWK, public keys in key and x5c fields to not match',
    );
    const wrong = Buffer.alloc(20).toString('base64url');
    expect(await errorOf([{ ...jwk, x5c, x5t: wrong }])).toBe(
      'go-jose/go-jose: invalid JWK, x5c thumbprint does not match x5t value',
    );
    expect(
      await errorOf([{ ...jwk, x5c, 'x5t#S256': Buffer.alloc(32).toString('base64url') }]),
    ).toBe('go-jose/go-jose: invalid JWK, x5c thumbprint does not match x5t#S256 value');
    expect(await errorOf([{ ...jwk, x5c: ['AAAA'] }])).toBe(
      'go-jose/go-jose: failed to unmarshal x5c field: x509: malformed certificate',
    );
    const longer = Buffer.concat([certificate.raw, Buffer.alloc(1)]).toString('base64');
    expect(await errorOf([{ ...jwk, x5c: [longer] }])).toBe(
      'go-jose/go-jose: failed to unmarshal x5c field: x509: trailing data',
    );
  });

  test.each([
    ['0203010001', '0203000101', 'x509: invalid RSA public exponent'],
    ['2a864886f70d0101010500', '2a864886f70d0101010600', 'x509: RSA key missing NULL parameters'],
  ])('rejects a certificate with a malformed RSA key: %s as %s', async (good, bad, problem) => {
    const der = certificateOf(rsa).raw.toString('hex').replace(good, bad);
    const x5c = [Buffer.from(der, 'hex').toString('base64')];
    expect(await errorOf([{ ...jwkOf(rsa.publicKey), x5c }])).toBe(
      `go-jose/go-jose: failed to unmarshal x5c field: ${problem}`,
    );
  });

  // Go does not parse the keys of certificates with algorithms that it does not support, such as X25519.
  test('accepts any key with a certificate of an X25519 key', async () => {
    const x5c = [
      'MIHUMHygAwIBAgIBATAKBggqhkjOPQQDAjAMMQowCAYDVQQDEwF4MB4XDTIwMDEwMTAwMDAwMFoXDTQ5MDEwMTAwMDAwMFowDDEKMAgGA1UEAxMBeDAqMAUGAytlbgMhACfar1mZTfmXJGDDiLpg0B5y3TsAb2K89XySNqmM6fSnMAoGCCqGSM49BAMCA0gAMEUCIC/3r4o/LLPLaqasO7LDKzta2F7eCcATKkYdI9FSf6iTAiEAkoUNkiVqGwSOZrQTPb+lkCkfKZlrPyPgzvspo5ELRJg=',
    ];
    expect(await errorOf([{ ...jwkOf(ec.publicKey), x5c }])).toBe('good');
    expect(await errorOf([{ ...jwkOf(rsa.publicKey), x5c }])).toBe('good');
    expect(await errorOf([{ kty: 'oct', k: 'AAAA', x5c }])).toBe('good');
  });

  test('rejects a symmetric key with a certificate', async () => {
    const x5c = [certificateOf(rsa).raw.toString('base64')];
    expect(await errorOf([{ kty: 'oct', k: 'AAAA', x5c }])).toContain('symmetric');
  });
});

test('every curve is supported: its keys are accepted, points off the curve are not', async () => {
  for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
    const jwk = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
    expect(await errorOf([jwk])).toBe('good');
    expect(await errorOf([{ ...jwk, x: jwk.y, y: jwk.x }])).toContain('not on declared curve');
  }
});

test('one malformed key makes the whole set unusable', async () => {
  const good = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  expect(await errorOf([good])).toBe('good');
  expect(await errorOf([good, { kty: 'XYZ' }])).toBe(
    "go-jose/go-jose: unknown json web key type 'XYZ'",
  );
  expect(await errorOf([{ ...good, x5u: 'https://x' }])).toBe(
    'json: cannot unmarshal string into Go value of type url.URL',
  );
});
