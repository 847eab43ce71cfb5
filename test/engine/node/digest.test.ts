/** Digests with and without the key of the process. */
import { expect, test } from 'vitest';
import { nodeDigest } from '../../../engine/src/node/digest.ts';

test('computes SHA-256 of the UTF-8 bytes', () => {
  expect(nodeDigest().sha256Hex('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(nodeDigest().sha256Hex('é')).toBe(
    '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
  );
});

test('returns equal fingerprints within a process and different ones in the next', () => {
  const one = nodeDigest();
  const two = nodeDigest();
  expect(one.fingerprint('abc')).toBe(one.fingerprint('abc'));
  expect(one.fingerprint('abc')).not.toBe(one.fingerprint('abd'));
  expect(one.fingerprint('abc')).not.toBe(two.fingerprint('abc'));
  expect(one.fingerprint('abc')).not.toBe(one.sha256Hex('abc'));
});

test('concatenates head and tail', () => {
  const digest = nodeDigest();
  const long = 'x'.repeat(70_000);
  for (const text of ['', 'abc', 'é€😀z', long]) {
    const whole = digest.fingerprint(text);
    for (const at of [0, 1, 2, text.length]) {
      expect(digest.fingerprint(text.slice(0, at), text.slice(at))).toBe(whole);
    }
  }
});

test('distinguishes characters with the same low byte', () => {
  const digest = nodeDigest();
  expect(digest.fingerprint('h', '\u0141')).not.toBe(digest.fingerprint('h', 'A'));
  expect(digest.fingerprint('h', 'longer')).not.toBe(digest.fingerprint('h', 'long'));
});
