/** The invariants of service account tokens, named as in the threat model. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  accountAuthenticator,
  claimsAt,
  type KeyKind,
  keysOf,
  lostView,
  newKey,
  pemOf,
  signerOf,
  signToken,
} from '../../support/account-fixtures.ts';

const key = newKey('P-256');
const pem = pemOf(key, 'sec1');
const keys = keysOf(pemOf(createPublicKey(key), 'spki'));
const signer = signerOf(pem);

const withHeader = (token: string, header: object): string =>
  [Buffer.from(JSON.stringify(header)).toString('base64url'), ...token.split('.').slice(1)].join(
    '.',
  );

test.each<KeyKind>(['RSA', 'P-256', 'P-384', 'P-521'])(
  'a token signed with a %s key is accepted, with its expiry and extra values',
  async (kind) => {
    const own = newKey(kind);
    const { authenticate, now } = accountAuthenticator(keysOf(pemOf(createPublicKey(own), 'spki')));
    const claims = claimsAt(now);
    const token = await signToken(claims, signerOf(pemOf(own, 'pkcs8')));
    expect(await authenticate(token)).toMatchObject({
      kind: 'accepted',
      by: 'service-account-token',
      user: { username: 'system:serviceaccount:team:builder', uid: 'uid-1' },
      audiences: ['https://issuer.example'],
      expiresAtMs: claims.expiry * 1000 + 60_000,
    });
  },
);

describe('INV-T1 the algorithm comes from the key', () => {
  test.each(['none', 'HS256', 'HS512', 'EdDSA', 'RS256', 'PS256', 'ES384', 'ES512', ''])(
    'alg %s with a P-256 key',
    async (alg) => {
      const { authenticate, now } = accountAuthenticator(keys);
      const token = await signToken(claimsAt(now), signer);
      expect(await authenticate(withHeader(token, { alg, kid: signer.keyId }))).toMatchObject({
        kind: 'rejected',
        reason: { message: 'go-jose/go-jose: error in cryptographic primitive' },
      });
    },
  );
});

describe('INV-T2 the header cannot select other keys', () => {
  test.each(['jku', 'x5u'])('%s is not followed', async (member) => {
    const { authenticate, now, ports } = accountAuthenticator(keys);
    const token = await signToken(claimsAt(now), signerOf(pemOf(newKey('P-256'), 'sec1')));
    const forged = withHeader(token, { alg: 'ES256', [member]: 'https://evil.example/keys' });
    expect(await authenticate(forged)).toMatchObject({ kind: 'rejected' });
    expect(ports.http.asked).toEqual([]);
  });

  test('crit is rejected', async () => {
    const { authenticate, now } = accountAuthenticator(keys);
    const token = await signToken(claimsAt(now), signer);
    const withCrit = withHeader(token, { alg: 'ES256', kid: signer.keyId, crit: [] });
    expect(await authenticate(withCrit)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'AG5030' },
    });
  });
});

test('INV-T3 a token must be in canonical form', async () => {
  const { authenticate, now } = accountAuthenticator(keys);
  const token = await signToken(claimsAt(now), signer);
  expect(await authenticate(token)).toMatchObject({ kind: 'accepted' });
  for (const other of [`${token} `, ` ${token}`, token.replace('.', '.\n')]) {
    expect(await authenticate(other)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'AG5030' },
    });
  }
  expect(await authenticate(`${token}=`)).toEqual({ kind: 'noOpinion' });
});

test('INV-T4 the issuer is compared exactly', async () => {
  const { authenticate, now } = accountAuthenticator(keys);
  for (const issuer of [
    'https://issuer.example/',
    'HTTPS://issuer.example',
    'issuer.example',
    '',
  ]) {
    const token = await signToken(claimsAt(now, { issuer }), signer);
    expect(await authenticate(token)).toEqual({ kind: 'noOpinion' });
  }
});

test('INV-T6 times have a leeway of one minute', async () => {
  const { authenticate, now, ports } = accountAuthenticator(keys);
  const token = await signToken(claimsAt(now), signer);
  const at = async (milliseconds: number) => {
    ports.clock.jump(milliseconds);
    const decision = await authenticate(token);
    ports.clock.jump(-milliseconds);
    return decision.kind;
  };
  expect(await at(3_660_000)).toBe('accepted');
  expect(await at(3_660_001)).toBe('rejected');
  expect(await at(-60_000)).toBe('accepted');
  expect(await at(-61_001)).toBe('rejected');
});

test('INV-T8 a claim is missing even if the prototype has a member of its name', async () => {
  const { authenticate, now } = accountAuthenticator(keys, {
    serviceAccounts: [{ metadata: { name: 'constructor', namespace: 'team', uid: 'uid-1' } }],
  });
  const account = { name: 'constructor', uid: '' };
  const token = await signToken(claimsAt(now, { account }), signer);
  expect(await authenticate(token)).toMatchObject({
    kind: 'rejected',
    reason: { message: 'service account UID (uid-1) does not match claim ()' },
  });
});

test('INV-T11 another key with the same ID verifies nothing', async () => {
  const { authenticate, now } = accountAuthenticator(keys);
  const otherSigner = signerOf(pemOf(newKey('P-256'), 'sec1'));
  const token = await signToken(claimsAt(now), { ...otherSigner, keyId: signer.keyId });
  expect(await authenticate(token)).toMatchObject({ kind: 'rejected', reason: { code: 'AG5031' } });
});

test('INV-M3 claims without a name authenticate no user', async () => {
  const { authenticate, now } = accountAuthenticator(keys);
  const nameless = claimsAt(now, { namespace: '', account: { name: '', uid: '' } });
  expect(await authenticate(await signToken(nameless, signer))).toMatchObject({
    kind: 'rejected',
    reason: { message: 'serviceaccounts "" not found' },
  });
});

test('a valid token is rejected while objects cannot be looked up', async () => {
  const { authenticate, now } = accountAuthenticator(keys, lostView);
  expect(await authenticate(await signToken(claimsAt(now), signer))).toMatchObject({
    kind: 'rejected',
    reason: { code: 'AG5024', message: 'the local view is too old' },
  });
});

test('INV-S1 no rejection contains a part of its token', async () => {
  const { authenticate, now } = accountAuthenticator(keys, { serviceAccounts: [] });
  const token = await signToken(claimsAt(now), signer);
  const printed = JSON.stringify(await authenticate(token));
  for (const part of token.split('.')) expect(printed).not.toContain(part);
});

test.each(['kubernetes.io', 'platform.io'])('the claim may have the name %s', async (boundName) => {
  const { authenticate, now } = accountAuthenticator(keys);
  const token = await signToken(claimsAt(now, { boundName }), signer);
  expect(await authenticate(token)).toMatchObject({ kind: 'accepted' });
});

test('a claim with another name has no effect', async () => {
  const { authenticate, now } = accountAuthenticator(keys);
  const token = await signToken(claimsAt(now, { boundName: 'other.example' }), signer);
  expect(await authenticate(token)).toMatchObject({
    kind: 'rejected',
    reason: { message: 'serviceaccounts "" not found' },
  });
});
