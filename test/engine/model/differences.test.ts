import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readReviewResponse } from '../../../engine/src/authenticators/webhook-token/review-response.ts';
import type { DifferenceId, Mode } from '../../../engine/src/model/differences.ts';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';
import { readReview } from '../../../engine/src/server/wire/read-review.ts';
import { explainMessage } from '../../../engine/src/simulate/explain/explain-message.ts';
import {
  type AuthenticateAnswer,
  type AuthenticateQuestion,
  answerAuthenticate,
} from '../../support/answer-authenticate.ts';
import { answerCel } from '../../support/answer-cel.ts';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';
import { differences, type RecordedAuthentication } from '../../support/differences.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { objectApi } from '../../support/object-api.ts';
import {
  ask,
  jwtNode,
  linkNodes,
  nameOrReason,
  startSeconds,
  testIssuer,
} from '../../support/test-issuer.ts';

test('the table is short and its rows are distinct', () => {
  expect(differences.length).toBeLessThanOrEqual(27);
  expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r' };
const issuer = 'https://issuer.example.com';

const tokenOf = (claims: object, { alg = 'RS256', ...header }: Record<string, unknown> = {}) => {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const base = { iss: issuer, aud: 'app', sub: 'jane', exp: 1_700_000_600 };
  const input = `${encode({ alg, kid: 'r', ...header })}.${encode({ ...base, ...claims })}`;
  const key =
    alg === 'PS256'
      ? { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 0 }
      : rsa.privateKey;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
};

const inputFor = (
  token: string,
  changes: { readonly entry?: object; readonly jwks?: unknown } = {},
): AuthenticateQuestion => ({
  config: JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: issuer, audiences: ['app'] },
        claimMappings: {
          username: { claim: 'sub', prefix: '' },
          groups: { claim: 'groups', prefix: '' },
        },
        ...changes.entry,
      },
    ],
  }),
  now: '2023-11-14T22:13:20Z',
  token,
  jwks: changes.jwks ?? { keys: [jwk] },
});

/** A token for each row that shows in one token and that no recorded case has. */
const inputs: ReadonlyMap<DifferenceId, AuthenticateQuestion> = new Map([
  ['token-size', inputFor(tokenOf({ pad: 'x'.repeat(200 * 1024) }))],
  ['token-depth', inputFor(tokenOf({ items: Array.from({ length: 20_000 }, () => 0) }))],
  ['group-limits', inputFor(tokenOf({ groups: ['x'.repeat(5000)] }))],
  [
    'token-cost',
    inputFor(tokenOf({}), {
      entry: {
        claimValidationRules: Array.from({ length: 15 }, (_, n) => ({
          expression: `lists.range(60000).map(x, x).size() > ${n}`,
        })),
      },
    }),
  ],
  ['pss-salt', inputFor(tokenOf({}, { alg: 'PS256' }))],
  [
    'key-limits',
    inputFor(tokenOf({}), {
      jwks: { keys: Array.from({ length: 257 }, (_, n) => ({ ...jwk, kid: n === 0 ? 'r' : 'x' })) },
    }),
  ],
  [
    'bounded-bodies',
    inputFor(tokenOf({}), { jwks: { keys: [jwk], pad: 'x'.repeat(1024 * 1024) } }),
  ],
]);

describe('rows without a recorded case', () => {
  test.each([...inputs])('%s: exact accepts, product rejects', async (id, asked) => {
    expect((await answerAuthenticate(asked, 'exact')).authenticated).toBe(true);
    expect((await answerAuthenticate(asked, 'product')).authenticated).toBe(false);
    const row = differences.find((candidate) => candidate.id === id);
    expect(row?.covers(asked)).toBe(true);
  });

  test('key-refetch: exact fetches for each invalid token, product does not', async () => {
    const fetches = async (mode: Mode) => {
      const known = await testIssuer();
      const ports = fakePorts();
      known.publish(ports.http);
      const linked = await linkNodes([jwtNode(known)], ports, { mode });
      const stranger = await testIssuer();
      for (let n = 0; n < 5; n += 1) {
        expect(nameOrReason(await ask(linked, await stranger.token()))).toContain('rejected');
      }
      return ports.http.asked.filter((url) => url.endsWith('/jwks')).length;
    };
    expect(await fetches('exact')).toBe(5);
    expect(await fetches('product')).toBe(1);
  });

  describe('early-rejection: of two problems, exact reports the signature', () => {
    const past = startSeconds - 1;
    const ahead = startSeconds + 61;
    const signature = 'failed to verify signature';
    const setUp = async (mode: Mode) => {
      const known = await testIssuer();
      const stranger = await testIssuer(known.url);
      const ports = fakePorts();
      known.publish(ports.http);
      const linked = await linkNodes([jwtNode(known)], ports, { mode });
      const decide = async (token: string) => nameOrReason(await ask(linked, token));
      const asked = () => ports.http.asked.length;
      return { known, stranger, decide, asked };
    };
    test.each([
      ['aud', { aud: 'other' }, 'expected audience "app" got ["other"]'],
      ['exp', { exp: past }, 'token is expired'],
      ['nbf', { nbf: ahead }, 'before the nbf'],
    ] as const)('%s', async (_claim, claims, message) => {
      for (const mode of ['exact', 'product'] as const) {
        const { known, stranger, decide, asked } = await setUp(mode);
        // The tokens of an issuer without known keys are verified in kube-apiserver's order.
        expect(await decide(await stranger.token(claims))).toContain(signature);
        const before = asked();
        expect(await decide(await stranger.token(claims))).toContain(
          mode === 'exact' ? signature : message,
        );
        expect(asked() - before).toBe(mode === 'exact' ? 1 : 0);
        expect(await decide(await known.token(claims))).toContain(message);
        expect(await decide(await known.token())).toBe('accepted jane');
        expect(await decide(await stranger.token())).toContain(signature);
      }
    });
    test('malformed claims are reported after the signature', async () => {
      const { known, stranger, decide } = await setUp('product');
      await decide(await known.token());
      expect(await decide(await stranger.token({ exp: 'soon' }))).toContain(signature);
      const sources = { exp: past, _claim_names: { groups: 'g' }, _claim_sources: {} };
      expect(await decide(await stranger.token(sources))).toContain(signature);
    });
  });
});

