/**
 * Generates tokens: valid ones with a changed header, claims, keys, clock or encoding, for small
 * configurations.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { versionsAt } from '../../engine/src/config/skeletons.ts';
import type { Release } from '../../engine/src/model/release.ts';
import type { Random } from './random.ts';

interface Key {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Record<string, unknown>;
}

const makeKey = (kid: string, alg: string): Key => {
  const { privateKey, publicKey } = alg.startsWith('ES')
    ? generateKeyPairSync('ec', {
        namedCurve: { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg] ?? 'P-256',
      })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid } };
};

let cachedKeys: readonly Key[] | undefined;
const keys = (): readonly Key[] => {
  cachedKeys ??= [
    makeKey('r1', 'RS256'),
    makeKey('r2', 'RS256'),
    makeKey('e1', 'ES256'),
    makeKey('e3', 'ES384'),
    makeKey('p1', 'PS256'),
  ];
  return cachedKeys;
};

const issuerUrl = 'https://issuer.example.com';
const nowSeconds = 1_700_000_000;

export const tokenQuestions = (
  random: Random,
  count: number,
  release: Release,
): readonly object[] =>
  Array.from({ length: count }, () => {
    const key = random.pick(keys());
    const set = keys()
      .filter((candidate) => candidate === key || random.chance(0.5))
      .filter(() => random.chance(0.97));
    return {
      op: 'authenticate',
      config: JSON.stringify(configuration(random, release)),
      now: new Date(
        (nowSeconds + random.pick([0, 0, 0, 59, 60, 61, -59, -61, 3600, 3601])) * 1000,
      ).toISOString(),
      jwks: { keys: set.map(({ jwk }) => malformedKey(random, jwk)) },
      token: token(random, key),
    };
  });

const configuration = (random: Random, release: Release): object => {
  const username = random.pick<object>([
    { claim: 'sub', prefix: '' },
    { claim: 'sub', prefix: 'p:' },
    { claim: 'email', prefix: '' },
    { expression: 'claims.sub' },
    { expression: "'x:' + claims.sub" },
    { expression: 'claims.n' },
    { expression: "claims.?nick.orValue('')" },
  ]);
  const groups = random.pick<object | undefined>([
    undefined,
    { claim: 'groups', prefix: '' },
    { claim: 'groups', prefix: 'g:' },
    { expression: 'claims.groups' },
    { expression: "claims.roles.split(',')" },
    { expression: "claims.?roles.orValue('').split(',').map(r, r)" },
    { expression: 'claims.n' },
  ]);
  const uid = random.pick<object | undefined>([
    undefined,
    { claim: 'uid' },
    { expression: "claims.?uid.orValue('')" },
  ]);
  const extra = random.pick<object[] | undefined>([
    undefined,
    [{ key: 'example.com/x', valueExpression: 'claims.groups' }],
    [{ key: 'example.com/x', valueExpression: "claims.?a.orValue('')" }],
  ]);
  const claimRules = random.pick<object[] | undefined>([
    undefined,
    [{ claim: 'hd', requiredValue: 'x' }],
    [{ expression: 'claims.n > 1', message: 'small' }],
    [{ expression: "claims.hd == 'x'" }],
  ]);
  const userRules = random.pick<object[] | undefined>([
    undefined,
    [{ expression: "!user.username.startsWith('system:')", message: 'no' }],
    [{ expression: 'user.groups.size() > 0' }],
    [{ expression: "user.extra['example.com/x'].size() > 0" }],
  ]);
  const audiences = random.pick([['aud'], ['aud', 'other']]);
  return {
    apiVersion: versionsAt(release)[0],
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: issuerUrl,
          audiences,
          ...(audiences.length > 1 ? { audienceMatchPolicy: 'MatchAny' } : {}),
        },
        claimMappings: {
          username,
          ...(groups && { groups }),
          ...(uid && { uid }),
          ...(extra && { extra }),
        },
        ...(claimRules && { claimValidationRules: claimRules }),
        ...(userRules && { userValidationRules: userRules }),
      },
    ],
  };
};

const unusualValues: readonly unknown[] = [
  null,
  1,
  'x',
  '',
  true,
  [],
  ['a'],
  {},
  1.5,
  -1,
  'é😀',
  ['a', 1],
  '1700000060',
  1e19,
  [[]],
  { a: 'b' },
];

const payload = (random: Random): string => {
  const claims: Record<string, unknown> = {
    iss: issuerUrl,
    aud: random.pick<unknown>([
      'aud',
      'aud',
      'aud',
      ['aud'],
      ['aud', 'x'],
      ['x', 'other'],
      'x',
      [],
    ]),
    sub: random.pick(['jane', 'system:x', 'é']),
    exp: nowSeconds + 3600,
    ...(random.chance(0.5) ? { iat: nowSeconds, nbf: nowSeconds } : {}),
    ...(random.chance(0.5)
      ? { groups: random.pick<unknown>([['dev', 'ops'], 'solo', [], [''], ['a', null]]) }
      : {}),
    ...(random.chance(0.5) ? { roles: 'r1,r2', uid: 'u-1', n: 5, hd: 'x' } : {}),
    ...(random.chance(0.4)
      ? {
          email: 'j@example.com',
          email_verified: random.pick<unknown>([true, false, null, 'true']),
        }
      : {}),
    ...(random.chance(0.3) ? { jti: random.pick<unknown>(['id-1', '', 7]) } : {}),
  };
  for (let times = random.below(5) >> 1; times > 0; times -= 1) {
    const name = random.pick([
      'iss',
      'aud',
      'sub',
      'exp',
      'nbf',
      'iat',
      'groups',
      'uid',
      'email',
      'email_verified',
      'jti',
      'nonce',
      'at_hash',
      '_claim_names',
      '_claim_sources',
      'hd',
      'n',
      'ISS',
      'Exp',
      'azp',
    ]);
    if (random.chance(0.4)) delete claims[name];
    else claims[name] = random.pick(unusualValues);
  }
  const text = JSON.stringify(claims);
  if (!random.chance(0.08)) return text;
  return random.pick([
    text.replace('{', '{"sub":"first",'),
    `${text} `,
    `${text}x`,
    text.slice(0, -1),
    ` ${text}`,
    text.replace(/"exp":(\d+)/, '"exp":$1.9'),
    text.replace(/"exp":\d+/, '"exp":1e400'),
    '[]',
    'null',
    '"x"',
    '',
  ]);
};

const token = (random: Random, key: Key): string => {
  const header: Record<string, unknown> = { alg: key.alg, kid: key.kid };
  if (random.chance(0.25)) {
    const change = random.pick<Record<string, unknown>>([
      { kid: 'zz' },
      { kid: '' },
      { kid: undefined },
      { kid: 1 },
      { alg: 'none' },
      { alg: 'HS256' },
      { alg: 'RS384' },
      { alg: 'EdDSA' },
      { alg: 5 },
      { typ: 'at+jwt' },
      { typ: {} },
      { crit: ['exp'] },
      { crit: [] },
      { crit: ['b64'], b64: false },
      { jwk: {} },
      { x5c: ['x'] },
      { jku: 'https://x' },
    ]);
    Object.assign(header, change);
  }
  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  const signed = `${encode(JSON.stringify(header))}.${encode(payload(random))}`;
  const hash = `sha${key.alg.slice(2)}`;
  const signature = sign(hash, Buffer.from(signed), {
    key: key.privateKey,
    ...(key.alg.startsWith('ES') ? { dsaEncoding: 'ieee-p1363' as const } : {}),
    ...(key.alg.startsWith('PS') ? { padding: 6, saltLength: 32 } : {}),
  }).toString('base64url');
  const whole = `${signed}.${signature}`;
  if (!random.chance(0.12)) return whole;
  const at = random.below(whole.length);
  return random.pick([
    whole.slice(0, at),
    `${whole}=`,
    `${whole}.x`,
    `${whole.slice(0, at)}A${whole.slice(at + 1)}`,
    `${whole.slice(0, at)} ${whole.slice(at)}`,
    `${whole.slice(0, at)}\n${whole.slice(at)}`,
    `${signed}.`,
    signed,
    `.${whole}`,
    whole.replaceAll('-', '+'),
    `${whole.slice(0, at)}\u00a0${whole.slice(at)}`,
  ]);
};

const malformedKey = (random: Random, jwk: Record<string, unknown>): Record<string, unknown> => {
  if (!random.chance(0.08)) return jwk;
  return {
    ...jwk,
    ...random.pick<Record<string, unknown>>([
      { kty: 'oct' },
      { use: 'enc' },
      { alg: 'none' },
      { kid: undefined },
      { crv: 'P-384' },
      { x: 'AA' },
      { e: '' },
      { n: 'x=' },
      { x5c: [] },
      { x5t: 'x' },
      { key_ops: ['sign'] },
      { kid: 5 },
    ]),
  };
};
