import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JwtNode } from '../../../engine/src/authenticators/jwt/node.ts';
import { type FakePorts, fakePorts, settle } from '../../support/fake-ports.ts';
import { publishIssuer } from '../../support/memory-web.ts';
import {
  ask,
  jwtNode,
  linkNodes,
  nameOrReason,
  startSeconds,
  testIssuer,
} from '../../support/test-issuer.ts';

const issuerUrl = 'https://issuer.example.com';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const jwkOf = (key: KeyObject, kid: string): Record<string, unknown> => ({
  ...key.export({ format: 'jwk' }),
  kid,
});

const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

const goodClaims = { iss: issuerUrl, aud: 'app', sub: 'jane', exp: startSeconds + 600 };

type Signer = (signingInput: string) => Buffer;
const byRsa: Signer = (text) => sign('sha256', Buffer.from(text), rsa.privateKey);
const byEc: Signer = (text) =>
  sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });

interface Parts {
  readonly header?: Readonly<Record<string, unknown>>;
  /** A string is used as it is. */
  readonly claims?: unknown;
  readonly signer?: Signer;
}

const tokenOf = ({ header = {}, claims = goodClaims, signer = byRsa }: Parts = {}): string => {
  const input = `${encode({ alg: 'RS256', kid: 'r', ...header })}.${encode(claims)}`;
  return `${input}.${signer(input).toString('base64url')}`;
};

const product = async (changes: Partial<JwtNode> = {}, ports: FakePorts = fakePorts()) => {
  publishIssuer(ports.http, {
    url: issuerUrl,
    jwks: { keys: [jwkOf(rsa.publicKey, 'r'), jwkOf(ec.publicKey, 'e')] },
    headers: { 'cache-control': 'max-age=600' },
  });
  const linked = await linkNodes([jwtNode({ url: issuerUrl }, changes)], ports);
  return async (token: string) => nameOrReason(await ask(linked, token));
};

const isAccepted = (answer: string) => answer === 'accepted jane';

test('the tokens that the others derive from are accepted', async () => {
  const answer = await product();
  expect(await answer(tokenOf())).toBe('accepted jane');
  const header = { alg: 'ES256', kid: 'e' };
  expect(await answer(tokenOf({ header, signer: byEc }))).toBe('accepted jane');
});

describe('INV-T1 the algorithm comes from configuration and key type', () => {
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const hmac =
    (secret: string | Buffer): Signer =>
    (text) =>
      createHmac('sha256', secret).update(text).digest();
  const modulus = Buffer.from(String(jwkOf(rsa.publicKey, 'r').n), 'base64url');
  test.each<[string, Parts]>([
    ['none', { header: { alg: 'none' }, signer: () => Buffer.alloc(0) }],
    ['None', { header: { alg: 'None' } }],
    ['HS256 with the PEM', { header: { alg: 'HS256' }, signer: hmac(pem) }],
    ['HS256 with the trimmed PEM', { header: { alg: 'HS256' }, signer: hmac(pem.trim()) }],
    ['HS256 with the modulus', { header: { alg: 'HS256' }, signer: hmac(modulus) }],
    ['RS256 under a P-256 key', { header: { kid: 'e' } }],
    ['ES256 under an RSA key', { header: { alg: 'ES256' }, signer: byEc }],
    ['PS256 over a PKCS1 signature', { header: { alg: 'PS256' } }],
    ['RS512 over a SHA-256 signature', { header: { alg: 'RS512' } }],
    ['rs256', { header: { alg: 'rs256' } }],
    ['no alg', { header: { alg: undefined } }],
  ])('%s is rejected', async (_name, parts) => {
    expect(await (await product())(tokenOf(parts))).toContain('rejected');
  });
  test('an algorithm that is not configured is rejected', async () => {
    const answer = await product({ signingAlgorithms: ['ES256'] });
    expect(await answer(tokenOf())).toContain('unsupported algorithm, expected ["ES256"]');
  });
});

