/** Keys in PEM files: every type and form, and which of them are accepted. */
import { createECDH, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { curveNamed, isOnCurve } from '../../../engine/src/formats/x509/elliptic-curve.ts';
import { nodePrivateKeys } from '../../../engine/src/node/private-keys.ts';
import { readAccountKeys } from '../../../engine/src/signed-token/account-keys.ts';
import { type KeyKind, keysOf, newKey, pemOf, signerOf } from '../../support/account-fixtures.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const ports = (options?: Parameters<typeof fakePorts>[0]) => ({
  ...fakePorts(options),
  privateKeys: nodePrivateKeys(),
});

const kinds: readonly KeyKind[] = ['RSA', 'P-256', 'P-384', 'P-521'];

describe.each(kinds)('%s', (kind) => {
  const key = newKey(kind);
  const publicPem = pemOf(createPublicKey(key), 'spki');
  const own = kind === 'RSA' ? 'pkcs1' : 'sec1';
  const { keyId } = signerOf(pemOf(key, own));

  test('the public key has the ID of the signer', () => {
    expect(keysOf(publicPem).all.map((each) => each.keyId)).toEqual([keyId]);
  });

  test('the private key in its traditional form is the same key', () => {
    const [fromPrivate] = keysOf(pemOf(key, own)).all;
    const [fromPublic] = keysOf(publicPem).all;
    expect(fromPrivate?.jwk).toEqual(fromPublic?.jwk);
    expect(fromPrivate?.keyId).toBe(keyId);
  });

  test('in PKCS #8 only an RSA key is accepted', () => {
    const found = keysOf(pemOf(key, 'pkcs8')).all.map((each) => each.keyId);
    expect(found).toEqual(kind === 'RSA' ? [keyId] : []);
  });

  test('the signer reads PKCS #8 keys of every type', () => {
    expect(signerOf(pemOf(key, 'pkcs8')).keyId).toBe(keyId);
  });
});

test('keys of several files keep their order and duplicates', () => {
  const [one, other] = [newKey('P-256'), newKey('P-384')].map((key) =>
    pemOf(createPublicKey(key), 'spki'),
  );
  const keys = keysOf(`words before\n${one}words between\n${other}`, one ?? '');
  expect(keys.all.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'ES384', 'ES256']);
  expect(keys.byId.get(keys.all[0]?.keyId ?? '')).toHaveLength(2);
});

test('the error for a file without keys contains its name', () => {
  expect(readAccountKeys([{ path: 'sa.pub', text: 'garbage' }], ports())).toEqual({
    kind: 'error',
    error:
      'error reading public key file sa.pub: data does not contain any valid RSA or ECDSA public keys',
  });
});

interface RecordedKey {
  readonly title: string;
  /** SubjectPublicKeyInfo in base64. */
  readonly der: string;
  readonly keyId?: string;
  readonly error?: string;
}

const recordedKeys = readFileSync(join(import.meta.dirname, 'public-keys.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): RecordedKey => JSON.parse(line));

test.each(recordedKeys)("like Go's x509.ParsePKIXPublicKey: $title", ({ der, keyId }) => {
  const text = `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
  const reading = readAccountKeys([{ path: 'sa.pub', text }], ports());
  const found = reading.kind === 'error' ? [] : reading.keys.all.map((key) => key.keyId);
  expect(found).toEqual(keyId === undefined ? [] : [keyId]);
});

test('a short RSA key is retained, verifies nothing, and causes a warning', () => {
  const text =
    '-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKcTdyNpbVvuPt7kZfWRZbOgJzGPYfp6\nPxH4EkXn3gtqLHXOYdSYyDaxbqHeJRMaAJRFn9RMLKtdBiqc2mvfkx8CAwEAAQ==\n-----END PUBLIC KEY-----\n';
  const reading = readAccountKeys([{ path: 'sa.pub', text }], ports({ signatures: 'product' }));
  if (reading.kind === 'error') throw new Error(reading.error);
  expect(reading.keys.all[0]?.prepared).toBeUndefined();
  expect(reading.warnings[0]).toMatch(
    /^key \S+ in sa\.pub cannot verify signatures: RSA key of 5\d\d bits/,
  );
});

const curves = [
  ['P-256', 'prime256v1', '2a8648ce3d030107', 32],
  ['P-384', 'secp384r1', '2b81040022', 48],
  ['P-521', 'secp521r1', '2b81040023', 66],
] as const;

test.each(curves)('a point of %s is on the curve, and its neighbor is not', (name, opensslName) => {
  const curve = curveNamed(name);
  if (curve === undefined) throw new Error('no such curve');
  const point = createECDH(opensslName).generateKeys();
  const x = point.subarray(1, 1 + curve.size);
  const y = point.subarray(1 + curve.size);
  expect(isOnCurve(curve, x, y)).toBe(true);
  y[y.length - 1] = (y.at(-1) ?? 0) ^ 1;
  expect(isOnCurve(curve, x, y)).toBe(false);
});

describe.each(curves)('an ECDSA private key of %s in SEC 1', (_, opensslName, id, size) => {
  const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
    const content = Buffer.concat(parts);
    const head = content.length < 128 ? [content.length] : [0x81, content.length];
    return Buffer.concat([Uint8Array.of(tag, ...head), content]);
  };
  const objectId = element(6, Buffer.from(id, 'hex'));
  const pem = (secretBytes: Uint8Array): string => {
    const version = Uint8Array.of(2, 1, 1);
    const der = element(0x30, version, element(4, secretBytes), element(0xa0, objectId));
    return `-----BEGIN EC PRIVATE KEY-----\n${der.toString('base64')}\n-----END EC PRIVATE KEY-----\n`;
  };
  const exchange = createECDH(opensslName);
  exchange.generateKeys();
  const secretBytes = Buffer.alloc(size);
  exchange.getPrivateKey().copy(secretBytes, size - exchange.getPrivateKey().length);

  test('needs no public key next to it, and may have zeros before it', () => {
    const [key] = keysOf(pem(secretBytes)).all;
    const x = exchange
      .getPublicKey()
      .subarray(1, 1 + size)
      .toString('base64url');
    expect(key?.jwk).toMatchObject({ kty: 'EC', x });
    expect(keysOf(pem(Buffer.concat([Buffer.alloc(3), secretBytes]))).all[0]?.keyId).toBe(
      key?.keyId,
    );
  });

  test('is not a key if the number is zero, not below the order, or too long', () => {
    expect(keysOf(pem(Buffer.alloc(size))).all).toEqual([]);
    expect(keysOf(pem(Buffer.alloc(size, 0xff))).all).toEqual([]);
    expect(keysOf(pem(Buffer.concat([Uint8Array.of(1), secretBytes]))).all).toEqual([]);
    expect(keysOf(pem(new Uint8Array())).all).toEqual([]);
  });
});
