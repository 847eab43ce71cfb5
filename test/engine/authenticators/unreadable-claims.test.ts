import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerAuthenticate } from '../../support/answer-authenticate.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Signs claims as written, because no JSON value holds such numbers. */
const signed = (more: string): string => {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const claims = `{"iss":"https://issuer.example.com","aud":"app","sub":"jane","exp":1700000600,${more}}`;
  const input = `${encode('{"alg":"RS256"}')}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url')}`;
};

const nameOf = async (claims: string, expression: string): Promise<string | undefined> => {
  const answer = await answerAuthenticate(
    {
      config: JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [
          {
            issuer: { url: 'https://issuer.example.com', audiences: ['app'] },
            claimMappings: { username: { expression } },
          },
        ],
      }),
      now: '2023-11-14T22:13:20Z',
      token: signed(claims),
      jwks: { keys: [rsa.publicKey.export({ format: 'jwk' })] },
    },
    'exact',
  );
  return answer.user?.username ?? answer.error;
};

const failure = (literal: string) =>
  `claim "n" failed to unmarshal: json: cannot unmarshal number ${literal} into Go value of type float64`;

test.each([
  'string(claims.n)',
  "has(claims.n) ? 'y' : 'x'",
  "has(claims.n.m) ? 'y' : 'x'",
  "claims.?n.orValue('d') == 5.0 ? 'a' : 'b'",
  "claims.n == claims.n ? 'a' : 'b'",
])('a number beyond a double is an error to %s', async (expression) => {
  expect(await nameOf('"n":1e999', expression)).toContain(failure('1e999'));
  expect(await nameOf('"n":[1,{"a":-1e400}]', expression)).toContain(failure('-1e400'));
});

test('and to no other expression', async () => {
  expect(await nameOf('"n":1e999', 'claims.sub')).toBe('jane');
  expect(await nameOf('"n":1e999', "claims.sub == 'jane' || claims.n == 1 ? 'a' : 'b'")).toBe('a');
  expect(await nameOf('"n":1e999,"n":5', "claims.n == 5.0 ? 'five' : 'x'")).toBe('five');
  expect(await nameOf('"n":1e308', 'string(claims.n)')).toBe('1e+308');
});
