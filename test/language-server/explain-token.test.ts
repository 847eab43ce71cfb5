/** One answer about a token over all configurations of the workspace, open or not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ExplainedRow,
  type ExplainTokenReport,
  explainTokenRequest,
  type SamplesAnswer,
  samplesRequest,
} from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';
const entry = (url: string, audience: string, rest = ''): string => `- issuer:
    url: ${url}
    audiences: [${audience}]
  claimMappings: {username: {claim: sub, prefix: "a:"}}
${rest}`;
const rule = `  claimValidationRules:
  - expression: claims.hd == 'corp.example'
    message: only corp.example
`;
const open = `${workspaceUri}/open.yaml`;
const files = new Map([
  [`${workspaceUri}/closed.yaml`, head + entry('https://a.example', 'app', rule)],
  [`${workspaceUri}/broken.yaml`, `${head}${entry('https://a.example', 'app')}  extra: 1\n`],
  [
    `${workspaceUri}/maps.yaml`,
    [...'xz']
      .map((name) => {
        const text = (head + entry(`https://${name}.example/tenant-1`, name)).replace(
          /^/gm,
          '    ',
        );
        return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  auth.yaml: |\n${text}`;
      })
      .join('\n---\n'),
  ],
]);
const later = 4_102_444_800;
const valid = { iss: 'https://a.example', aud: 'app', exp: later, sub: 'jane' };

let client: LanguageClient;
beforeAll(async () => {
  client = await languageClient({ files });
  await client.open(open, head + entry('https://a.example', 'kubernetes'));
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.close();
});

const explain = (claims: object | string, signature?: string): Promise<ExplainTokenReport> =>
  client.connection.sendRequest(explainTokenRequest, {
    claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
    ...(signature === undefined ? {} : { signature }),
  });
const nameOf = ({ uri, configuration: { title } }: ExplainedRow): string =>
  [uri.replace(`${workspaceUri}/`, ''), ...(title === undefined ? [] : [title])].join(' ');
const lineOf = (place: ExplainedRow['place']): number | undefined =>
  place && place.range.start.line + 1;
const rowIn = ({ rows }: ExplainTokenReport, name: string): ExplainedRow => {
  const row = rows.find((one) => nameOf(one).startsWith(name));
  if (row === undefined) throw new Error(`no row of ${name}`);
  return row;
};

test('names each configuration, its authenticator and the check that fails', async () => {
  const report = await explain(valid);
  expect(report.summary).toBe(
    '0 of 5 configurations accept this token. 1 configuration does not load.',
  );
  expect(
    report.rows.map((row) => [
      nameOf(row),
      row.verdict,
      row.authenticator?.path,
      row.check,
      lineOf(row.place),
    ]),
  ).toEqual([
    ['broken.yaml', 'undecided', 'jwt[0]', undefined, undefined],
    ['closed.yaml', 'rejected', 'jwt[0]', 'claimValidationRules[0]', 9],
    ['maps.yaml x · auth.yaml', 'noOpinion', undefined, 'issuer', undefined],
    ['maps.yaml z · auth.yaml', 'noOpinion', undefined, 'issuer', undefined],
    ['open.yaml', 'rejected', 'jwt[0]', 'audience', 6],
  ]);
});

test('names a configuration that does not load, with its errors', async () => {
  const { loadFailure, reason } = rowIn(await explain(valid), 'broken');
  expect(loadFailure).toMatchObject({ text: 'This configuration does not load (1 error)' });
  expect(loadFailure?.errors[0]?.place.range.start.line).toBe(7);
  expect(reason).toBe('jwt[0] has 1 error (line 8)');
});

describe("returns kube-apiserver's log line, and changes that would be accepted", () => {
  test('for a rule', async () => {
    expect(rowIn(await explain({ ...valid, hd: 'x' }), 'closed')).toMatchObject({
      reason: 'only corp.example',
      logLine:
        '"Unable to authenticate the request" err="[invalid bearer token, oidc: error evaluating claim validation expression: validation expression \'claims.hd == \'corp.example\'\' failed: only corp.example]"',
      code: 'AG5019',
      whyNot: ['if hd were "corp.example"'],
    });
  });
  test('for an audience, with its quotes escaped', async () => {
    expect(rowIn(await explain(valid), 'open')).toMatchObject({
      reason: 'audience is "app", not "kubernetes"',
      logLine: String.raw`"Unable to authenticate the request" err="[invalid bearer token, oidc: verify token: oidc: expected audience \"kubernetes\" got [\"app\"]]"`,
      code: 'AG5009',
    });
  });
  test('for an unknown issuer, once', async () => {
    expect(rowIn(await explain(valid), 'maps.yaml x')).toMatchObject({
      reason: 'no authenticator accepts its issuer',
      logLine: '"Unable to authenticate the request" err="invalid bearer token"',
    });
  });
  test('not for a token that is accepted', async () => {
    const row = rowIn(await explain({ ...valid, hd: 'corp.example' }), 'closed');
    expect(row).toMatchObject({ verdict: 'accepted', user: { username: 'a:jane' } });
    expect(row).not.toHaveProperty('logLine');
    expect(row).not.toHaveProperty('check');
  });
});

test.each([
  ['an expired token', { exp: 1_700_000_000 }, undefined, 'exp'],
  ['a token that is not valid yet', { nbf: later - 1 }, undefined, 'nbf'],
  [
    'a wrong signature',
    { hd: 'corp.example' },
    'signature does not match a.jwks.json',
    'signature',
  ],
  ['claims that cannot be read', { sub: 7 }, undefined, 'claims'],
])('names the check of %s', async (_, claims, signature, check) => {
  expect(rowIn(await explain({ ...valid, ...claims }, signature), 'closed').check).toBe(check);
});

test.each([
  [{ iss: 'https://a.example/' }, 'issuer', 'differs only in a slash at its end', 'broken.yaml'],
  [{ iss: 'https://A.example' }, 'issuer', 'differs only in letter case', 'broken.yaml'],
  [{ iss: 'https://b.example' }, 'issuer', 'differs in one character', 'broken.yaml'],
  [{ iss: 'https://x.example/t2' }, 'issuer', 'has the same host, x.example', 'maps.yaml'],
  [{ aud: ['other', 'kubernets'] }, 'audience', 'differs in one character', 'open.yaml'],
])('finds what is most similar to %o', async (claims, kind, relation, file) => {
  const { nearest } = await explain({ ...valid, ...claims });
  expect(nearest).toMatchObject({ kind, place: { uri: `${workspaceUri}/${file}` } });
  expect(nearest?.text).toMatch(new RegExp(`^No configuration .* in ${file}, ${relation}\\.$`));
});

test('reports that nothing is similar, and nothing if the value is configured', async () => {
  const unlike = await explain({ ...valid, iss: 'urn:something:else:entirely' });
  expect(unlike.nearest).toEqual({
    kind: 'issuer',
    text: 'No configuration has the issuer "urn:something:else:entirely".',
  });
  expect((await explain(valid)).nearest).toBeUndefined();
});

test.each([
  ['', 'the claims are not a JSON object'],
  ['[]', 'the claims are not a JSON object'],
  [`{"a": "${'x'.repeat(300_000)}"}`, 'the claims are longer than 262144 characters'],
  [
    '{"t": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"}',
    /contains a token; send only its claims/,
  ],
])('rejects claims that are no claims', async (claims, problem) => {
  const report = await explain(claims);
  expect(report).toMatchObject({ summary: '', rows: [] });
  expect(report.problem).toMatch(problem);
});

test('hostile claims stay short and printable, and become no sample', async () => {
  const report = await explain({
    ...{
      iss: `https://a.example/\u202e${'<b>'.repeat(5000)}\n`,
      aud: Array(20_000).fill('\u0000'),
    },
    ...{ exp: later, sub: '__proto__' },
  });
  expect(report.rows).toHaveLength(5);
  const shown = JSON.stringify(report);
  expect(shown.length).toBeLessThan(20_000);
  expect(shown).not.toMatch(/[\u202e\u0000]|\\u202e/);
  const { samples } = await client.connection.sendRequest<SamplesAnswer>(samplesRequest, {});
  expect(samples).toEqual([]);
});

test('reports a workspace without configurations', async () => {
  const empty = await languageClient();
  try {
    const report = await empty.connection.sendRequest<ExplainTokenReport>(explainTokenRequest, {
      claims: JSON.stringify(valid),
    });
    expect(report).toMatchObject({ rows: [], problem: expect.stringMatching(/^no configuration/) });
  } finally {
    await empty.close();
  }
});

test('proposes values of samples of the same workspace folder only', async () => {
  const folders = ['file:///one', 'file:///two'];
  const sampleIn = (team: string): string => JSON.stringify({ ...valid, team });
  const inFolders = await languageClient({
    folders,
    files: new Map([
      ['file:///one/a.yaml', head + entry('https://a.example', 'app', hasTeam)],
      ['file:///one/own.claims.json', sampleIn('own')],
      ['file:///two/another.claims.json', sampleIn('another')],
    ]),
  });
  try {
    const { rows } = await inFolders.connection.sendRequest<ExplainTokenReport>(
      explainTokenRequest,
      { claims: JSON.stringify(valid) },
    );
    expect(rows.map(({ whyNot }) => whyNot)).toEqual([['if team were "own"']]);
  } finally {
    await inFolders.close();
  }
});

const hasTeam = '  claimValidationRules:\n  - expression: has(claims.team)\n';

test('compares all audiences of a token with those that are accepted', async () => {
  const aud = ['a', 'b', 'c', 'd', 'app'];
  expect((await explain({ ...valid, aud })).nearest).toBeUndefined();
});
