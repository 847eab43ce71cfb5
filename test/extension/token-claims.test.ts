/** `readTokenClaims` reads only the claims of a pasted token. */
import { describe, expect, test } from 'vitest';
import {
  expiryText,
  indentedJson,
  readTokenClaims,
} from '../../extension/src/identities/token-claims.ts';

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const signature = 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const token = (claims: unknown, header: object = { alg: 'RS256' }): string =>
  `${part(header)}.${part(claims)}.${signature}`;
const read = (pasted: string) => {
  const reading = readTokenClaims(pasted);
  if (reading.kind !== 'read') throw new Error(reading.problem);
  return reading.token;
};

test('reads claims, name, issuer, expiry and algorithm', () => {
  const claims = { iss: 'https://a.example', sub: '4711', email: 'jane@corp.com', exp: 1800 };
  expect(read(token(claims))).toEqual({
    claims: `${JSON.stringify(claims, null, 2)}\n`,
    name: 'jane',
    algorithm: 'RS256',
    issuer: 'https://a.example',
    expires: 1800,
  });
});

test.each([
  ['with spaces and a line end', (text: string) => `  ${text}\n`],
  ['with the scheme', (text: string) => `Bearer ${text}`],
  ['as a header', (text: string) => `Authorization: bearer ${text}`],
])('reads a token %s', (_, wrap) => {
  expect(read(wrap(token({ sub: 'jane' }))).name).toBe('jane');
});

test('returns nothing of the header and signature', () => {
  const shown = JSON.stringify(readTokenClaims(token({ sub: 'jane' }, { alg: 'none', kid: 'k1' })));
  expect(shown).not.toContain(signature);
  expect(shown).not.toContain('k1');
});

test('replaces a token nested in a claim', () => {
  const inner = token({ sub: 'inner' });
  const { claims } = read(token({ sub: 'jane', access_token: inner }));
  expect(claims).not.toContain(inner);
  expect(claims).toContain('"access_token": "token-left-out"');
  expect(read(token({ preferred_username: inner, sub: 'jane' })).name).toBe('jane');
});

test('replaces an encrypted token nested in a claim entirely', () => {
  const inner = `${part({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.a2V5LWtleQ.aXYtaXY.Y2lwaGVy.dGFnLXRhZw`;
  expect(read(token({ sub: 'jane', id: inner })).claims).toContain('"id": "token-left-out"');
});

test('keeps hostnames with long labels', () => {
  const iss = 'https://keycloak.engineering.examplecorp.com/realms/people';
  const { claims, issuer } = read(token({ iss, sub: 'jane' }));
  expect(JSON.parse(claims)).toEqual({ iss, sub: 'jane' });
  expect(issuer).toBe(iss);
});

test('preserves numbers and strings', () => {
  const { claims } = read(token('{"sub":"Žofie 🦊","n":12345678901234567890,"f":1.0}'));
  expect(claims).toContain('"n": 12345678901234567890');
  expect(claims).toContain('"f": 1.0');
  expect(claims).toContain('Žofie 🦊');
});

describe('reports invalid tokens without quoting them', () => {
  test.each([
    ['', 'the text is empty'],
    ['secret-opaque-token', 'not a JWT: it needs three parts separated by dots'],
    ['secret.secret', 'not a JWT: it needs three parts separated by dots'],
    ['a.b.c.d.e', "the token is encrypted: its claims can't be read without the key"],
    [`${part({})}.secret.${signature}`, 'not a JWT: the payload is not a JSON object'],
    [`${part({})}.${part([1])}.${signature}`, 'not a JWT: the payload is not a JSON object'],
    [`${part({})}.${part('{"a":')}.x`, 'not a JWT: the payload is not a JSON object'],
    ['x'.repeat(100_001), 'the text is too long for a token'],
  ])('%#', (pasted, problem) => {
    expect(readTokenClaims(pasted)).toEqual({ kind: 'invalid', problem });
  });
});

test('treats __proto__ like any other claim', () => {
  const { claims, issuer } = read(token('{"__proto__":{"iss":"x"},"sub":"jane"}'));
  expect(claims).toContain('"__proto__"');
  expect(issuer).toBeUndefined();
});

test.each([
  [1000 + 42 * 60, 'expires in 42 min'],
  [1000 + 30, 'expires in 30 s'],
  [1000 - 3 * 3600, 'expired 3 h ago'],
  [1000 + 10 * 86_400, 'expires in 10 days'],
  [1000 + 700 * 86_400, 'expires in 700 days'],
  [1000 + 26_703 * 86_400, 'expires in 73 years'],
  [undefined, 'no expiry'],
])('%s: %s', (expires, text) => {
  expect(expiryText(expires, 1_000_000)).toBe(text);
});

test.each([
  ['{}', '{}\n'],
  [
    '{"a":[],"b":{"c":[1,2]}}',
    '{\n  "a": [],\n  "b": {\n    "c": [\n      1,\n      2\n    ]\n  }\n}\n',
  ],
  ['{"a":"},{\\"","b":null}', '{\n  "a": "},{\\"",\n  "b": null\n}\n'],
])('reformats %s', (json, lines) => {
  expect(indentedJson(json)).toBe(lines);
});