describe('INV-T2 a header can only select a key of the issuer', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const byStranger: Signer = (text) => sign('sha256', Buffer.from(text), stranger.privateKey);
  const strangerJwk = jwkOf(stranger.publicKey, 'r');
  test.each<[string, Record<string, unknown>]>([
    ['jwk', { jwk: strangerJwk }],
    ['jku', { jku: 'https://evil.example.com/jwks' }],
    ['x5u', { x5u: 'https://evil.example.com/x5u' }],
  ])('%s is not followed', async (_name, header) => {
    const ports = fakePorts();
    const answer = await product({}, ports);
    expect(await answer(tokenOf({ header, signer: byStranger }))).toContain('rejected');
    expect(ports.http.asked.filter((url) => url.includes('evil'))).toEqual([]);
  });
  test.each([[[]], [['b64']], [['exp']], ['b64']])('crit %j is rejected', async (crit) => {
    const answer = await product();
    expect(await answer(tokenOf({ header: { crit, b64: true } }))).toContain('crit or b64');
  });
  test('five parts are not a token', async () => {
    expect(await (await product())(`${tokenOf()}.x.y`)).toBe('rejected invalid bearer token');
  });
});

describe('INV-T3 every character of a token counts', () => {
  test.each(['ES256', 'RS256'])('%s: no other character passes anywhere', async (alg) => {
    const answer = await product();
    const token =
      alg === 'RS256' ? tokenOf() : tokenOf({ header: { alg: 'ES256', kid: 'e' }, signer: byEc });
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at += 1) {
      const next = alphabet[(alphabet.indexOf(token.charAt(at)) + 1) % 64] ?? '';
      const changed = token.slice(0, at) + next + token.slice(at + 1);
      expect(isAccepted(await answer(changed)), changed).toBe(false);
    }
  });
  test.each([' ', '\t', '\n', '\r', '=', '+', '/', '\u00a0', '.', '\u0000'])(
    'a token with %j anywhere is rejected',
    async (character) => {
      const answer = await product();
      const token = tokenOf();
      for (let at = 0; at <= token.length; at += 7) {
        expect(isAccepted(await answer(token.slice(0, at) + character + token.slice(at)))).toBe(
          false,
        );
      }
    },
  );
});

describe('INV-T4 the issuer is compared exactly, twice', () => {
  test.each([
    `${issuerUrl}/`,
    `${issuerUrl} `,
    issuerUrl.toUpperCase(),
    issuerUrl.replace('https', 'http'),
    `${issuerUrl}:443`,
    'https://issuer.example.com.',
    'https://ıssuer.example.com',
    'accounts.google.com',
    '',
    5,
    [issuerUrl],
    null,
  ])('%j is another issuer', async (iss) => {
    const answer = await product();
    expect(await answer(tokenOf({ claims: { ...goodClaims, iss } }))).toBe(
      'rejected invalid bearer token',
    );
  });
});

describe('INV-T5 an audience must match exactly', () => {
  test.each<[unknown, boolean]>([
    ['app', true],
    [['x', 'app'], true],
    ['App', false],
    ['app ', false],
    ['x,app', false],
    [[], false],
    [[['app']], false],
    [{ app: true }, false],
    [5, false],
    [undefined, false],
  ])('%j: %j', async (aud, fits) => {
    const answer = await product();
    expect(isAccepted(await answer(tokenOf({ claims: { ...goodClaims, aud } })))).toBe(fits);
  });
});

describe('INV-T6 exp is required and enforced, nbf may be one minute ahead', () => {
  const claims = (changes: string) => `{"iss":"${issuerUrl}","aud":"app","sub":"jane",${changes}}`;
  test.each<[string, boolean]>([
    [`"exp":${startSeconds}`, true],
    [`"exp":${startSeconds - 1}`, false],
    [`"exp":${startSeconds - 0.1}`, false],
    ['"x":1', false],
    ['"exp":null', false],
    ['"exp":"soon"', false],
    ['"exp":true', false],
    ['"exp":-1', false],
    ['"exp":1e400', false],
    ['"exp":9223372036854775808', false],
    [`"exp":${startSeconds + 600},"nbf":${startSeconds + 60}`, true],
    [`"exp":${startSeconds + 600},"nbf":${startSeconds + 61}`, false],
  ])('%s: %j', async (changes, fits) => {
    const answer = await product();
    expect(isAccepted(await answer(tokenOf({ claims: claims(changes) })))).toBe(fits);
  });
});

