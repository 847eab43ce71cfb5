/** Keys out of PEM files: every kind and form, and which of them counts. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readAccountKeys } from '../../../engine/src/signed-token/account-keys.ts';
import { curveNamed, isOnCurve } from '../../../engine/src/signed-token/elliptic-curve.ts';
import { type KeyKind, keysOf, newKey, pemOf, signerOf } from '../../support/account-world.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const kinds: readonly KeyKind[] = ['RSA', 'P-256', 'P-384', 'P-521'];

describe.each(kinds)('%s', (kind) => {
  const key = newKey(kind);
  const publicPem = pemOf(createPublicKey(key), 'spki');
  const own = kind === 'RSA' ? 'pkcs1' : 'sec1';
  const { keyId } = signerOf(pemOf(key, own));

  test('the public key has the id that the signer has', () => {
    expect(keysOf(publicPem).all.map((each) => each.keyId)).toEqual([keyId]);
  });

  test('the private key in its own form is the same key', () => {
    const [fromPrivate] = keysOf(pemOf(key, own)).all;
    const [fromPublic] = keysOf(publicPem).all;
    expect(fromPrivate?.jwk).toEqual(fromPublic?.jwk);
    expect(fromPrivate?.keyId).toBe(keyId);
  });

  test('in PKCS #8 only an RSA key counts', () => {
    const found = keysOf(pemOf(key, 'pkcs8')).all.map((each) => each.keyId);
    expect(found).toEqual(kind === 'RSA' ? [keyId] : []);
  });

  test('the signer reads PKCS #8 of every kind', () => {
    expect(signerOf(pemOf(key, 'pkcs8')).keyId).toBe(keyId);
  });
});

test('keys of several files stand in their order; equal ones stay', () => {
  const [one, other] = [newKey('P-256'), newKey('P-384')].map((key) =>
    pemOf(createPublicKey(key), 'spki'),
  );
  const keys = keysOf(`words before\n${one}words between\n${other}`, one ?? '');
  expect(keys.all.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'ES384', 'ES256']);
  expect(keys.byId.get(keys.all[0]?.keyId ?? '')).toHaveLength(2);
});

test('a file without keys is told by its name', () => {
  expect(readAccountKeys([{ path: 'sa.pub', text: 'garbage' }], fakePorts())).toEqual({
    kind: 'error',
    error:
      'error reading public key file sa.pub: data does not contain any valid RSA or ECDSA public keys',
  });
});

test('a short RSA key is there, checks nothing, and is told', () => {
  const text =
    '-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKcTdyNpbVvuPt7kZfWRZbOgJzGPYfp6\nPxH4EkXn3gtqLHXOYdSYyDaxbqHeJRMaAJRFn9RMLKtdBiqc2mvfkx8CAwEAAQ==\n-----END PUBLIC KEY-----\n';
  const reading = readAccountKeys([{ path: 'sa.pub', text }], fakePorts({ signatures: 'product' }));
  if (reading.kind === 'error') throw new Error(reading.error);
  expect(reading.keys.all[0]?.prepared).toBeUndefined();
  expect(reading.warnings[0]).toMatch(
    /^key \S+ of sa\.pub checks no signature: RSA key of 5\d\d bits/,
  );
});

test.each(['P-256', 'P-384', 'P-521'])('the base point of %s lies on it', (name) => {
  const curve = curveNamed(name);
  if (curve === undefined) throw new Error('no such curve');
  const bytes = (value: bigint): Uint8Array =>
    Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * curve.size, '0'), 'hex'));
  expect(isOnCurve(curve, bytes(curve.base.x), bytes(curve.base.y))).toBe(true);
});