describe('rows that are not about tokens', () => {
  const file = (extra: string) => inputFor('', { entry: JSON.parse(`{${extra}}`) }).config;
  const extraKey = (key: string) =>
    file(
      `"claimMappings": {"username": {"claim": "sub", "prefix": ""}, "extra": [{"key": "${key}", "valueExpression": "'x'"}]}`,
    );
  const codes = (text: string, exact: boolean) =>
    compileText(text, { exact }).diagnostics.map(({ code }) => code);

  test.each([
    ['reserved-domain', extraKey('platform.io/tenant'), 'AG1042'],
    ['reserved-domain', extraKey('teams.platform.io/tenant'), 'AG1042'],
    ['document-limits', `# ${'x'.repeat(1024 * 1024)}\n${file('')}`, 'AG1004'],
    ['document-limits', file(`"x": ${'['.repeat(70)}${']'.repeat(70)}`), 'AG1004'],
  ] as const)('%s: exact accepts the file, product does not', (id, config, code) => {
    expect(codes(config, false)).toContain(code);
    expect(codes(config, true)).not.toContain(code);
    expect(differences.find((row) => row.id === id)?.covers({ config })).toBe(true);
  });

  test('reserved-domain: a name with the same ending is allowed', () => {
    expect(codes(extraKey('myplatform.io/tenant'), false)).toEqual([]);
  });

  test.each([
    [
      'expression-limits',
      `claims.a${'.optMap(x, x)'.repeat(100)}`,
      'expression exceeds 300000 nodes',
    ],
    [
      'load-panic',
      "{b'a': 1}.size() == 1",
      'internal error: runtime error: hash of unhashable type types.Bytes',
    ],
    ...['[?claims.x]', '[?dyn(1)]', '{?"a": claims.x}', '[["a", 1], [?claims.x]]'].map(
      (expression) =>
        [
          'load-panic',
          expression,
          'program instantiation failed: internal error: runtime error: index out of range [0] with length 0',
        ] as const,
    ),
  ] as const)('%s: an error, always', (id, expression, message) => {
    const { compileError } = answerCel({ kind: 'claims', expression, claims: {} });
    expect(compileError).toContain(message);
    const row = differences.find((candidate) => candidate.id === id);
    expect(row?.covers({ expression })).toBe(true);
    expect(row?.always).toBe(true);
  });

  test('expression-limits: a value that would exhaust the memory', () => {
    const expression = "claims.s.replace('', claims.s).replace('', claims.s)";
    const claims = { s: 'x'.repeat(2000) };
    const { evalError } = answerCel({ kind: 'claims', expression, claims });
    expect(evalError).toBe('operation cancelled: actual cost limit exceeded');
  });

  test('expression-limits: a regular expression with many instructions', () => {
    const expression = "claims.s.matches(claims.s + '{1000}' + 'b{1000}'.replace('b', claims.s))";
    const claims = { s: 'a{1000}'.repeat(40) };
    const { evalError } = answerCel({ kind: 'claims', expression, claims });
    expect(evalError).toBe('operation cancelled: actual cost limit exceeded');
    const row = differences.find((candidate) => candidate.id === 'expression-limits');
    expect(row?.covers({ expression })).toBe(true);
  });

  test('request-limits: a deeply nested body is rejected', () => {
    const reading = readReview({
      format: 'json',
      bytes: new TextEncoder().encode(`{"spec":${'['.repeat(70)}${']'.repeat(70)}}`),
      group: 'authentication.k8s.io',
      kind: 'TokenReview',
      validation: 'Ignore',
    });
    expect(reading.kind === 'error' && reading.error.message).toContain('exceeded max depth');
  });
});