describe('INV-T7 unverified and verified claims come from one parse', () => {
  const base = `"aud":"app","sub":"jane","exp":${startSeconds + 600}`;
  test.each<[string, string]>([
    [`{"iss":"https://other","iss":"${issuerUrl}",${base}}`, 'accepted jane'],
    [`{"iss":"${issuerUrl}","iss":"https://other",${base}}`, 'rejected invalid bearer token'],
    [`{"iss":"${issuerUrl}",${base},"sub":"joe"}`, 'accepted joe'],
    [`{"iss":"${issuerUrl}",${base},"ISS":"${issuerUrl}"}`, 'only in case'],
    [`{"iss":"${issuerUrl}",${base},"iſs":"${issuerUrl}"}`, 'only in case'],
    [`{"iss":"${issuerUrl}",${base},"ISS":"https://other"}`, 'rejected invalid bearer token'],
    [`{"iss":"${issuerUrl}",${base},"sub":"\\ud800"}`, 'invalid Unicode'],
    [`{"iss":"${issuerUrl}",${base},"x":${'['.repeat(64)}${']'.repeat(64)}}`, '64 levels'],
    [
      `{"iss":"${issuerUrl}",${base},${Array.from({ length: 4096 }, (_, n) => `"m${n}":0`).join()}}`,
      '4096 members',
    ],
    [`{"iss":"${issuerUrl}",${base},"x":[${'0,'.repeat(16_384)}0]}`, '16384 items'],
  ])('%#', async (claims, expected) => {
    expect(await (await product())(tokenOf({ claims }))).toContain(expected);
  });
  test('invalid UTF-8 is rejected', async () => {
    const payload = Buffer.from(`{"iss":"${issuerUrl}",${base},"sub":"x"}`);
    payload[payload.length - 3] = 0xff;
    const input = `${encode({ alg: 'RS256', kid: 'r' })}.${payload.toString('base64url')}`;
    const token = `${input}.${byRsa(input).toString('base64url')}`;
    expect(await (await product())(token)).toContain('invalid Unicode');
  });
});

describe('INV-T8 claims have no prototype', () => {
  test.each(['toString', 'hasOwnProperty', '__proto__', 'constructor', 'valueOf'])(
    'a missing claim %s is missing',
    async (claim) => {
      const answer = await product({ username: { kind: 'claim', claim, prefix: '' } });
      expect(await answer(tokenOf())).toBe(
        `rejected oidc: parse username claims "${claim}": claim not present`,
      );
    },
  );
  test('an existing claim is read', async () => {
    const username = { kind: 'claim', claim: '__proto__', prefix: '' } as const;
    const answer = await product({ username });
    const claims = `${JSON.stringify(goodClaims).slice(0, -1)},"__proto__":"jane"}`;
    expect(await answer(tokenOf({ claims }))).toBe('accepted jane');
  });
});

describe('INV-T9 distributed claims', () => {
  const distributed = (endpoint: string) => ({
    ...goodClaims,
    _claim_names: { groups: 's' },
    _claim_sources: { s: { endpoint, access_token: 'secret-token' } },
  });
  const endpoint = 'https://claims.example.com/groups';
  test('are fetched over HTTPS only', async () => {
    const ports = fakePorts();
    const answer = await product({}, ports);
    for (const url of ['http://claims.example.com/groups', 'ftp://x/y', 'file:///etc/passwd']) {
      expect(await answer(tokenOf({ claims: distributed(url) }))).toContain('not https');
    }
    expect(ports.http.asked.filter((url) => url.includes('claims'))).toEqual([]);
  });
  test('are not fetched if groups are not mapped from a claim', async () => {
    const ports = fakePorts();
    const answer = await product({ groups: undefined }, ports);
    expect(await answer(tokenOf({ claims: distributed(endpoint) }))).toBe('accepted jane');
    expect(ports.http.asked).not.toContain(endpoint);
  });
  test('must be signed with keys of their own issuer, and are limited', async () => {
    const other = await testIssuer('https://groups.example.com');
    const ports = fakePorts();
    other.publish(ports.http);
    const answer = await product({}, ports);
    const claims = distributed(endpoint);
    ports.http.publish(endpoint, { body: await other.token({ groups: ['g'] }) });
    expect(await answer(tokenOf({ claims }))).toContain('verifier not initialized');
    await settle();
    expect(await answer(tokenOf({ claims }))).toBe('accepted jane');
    const stranger = await testIssuer(other.url);
    ports.http.publish(endpoint, { body: await stranger.token({ groups: ['g'] }) });
    const fresh = { ...claims, jti: '2' };
    expect(await answer(tokenOf({ claims: fresh }))).toContain('failed to verify signature');
    ports.http.publish(endpoint, { body: 'x'.repeat(1024 * 1024 + 1) });
    expect(await answer(tokenOf({ claims: fresh }))).toContain('too large');
  });
});

