/** The Markdown report of an edit: the text of `authgraph diff -o markdown` for the same versions. */
import { describe, expect, test } from 'vitest';
import { type ChangeMarkdown, changeMarkdownRequest } from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { runCaptured } from '../support/captured-io.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const old = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: 'oidc:' }
`;
const admins = old.replace("groups, prefix: 'oidc:'", "groups, prefix: ''");
const files = {
  'bob.claims.yaml': 'iss: https://a.example\nsub: bob\nhd: corp.example\n',
  'jane.claims.json': '{"iss": "https://a.example", "sub": "jane", "groups": ["dev"]}',
  'root.claims.json':
    '{"iss": "https://a.example", "sub": "x", "groups": ["system:masters", "system:nodes"]}',
  'zoe.claims.json': '{"iss": "https://a.example", "sub": "zoe", "aud": "cluster"}',
};

const uri = `${workspaceUri}/auth.yaml`;

/** Returns the report about an open text and another one. */
const reportOf = async (
  opened: string,
  params: { readonly against?: string; readonly before: string },
  saved = old,
): Promise<ChangeMarkdown> => {
  const client = await languageClient({
    files: new Map([
      [uri, saved],
      ...Object.entries(files).map(([name, text]) => [`${workspaceUri}/${name}`, text] as const),
    ]),
  });
  try {
    await client.open(uri, opened);
    const report = await client.connection.sendRequest<ChangeMarkdown>(changeMarkdownRequest, {
      uri,
      after: 'auth.yaml',
      ...params,
    });
    expect(client.log).toEqual([]);
    return report;
  } finally {
    await client.close();
  }
};

describe('equals that of the command', () => {
  test.each([
    ['a rule that rejects', `${old}  claimValidationRules: [{ claim: hd, requiredValue: x }]\n`],
    ['groups without a prefix', admins],
    ['another audience', old.replace('[app]', '[cluster]')],
    [
      'an authority that changes, and a name that could end a code span',
      old.replace('audiences', 'discoveryURL: "https://b.example/`x`", audiences'),
    ],
    [
      'an undecided question',
      `${old}  claimValidationRules: [{ expression: "claims.a.indexOf(claims.b) == 3" }]\n`,
    ],
    ['no change', old],
  ])('%s', async (_, text) => {
    const { stdout, stderr } = await runCaptured(
      [
        ...['diff', 'v1:auth.yaml', 'auth.yaml', '-o', 'markdown'],
        ...Object.keys(files).flatMap((name) => ['--claims', name]),
      ],
      { files: { ...files, 'auth.yaml': text }, revisions: { 'v1:auth.yaml': old } },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^### Access difference: `v1:auth.yaml` → `auth.yaml`/);
    expect(await reportOf(text, { against: old, before: 'v1:auth.yaml' })).toEqual({
      text: stdout,
    });
  });
});

test('compares with the saved file, and names each configuration of a document', async () => {
  const mapOf = (one: string, other: string): string => {
    const key = (name: string, text: string): string =>
      `  ${name}: |\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
    return `apiVersion: v1
kind: ConfigMap
metadata: { name: auth }
data:
${key('a.yaml', one)}${key('b.yaml', other)}`;
  };
  const other = old.replace('a.example', 'b.example');
  const report = await reportOf(
    mapOf(old, other.replaceAll("'oidc:'", "'new:'")),
    { before: 'auth.yaml (saved)' },
    mapOf(old, other),
  );
  const text = 'text' in report ? report.text : '';
  expect(text.match(/^### .*$/gm)).toEqual([
    '### Access difference: `auth.yaml (saved) (auth · a.yaml)` → `auth.yaml (auth · a.yaml)`',
    '### Access difference: `auth.yaml (saved) (auth · b.yaml)` → `auth.yaml (auth · b.yaml)`',
  ]);
  // Positions are those of the document.
  expect(text).toContain('by `auth.yaml:19:28 jwt[0].claimMappings.username: sub`');
});

test.each([
  ['the text has errors', old.replace('https', 'http'), { against: old }, problems.hasErrors],
  ['the other one has errors', old, { against: old.replace('https', 'http') }, problems.hadErrors],
])('there is no report if %s', async (_, text, params, problem) => {
  expect(await reportOf(text, { before: 'x', ...params })).toEqual({ problem });
});