test('served-objects: other objects are rejected', async () => {
  const api = await objectApi();
  const secrets = '/api/v1/namespaces/default/secrets';
  const opaque = await api.ask('POST', secrets, { body: { metadata: { name: 'a' } } });
  expect([opaque.status, opaque.body.message]).toEqual([
    422,
    expect.stringContaining('type: Unsupported value: "Opaque"'),
  ]);
  const applied = await api.ask('PATCH', '/api/v1/namespaces/default?fieldManager=me', {
    body: {},
    headers: ['Content-Type: application/apply-patch+yaml'],
  });
  expect([applied.status, applied.body.message]).toEqual([
    415,
    expect.stringContaining('the body of the request was in an unknown format'),
  ]);
});

test.each([
  ['no flag', []],
  [
    'an issuer and a key',
    ['--service-account-issuer=https://a.example', '--service-account-key-file=a.pub'],
  ],
])('required-flags: %s is sufficient', (_name, args) => {
  expect(readServeOptions(args).kind).not.toBe('problems');
});

test('accepted-spellings: documented flag values are accepted with a warning', () => {
  const reading = readServeOptions([
    '--oidc-issuer-url=https://a.example',
    '--oidc-client-id=a',
    '--bind-address=127.0.0.1',
    '--oidc-signing-algs=RSA256,ES256',
    '--feature-gates=StructuredAuthenticationconfiguration=true,APISelfSubjectReview=true',
  ]);
  if (reading.kind !== 'options') throw new Error('not accepted');
  expect(reading.options.oidc?.signingAlgorithms).toEqual(['RS256', 'ES256']);
  expect(reading.options.warnings).toEqual([
    expect.stringContaining('is accepted as StructuredAuthenticationConfiguration'),
    expect.stringContaining('StructuredAuthenticationConfiguration has no effect'),
    expect.stringContaining('APISelfSubjectReview has no effect'),
    '--oidc-signing-algs: RSA256 is accepted as RS256',
  ]);
});

test('webhook-group: a reply in another group than the request is rejected', () => {
  const ask = (apiDomain: string, apiVersion: string) => {
    const status = { authenticated: true, user: { username: 'jane' } };
    const body = Buffer.from(JSON.stringify({ apiVersion, kind: 'TokenReview', status }));
    const response = { status: 200, statusText: 'OK', headers: new Map(), body };
    const outcome = readReviewResponse(response, { apiDomain, version: 'v1' }, 'product');
    return outcome.kind === 'failure' ? outcome.message : outcome.review.user.username;
  };
  expect(ask('platform.io', 'authentication.platform.io/v1')).toBe('jane');
  expect(ask('platform.io', '')).toBe('jane');
  expect(ask('k8s.io', 'authentication.k8s.io/v1')).toBe('jane');
  expect(ask('platform.io', 'authentication.k8s.io/v1')).toBe(
    'webhook: refused: the reply has apiVersion "authentication.k8s.io/v1", the request had "authentication.platform.io/v1"',
  );
  expect(ask('platform.io', 'v1')).toContain(
    '"v1", the request had "authentication.platform.io/v1"',
  );
  expect(ask('k8s.io', 'authentication.platform.io/v1')).toContain('no kind "TokenReview"');
});

test.each([
  'oidc: verify token: refused: the header has crit or b64',
  'oidc: refused: more than 10000 groups',
  'oidc: refused: the expressions exceed the cost limit of a token',
])('%s has the code of a stricter rule', (message) => {
  expect(explainMessage(message)?.rejection?.code).toBe('AG5002');
});

test('every row has a recorded case or a test', async () => {
  const shown = new Set<DifferenceId>([
    ...inputs.keys(),
    'key-refetch',
    'early-rejection',
    'reserved-domain',
    'document-limits',
    'expression-limits',
    'load-panic',
    'request-limits',
    'served-objects',
    'required-flags',
    'webhook-group',
    'accepted-spellings',
    // `authenticators/keys.test.ts` and `test/server/fairness` test these rows.
    'bounded-waiting',
    // The runners of recorded authenticator answers test these rows.
    'library-errors',
  ]);
  const recorded = cases<RecordedAuthentication & AuthenticateQuestion, AuthenticateAnswer>(
    'conformance/authenticate.jsonl',
  );
  for (const { input, expected } of recorded) {
    const [row, ...others] = differences.filter(({ covers }) => covers(input));
    if (row === undefined || others.length > 0 || shown.has(row.id)) continue;
    const answer = await answerAuthenticate(input, 'product');
    if (answer.authenticated !== expected.authenticated || answer.error !== expected.error) {
      shown.add(row.id);
    }
  }
  expect(differences.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});
