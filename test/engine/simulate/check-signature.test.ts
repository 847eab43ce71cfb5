/** A token and a key set: real keys, and whether they fit. */
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
const fits = { kind: 'fits' };
const noKeyFits = { kind: 'no key fits' };

test.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'])(
  '%s fits its own key',
  async (algorithm) => {
    const key = await createSigningKey(algorithm, 'k');
    expect(await checkSignature(await mintToken(claims, key), setOf(key))).toEqual(fits);
  },
);

describe('which key counts', () => {
  test('one among others', async () => {
    expect(await checkSignature(token, setOf(theirs, ours))).toEqual(fits);
  });
  test('not that of somebody else', async () => {
    expect(await checkSignature(token, setOf(theirs))).toEqual(noKeyFits);
  });
  test('not one of another name, though it would fit', async () => {
    expect(await checkSignature(token, setOf({ ...ours, publicJwk: renamed(ours) }))).toEqual(
      noKeyFits,
    );
  });
  test('not one for encryption', async () => {
    const keys = { keys: [{ ...ours.publicJwk, use: 'enc' }] };
    expect(await checkSignature(token, JSON.stringify(keys))).toEqual(noKeyFits);
  });
  test.each([
    [1024, noKeyFits],
    [2048, fits],
  ])('an RSA key of %d bits', async (modulusLength, expected) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
    const input = `${part({ alg: 'RS256' })}.${part(claims)}`;
    const signed = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    const keys = { keys: [publicKey.export({ format: 'jwk' })] };
    expect(await checkSignature(signed, JSON.stringify(keys))).toEqual(expected);
  });
  test('whatever the key says of its algorithm, as for the server', async () => {
    const keys = { keys: [{ ...ours.publicJwk, alg: 'ES512', key_ops: ['sign'] }] };
    expect(await checkSignature(token, JSON.stringify(keys))).toEqual(fits);
  });
  test.each(['{"keys":[]}', '{}'])('none of %s', async (keys) => {
    expect(await checkSignature(token, keys)).toEqual(noKeyFits);
  });
});

test('claims that were changed fit no longer', async () => {
  const [header = '', , signature = ''] = token.split('.');
  const changed = `${header}.${part({ ...claims, sub: 'root' })}.${signature}`;
  expect(await checkSignature(changed, setOf(ours))).toEqual(noKeyFits);
});

describe('the token cannot choose how it is checked', () => {
  test.each(['none', 'HS256', 'EdDSA', ''])('alg %j is refused', async (alg) => {
    const [, payload = '', signature = ''] = token.split('.');
    const other = `${part({ alg, kid: 'ours' })}.${payload}.${signature}`;
    expect(await checkSignature(other, setOf(ours))).toEqual({
      kind: 'refused token',
      reason: `the algorithm "${alg}" is not allowed`,
    });
  });
  test('nor one that the configuration does not allow', async () => {
    expect(await checkSignature(token, setOf(ours), ['RS256'])).toEqual({
      kind: 'refused token',
      reason: 'the algorithm "ES256" is not allowed',
    });
  });
  test('nor one of another kind of key', async () => {
    const [, payload = '', signature = ''] = token.split('.');
    const other = `${part({ alg: 'RS256', kid: 'ours' })}.${payload}.${signature}`;
    expect(await checkSignature(other, setOf(ours))).toEqual(noKeyFits);
  });
});

test.each(['{"keys":', '[]', 'keys: []', '{"keys":{}}', '{"keys":[{"kty":"odd"}]}'])(
  'the set %s is unusable',
  async (keys) => {
    expect(await checkSignature(token, keys)).toEqual({
      kind: 'unusable keys',
      reason: expect.stringMatching(/./),
    });
  },
);

test('one odd key spoils the others, as for the server', async () => {
  const keys = { keys: [ours.publicJwk, { ...theirs.publicJwk, x: 'AA' }] };
  expect(await checkSignature(token, JSON.stringify(keys))).toMatchObject({
    kind: 'unusable keys',
  });
});

test.each(['', 'a.b', 'a.b.c', 'x'.repeat(300_000), `${part({})}.${part(claims)}.!!!`])(
  'what is no token is refused, and not quoted: %#',
  async (text) => {
    const check = await checkSignature(text, setOf(ours));
    expect(check.kind).toBe('refused token');
    if (text !== '') expect(JSON.stringify(check)).not.toContain(text);
  },
);

const renamed = ({ publicJwk }: SigningKey) => ({ ...publicJwk, kid: 'other' });
