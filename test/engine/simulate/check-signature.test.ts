/** `checkSignature` verifies tokens with key sets; the keys are real. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type SigningKey,
} from '../../../engine/src/node/mint.ts';
import { checkSignature } from '../../../engine/src/simulate/whoami/check-signature.ts';

const claims = { iss: 'https://a.example', sub: 'jane' };
const setOf = (...keys: readonly SigningKey[]): string => JSON.stringify(keySetOf(keys));
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const ours = await createSigningKey('ES256', 'ours');
const theirs = await createSigningKey('ES256', 'theirs');
const token = await mintToken(claims, ours);
const verified = { kind: 'verified' };
const noMatchingKey = { kind: 'no-matching-key' };

test.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'])(
  'verifies a token that is signed with %s',
  async (algorithm) => {
    const key = await createSigningKey(algorithm, 'k');
    expect(await checkSignature(await mintToken(claims, key), setOf(key))).toEqual(verified);
  },
);

describe('the choice of the key', () => {
  test('finds the signing key among others', async () => {
    expect(await checkSignature(token, setOf(theirs, ours))).toEqual(verified);
  });
  test('rejects another key', async () => {
    expect(await checkSignature(token, setOf(theirs))).toEqual(noMatchingKey);
  });
  test('rejects the signing key under another key ID', async () => {
    expect(await checkSignature(token, setOf({ ...ours, publicJwk: renamed(ours) }))).toEqual(
      noMatchingKey,
    );
  });
  test('rejects a key for encryption', async () => {
    const keys = { keys: [{ ...ours.publicJwk, use: 'enc' }] };
    expect(await checkSignature(token, JSON.stringify(keys))).toEqual(noMatchingKey);
  });
  test.each([
    [1024, noMatchingKey],
    [2048, verified],
  ])('requires 2048 bits of an RSA key: %d', async (modulusLength, expected) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
    const input = `${part({ alg: 'RS256' })}.${part(claims)}`;
    const signed = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    const keys = { keys: [publicKey.export({ format: 'jwk' })] };
    expect(await checkSignature(signed, JSON.stringify(keys))).toEqual(expected);
  });
  test('ignores alg and key_ops of the key, like kube-apiserver', async () => {
    const keys = { keys: [{ ...ours.publicJwk, alg: 'ES512', key_ops: ['sign'] }] };
    expect(await checkSignature(token, JSON.stringify(keys))).toEqual(verified);
  });
  test.each(['{"keys":[]}', '{}'])('finds no key in %s', async (keys) => {
    expect(await checkSignature(token, keys)).toEqual(noMatchingKey);
  });
});

test('rejects a token whose claims were changed', async () => {
  const [header = '', , signature = ''] = token.split('.');
  const changed = `${header}.${part({ ...claims, sub: 'root' })}.${signature}`;
  expect(await checkSignature(changed, setOf(ours))).toEqual(noMatchingKey);
});

describe('the algorithm in the header', () => {
  test.each(['none', 'HS256', 'EdDSA', ''])('rejects %j', async (alg) => {
    const [, payload = '', signature = ''] = token.split('.');
    const other = `${part({ alg, kid: 'ours' })}.${payload}.${signature}`;
    expect(await checkSignature(other, setOf(ours))).toEqual({
      kind: 'token-rejected',
      reason: `the algorithm "${alg}" is not allowed`,
    });
  });
  test('rejects an algorithm that the configuration does not allow', async () => {
    expect(await checkSignature(token, setOf(ours), ['RS256'])).toEqual({
      kind: 'token-rejected',
      reason: 'the algorithm "ES256" is not allowed',
    });
  });
  test('rejects an algorithm for another key type', async () => {
    const [, payload = '', signature = ''] = token.split('.');
    const other = `${part({ alg: 'RS256', kid: 'ours' })}.${payload}.${signature}`;
    expect(await checkSignature(other, setOf(ours))).toEqual(noMatchingKey);
  });
});

test.each(['{"keys":', '[]', 'keys: []', '{"keys":{}}', '{"keys":[{"kty":"unknown"}]}'])(
  'reports that the key set %s is unusable',
  async (keys) => {
    expect(await checkSignature(token, keys)).toEqual({
      kind: 'keys-unusable',
      reason: expect.stringMatching(/./),
    });
  },
);

test('rejects a key set with one malformed key, like kube-apiserver', async () => {
  const keys = { keys: [ours.publicJwk, { ...theirs.publicJwk, x: 'AA' }] };
  expect(await checkSignature(token, JSON.stringify(keys))).toMatchObject({
    kind: 'keys-unusable',
  });
});

test.each(['', 'a.b', 'a.b.c', 'x'.repeat(300_000), `${part({})}.${part(claims)}.!!!`])(
  'rejects text that is not a token, and does not quote it: %#',
  async (text) => {
    const check = await checkSignature(text, setOf(ours));
    expect(check.kind).toBe('token-rejected');
    if (text !== '') expect(JSON.stringify(check)).not.toContain(text);
  },
);

const renamed = ({ publicJwk }: SigningKey) => ({ ...publicJwk, kid: 'other' });