test.each(['http://keys.example.com/j', 'file:///etc/passwd', 'http://169.254.169.254/x'])(
  'keys are not fetched from %s',
  async (url) => {
    const ports = fakePorts();
    publishIssuer(ports.http, { url: issuerUrl });
    ports.http.publish(`${issuerUrl}/.well-known/openid-configuration`, {
      body: JSON.stringify({ issuer: issuerUrl, jwks_uri: url }),
    });
    const linked = await linkNodes([jwtNode({ url: issuerUrl })], ports);
    expect(nameOrReason(await ask(linked, tokenOf()))).toContain('it is not https');
    expect(ports.http.asked).toHaveLength(1);
  },
);

describe('INV-T10 an ECDSA signature is two numbers in range, of fixed width', () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const bytesOf = (value: bigint): Buffer =>
    Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  const header = { alg: 'ES256', kid: 'e' };
  const good = (text: string) => byEc(text);
  test.each<[string, Signer]>([
    ['r = s = 0', () => Buffer.alloc(64)],
    ['r = s = n', () => Buffer.concat([bytesOf(order), bytesOf(order)])],
    ['r = 0', (text) => Buffer.concat([Buffer.alloc(32), good(text).subarray(32)])],
    ['s = 0', (text) => Buffer.concat([good(text).subarray(0, 32), Buffer.alloc(32)])],
    ['DER', (text) => sign('sha256', Buffer.from(text), ec.privateKey)],
    ['63 bytes', (text) => good(text).subarray(0, 63)],
    ['65 bytes', (text) => Buffer.concat([good(text), Buffer.alloc(1)])],
    ['a zero in front', (text) => Buffer.concat([Buffer.alloc(1), good(text)])],
    ['none', () => Buffer.alloc(0)],
  ])('%s is rejected', async (_name, signer) => {
    expect(await (await product())(tokenOf({ header, signer }))).toContain('rejected');
  });
});

describe('INV-T11 keys are removed with their set and belong to one issuer', () => {
  test('keys of one issuer never verify a token of another, whatever their kid', async () => {
    const [one, two] = [await testIssuer('https://one'), await testIssuer('https://two')];
    const ports = fakePorts();
    one.publish(ports.http);
    two.publish(ports.http);
    const linked = await linkNodes([jwtNode(one), jwtNode(two, { id: 'jwt[1]' })], ports);
    const [key] = one.keys;
    if (key === undefined) throw new Error('an issuer has a key');
    expect(nameOrReason(await ask(linked, await two.token({}, { key })))).toContain('rejected');
    expect(nameOrReason(await ask(linked, await one.token({}, { key })))).toBe('accepted jane');
  });
  test('an encryption key verifies no token', async () => {
    const ports = fakePorts();
    publishIssuer(ports.http, {
      url: issuerUrl,
      jwks: { keys: [{ ...jwkOf(rsa.publicKey, 'r'), use: 'enc' }] },
    });
    const linked = await linkNodes([jwtNode({ url: issuerUrl })], ports);
    expect(nameOrReason(await ask(linked, tokenOf()))).toContain('failed to verify id token');
  });
  test('short RSA keys and sets with too many keys verify none', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const byWeak: Signer = (text) => sign('sha256', Buffer.from(text), weak.privateKey);
    const weakJwk = jwkOf(createPublicKey(weak.privateKey), 'r');
    const answerWith = async (keys: readonly unknown[]) => {
      const ports = fakePorts({ signatures: 'product' });
      publishIssuer(ports.http, { url: issuerUrl, jwks: { keys } });
      const linked = await linkNodes([jwtNode({ url: issuerUrl })], ports);
      return nameOrReason(await ask(linked, tokenOf({ signer: byWeak })));
    };
    expect(await answerWith([weakJwk])).toContain('failed to verify id token signature');
    const many = Array.from({ length: 257 }, (_, n) => jwkOf(rsa.publicKey, `k${n}`));
    expect(await answerWith(many)).toContain('a key set of 257 keys is too large');
  });
});
