/** What has to hold for tokens of service accounts, by the names of the threat model. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  accountJudge,
  claimsAt,
  type KeyKind,
  keysOf,
  lostView,
  newKey,
  pemOf,
  signerOf,
  signToken,
} from '../../support/account-world.ts';

const key = newKey('P-256');
const pem = pemOf(key, 'sec1');
const keys = keysOf(pemOf(createPublicKey(key), 'spki'));
const signer = signerOf(pem);

const withHeader = (token: string, header: object): string =>
  [Buffer.from(JSON.stringify(header)).toString('base64url'), ...token.split('.').slice(1)].join(
    '.',
  );

test.each<KeyKind>(['RSA', 'P-256', 'P-384', 'P-521'])(
  'what a %s key of ours signs is taken, with its end and its extra values',
  async (kind) => {
    const own = newKey(kind);
    const { judge, now } = accountJudge(keysOf(pemOf(createPublicKey(own), 'spki')));
    const claims = claimsAt(now);
    const token = await signToken(claims, signerOf(pemOf(own, 'pkcs8')));
    expect(await judge(token)).toMatchObject({
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
      const { judge, now } = accountJudge(keys);
      const token = await signToken(claimsAt(now), signer);
      expect(await judge(withHeader(token, { alg, kid: signer.keyId }))).toMatchObject({
        kind: 'rejected',
        reason: { message: 'go-jose/go-jose: error in cryptographic primitive' },
      });
    },
  );
});

describe('INV-T2 the header points at no key', () => {
  test.each(['jku', 'x5u'])('%s is not followed', async (member) => {
    const { judge, now, ports } = accountJudge(keys);
    const token = await signToken(claimsAt(now), signerOf(pemOf(newKey('P-256'), 'sec1')));
    const forged = withHeader(token, { alg: 'ES256', [member]: 'https://evil.example/keys' });
    expect(await judge(forged)).toMatchObject({ kind: 'rejected' });
    expect(ports.http.asked).toEqual([]);
  });

  test('crit is refused', async () => {
    const { judge, now } = accountJudge(keys);
    const token = await signToken(claimsAt(now), signer);
    const odd = withHeader(token, { alg: 'ES256', kid: signer.keyId, crit: [] });
    expect(await judge(odd)).toMatchObject({ kind: 'rejected', reason: { code: 'AG5030' } });
  });
});

test('INV-T3 a token has one spelling', async () => {
  const { judge, now } = accountJudge(keys);
  const token = await signToken(claimsAt(now), signer);
  expect(await judge(token)).toMatchObject({ kind: 'accepted' });
  for (const other of [`${token} `, ` ${token}`, token.replace('.', '.\n')]) {
    expect(await judge(other)).toMatchObject({ kind: 'rejected', reason: { code: 'AG5030' } });
  }
  expect(await judge(`${token}=`)).toEqual({ kind: 'noOpinion' });
});

test('INV-T4 the issuer is compared letter by letter', async () => {
  const { judge, now } = accountJudge(keys);
  for (const issuer of [
    'https://issuer.example/',
    'HTTPS://issuer.example',
    'issuer.example',
    '',
  ]) {
    const token = await signToken(claimsAt(now, { issuer }), signer);
    expect(await judge(token)).toEqual({ kind: 'noOpinion' });
  }
});

test('INV-T6 no time is forgiven more than a minute', async () => {
  const { judge, now, ports } = accountJudge(keys);
  const token = await signToken(claimsAt(now), signer);
  const at = async (milliseconds: number) => {
    ports.clock.jump(milliseconds);
    const decision = await judge(token);
    ports.clock.jump(-milliseconds);
    return decision.kind;
  };
  expect(await at(3_660_000)).toBe('accepted');
  expect(await at(3_660_001)).toBe('rejected');
  expect(await at(-60_000)).toBe('accepted');
  expect(await at(-61_001)).toBe('rejected');
});

test('INV-T8 a claim is missing even if every object has a member of its name', async () => {
  const { judge, now } = accountJudge(keys, {
    serviceAccounts: [{ metadata: { name: 'constructor', namespace: 'team', uid: 'uid-1' } }],
  });
  const account = { name: 'constructor', uid: '' };
  const token = await signToken(claimsAt(now, { account }), signer);
  expect(await judge(token)).toMatchObject({
    kind: 'rejected',
    reason: { message: 'service account UID (uid-1) does not match claim ()' },
  });
});

test('INV-T11 another key of the same id checks nothing', async () => {
  const { judge, now } = accountJudge(keys);
  const foreign = signerOf(pemOf(newKey('P-256'), 'sec1'));
  const token = await signToken(claimsAt(now), { ...foreign, keyId: signer.keyId });
  expect(await judge(token)).toMatchObject({ kind: 'rejected', reason: { code: 'AG5031' } });
});

test('INV-M3 claims without a name name nobody', async () => {
  const { judge, now } = accountJudge(keys);
  const nameless = claimsAt(now, { namespace: '', account: { name: '', uid: '' } });
  expect(await judge(await signToken(nameless, signer))).toMatchObject({
    kind: 'rejected',
    reason: { message: 'serviceaccounts "" not found' },
  });
});

test('where objects cannot be looked up, a good token is refused and never taken', async () => {
  const { judge, now } = accountJudge(keys, lostView);
  expect(await judge(await signToken(claimsAt(now), signer))).toMatchObject({
    kind: 'rejected',
    reason: { code: 'AG5024', message: 'the local view is too old' },
  });
});

test('INV-S1 no refusal holds a part of its token', async () => {
  const { judge, now } = accountJudge(keys, { serviceAccounts: [] });
  const token = await signToken(claimsAt(now), signer);
  const told = JSON.stringify(await judge(token));
  for (const part of token.split('.')) expect(told).not.toContain(part);
});

test.each(['kubernetes.io', 'platform.io'])('the claim may be called %s', async (boundName) => {
  const { judge, now } = accountJudge(keys);
  const token = await signToken(claimsAt(now, { boundName }), signer);
  expect(await judge(token)).toMatchObject({ kind: 'accepted' });
});

test('a claim of another name says nothing', async () => {
  const { judge, now } = accountJudge(keys);
  const token = await signToken(claimsAt(now, { boundName: 'other.example' }), signer);
  expect(await judge(token)).toMatchObject({
    kind: 'rejected',
    reason: { message: 'serviceaccounts "" not found' },
  });
});
