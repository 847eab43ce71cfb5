/** `authgraph/evaluate`: a selected expression with its value for every sample. */
import { afterEach, expect, test } from 'vitest';
import type { EvaluateAnswer } from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimValidationRules:
  - expression: claims.hd == 'x.example'
  claimMappings:
    username:
      expression: "'a:' + claims.sub"
    groups:
      expression: >-
        dyn(claims.?roles.orValue([]))
        .map(role, 'a:' + role)
  userValidationRules:
  - expression: user.username != 'a:root'
- issuer: { url: https://b.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'b:' }
`;
const claims = (sub: string, more = ''): string =>
  `iss: https://a.example\naud: app\nsub: ${sub}\n${more}`;
const token = `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.eyJzdWIiOiJ6b2UifQ.c2lnbmF0dXJlLW9mLXpvZQ`;

const samples = {
  ada: claims('ada', 'hd: x.example\nroles: [dev, "o|ps"]\n'),
  bob: claims('bob', 'hd: 7\nroles: [ops]\n'),
  cid: claims('cid', `note: ${token}\nhd: x.example\n`),
  eve: 'iss: https://b.example\naud: app\nsub: eve\n',
};

let client: LanguageClient;
afterEach(() => client.close());

const start = async (files: Readonly<Record<string, string>> = samples): Promise<void> => {
  client = await languageClient({
    files: new Map(
      Object.entries(files).map(([name, sample]) => [
        `${workspaceUri}/${name}.claims.yaml`,
        sample,
      ]),
    ),
  });
  await client.open(uri, text);
};

/** Evaluates from the first occurrence of a text to its end, or at its start. */
const evaluate = async (
  selected: string,
  { isCursor = false, until = selected }: { isCursor?: boolean; until?: string } = {},
): Promise<EvaluateAnswer> => {
  const positionAt = (offset: number) => {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };
  const from = text.indexOf(selected);
  const to = isCursor ? from : text.indexOf(until, from) + until.length;
  expect(from).toBeGreaterThan(-1);
  const answer = await client.connection.sendRequest<EvaluateAnswer>('authgraph/evaluate', {
    uri,
    range: { start: positionAt(from), end: positionAt(to) },
  });
  expect(client.log).toEqual([]);
  return answer;
};

/** Returns the lines of the table, without its head and without the padding of its cells. */
const rowsOf = ({ markdown = '' }: EvaluateAnswer): readonly string[] =>
  markdown
    .slice(markdown.indexOf('| --- '))
    .split('\n')
    .slice(1)
    .map((row) => row.replaceAll(/ +\|/g, ' |'));

test('shows value or error and type for each sample, the current one first', async () => {
  await start();
  await client.connection.sendRequest('authgraph/chooseSample', { name: 'bob' });
  expect(await evaluate("claims.hd == 'x.example'")).toEqual({
    markdown: [
      '```cel',
      "claims.hd == 'x.example'  // bool",
      '```',
      '',
      '`jwt[0].claimValidationRules[0].expression` of `auth.yaml`',
      '',
      '| sample              | value   | type   |',
      '| --- | --- | --- |',
      '| **`bob`** (current) | `false` | `bool` |',
      '| `ada`               | `true`  | `bool` |',
      '| `cid`               | `true`  | `bool` |',
    ].join('\n'),
  });
});

test.each([
  [
    'the cursor in the expression',
    'hd ==',
    { isCursor: true },
    '| **`ada`** (current) | `true` | `bool` |',
  ],
  ['the whole line', '  - expression: claims.hd', { until: "'x.example'" }, '`true`'],
  ['white space around it', ' + claims.sub"', { until: 'claims.sub' }, 'problem'],
  ['a part', 'claims.sub', {}, '| **`ada`** (current) | `"ada"` | `string` |'],
  ['a missing claim', 'claims.?roles.orValue([])', {}, '| `cid` | `[]` | `list(dyn)` |'],
  [
    'a part inside a macro, which has a value for each element',
    "'a:' + role",
    {},
    String.raw`| **\`ada\`** (current) | each: \`"a:dev", "a:o\|ps"\` | \`string\` |`,
  ],
  ['a list', 'dyn(claims.?roles', { until: 'role)' }, '`["a:dev","a:o\\|ps"]`'],
  ['the user', 'user.username', {}, '`"a:ada"`'],
] as const)('evaluates %s', async (_, selected, options, expected) => {
  await start();
  const answer = await evaluate(selected, options);
  if (expected === 'problem') {
    expect(answer).toEqual({
      problem:
        "the selection can't be evaluated on its own: select a complete expression without errors",
    });
  } else
    expect(answer.problem ?? rowsOf(answer).join('\n')).toContain(expected.replaceAll('\\`', '`'));
});

test('reports that the mappings of a sample give no user', async () => {
  await start({ ada: samples.ada, dan: 'iss: https://a.example\naud: app\n' });
  expect(rowsOf(await evaluate('user.username'))).toContain(
    '| `dan` | not evaluated: the mappings give no user | |',
  );
});

test('shows nothing of a token in the claims', async () => {
  await start();
  for (const selected of ["'a:' + claims.sub", 'claims']) {
    const { markdown = '' } = await evaluate(selected);
    for (const part of token.split('.')) expect(markdown).not.toContain(part);
  }
  const { markdown } = await evaluate('claims');
  expect(markdown).toContain('\\"note\\":\\"[redacted]\\"'.replaceAll('\\', ''));
});

test.each([
  ['issuer:', 'there is no CEL expression here: select one, or put the cursor in one'],
  ['{ claim: sub', 'there is no CEL expression here: select one, or put the cursor in one'],
  [
    'claims.hd ==',
    "the selection can't be evaluated on its own: select a complete expression without errors",
  ],
])('explains why %s has no values', async (selected, problem) => {
  await start();
  expect(await evaluate(selected)).toEqual({ problem });
});

test('explains that there is no sample', async () => {
  await start({ eve: samples.eve });
  expect(await evaluate('claims.sub')).toEqual({
    problem:
      'no sample is of the issuer of this authenticator: save its claims to a file such as jane.claims.yaml',
  });
});

test('answers malformed requests', async () => {
  await start();
  for (const params of [undefined, null, {}, { uri }, { uri, range: {} }, { uri: 7, range: 7 }]) {
    const answer = await client.connection.sendRequest<EvaluateAnswer>(
      'authgraph/evaluate',
      params,
    );
    expect(answer.markdown).toBeUndefined();
  }
});

test('answers other requests between the samples', async () => {
  const many = Array.from({ length: 400 }, (_, at) => [`s${at}`, claims(`s${at}`)] as const);
  await start(Object.fromEntries(many));
  let isEvaluated = false;
  const evaluated = evaluate("'a:' + claims.sub").then((answer) => {
    isEvaluated = true;
    return answer;
  });
  await client.connection.sendRequest('textDocument/foldingRange', { textDocument: { uri } });
  expect(isEvaluated).toBe(false);
  expect(rowsOf(await evaluated)).toHaveLength(400);
});
