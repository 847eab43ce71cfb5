/**
 * A configuration with an error is not loaded as a whole: every view says so, and what its preview
 * of the valid entries assumes.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver';
import {
  type ChangeReport,
  changeMarkdownRequest,
  changeRequest,
  type GraphAnswer,
  graphRequest,
  type LoadFailureRow,
  type VerdictsReport,
  verdictsRequest,
  type WhoamiReport,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/auth.yaml`;
const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const entry = (name: string, mapping = 'claim: sub, prefix: ""'): string => `- issuer:
    url: https://${name}.example
    audiences: [app]
  claimMappings: { username: { ${mapping} } }
`;
const valid = `${header}jwt:\n${entry('a')}${entry('b')}`;
const invalid = `${header}jwt:\n${entry('a')}${entry('b', 'claim: sub')}`;
const title = 'This configuration does not load (1 error)';
const assumption = 'as if jwt[1] were removed';

const start = async (text: string) => {
  const files = ['a', 'b'].map((name): [string, string] => [
    `${workspaceUri}/of-${name}.claims.json`,
    JSON.stringify({ iss: `https://${name}.example`, aud: 'app', sub: `of-${name}` }),
  ]);
  client = await languageClient({ files: new Map(files) });
  const { connection } = client;
  await client.open(uri, text);
  await connection.sendRequest('authgraph/samples', {});
  await connection.sendRequest('authgraph/chooseSample', { name: 'of-a' });
  return <Answer>(method: string, params: object): Promise<Answer> =>
    connection.sendRequest<Answer>(method, { uri, ...params });
};

const failure = (line: number): LoadFailureRow =>
  expect.objectContaining({
    text: title,
    asIf: assumption,
    errors: [
      {
        message: expect.any(String),
        place: {
          uri,
          range: expect.objectContaining({
            start: { line: line - 1, character: expect.any(Number) },
          }),
        },
      },
    ],
  });

test('every view reports that the file does not load and marks its previews', async () => {
  const ask = await start(invalid);
  const expected = [
    ['acceptedWithNote', `of-a → of-a · 1 group · ${assumption}`],
    ['undecided', 'of-b: jwt[1] has 1 error (line 11)'],
  ];
  for (const method of [verdictsRequest, whoamiRequest]) {
    const { rows, loadFailures } = await ask<VerdictsReport>(method, { samples: 'all' });
    expect(rows.map(({ verdict, headline }) => [verdict, headline])).toEqual(expected);
    expect(loadFailures).toEqual([failure(11)]);
  }
  const graph = await ask<GraphAnswer>(graphRequest, {});
  expect(graph.problem).toBe(title);
  expect(graph.pictures[0]?.nodes.map(({ id }) => id)).toContain('jwt[1]');
  expect(graph.pictures[0]?.text).toContain(`of-a → of-a · 1 group · ${assumption}\n`);
  const lenses = await ask<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  expect(lenses.map(({ command }) => command?.title)).toEqual(
    expect.arrayContaining([
      `⚠ ${title}`,
      `⚠ of-a → of-a · 1 group · ${assumption}`,
      '1 of 1 sample accepted',
    ]),
  );
});

test('a change to a text that does not load is reported as such, not as a loss', async () => {
  const ask = await start(invalid);
  const report = await ask<ChangeReport>(changeRequest, { against: valid });
  expect(report.loadFailures).toEqual([failure(11)]);
  expect(report).not.toHaveProperty('failureBefore');
  expect(report).not.toHaveProperty('loss');
  expect(report.rows.map(({ before, after }) => [before, after])).toEqual([
    ['of-a → of-a · 1 group', `of-a → of-a · 1 group · ${assumption}`],
  ]);
});

test('a change from a text that does not load is reported as such', async () => {
  const ask = await start(valid);
  const report = await ask<ChangeReport>(changeRequest, { against: invalid });
  expect(report).not.toHaveProperty('loadFailures');
  expect(report.failureBefore).toMatch(/^the version to compare with does not load/);
});

describe.each([
  ['an empty file', ''],
  ['another kind', valid.replace('kind: AuthenticationConfiguration', 'kind: Pod')],
])('%s does not load', (_, text) => {
  const names = { before: 'a', after: 'b' };
  test('after a change, so no access is lost', async () => {
    const ask = await start(text);
    const report = await ask<ChangeReport>(changeRequest, { against: valid });
    expect(report.loadFailures).toMatchObject([
      {
        text: 'This file does not load, because it has no AuthenticationConfiguration',
        failedBefore: false,
      },
    ]);
    expect(report.summary).toMatch(/, as if it had no authenticators$/);
    expect(report).not.toHaveProperty('loss');
    expect(report).not.toHaveProperty('lockOut');
    expect(await ask(changeMarkdownRequest, { against: valid, ...names })).toEqual({
      problem: problems.noConfiguration,
    });
  });
  test('before a change, so no access is gained', async () => {
    const ask = await start(valid);
    const report = await ask<ChangeReport>(changeRequest, { against: text });
    expect(report.failureBefore).toBe(problems.hadNoConfiguration);
    expect(await ask(changeMarkdownRequest, { against: text, ...names })).toEqual({
      problem: problems.hadNoConfiguration,
    });
  });
});

test('a file that loads has no mark', async () => {
  const ask = await start(valid);
  const report = await ask<WhoamiReport>(whoamiRequest, { samples: 'all' });
  expect(report).not.toHaveProperty('loadFailures');
  expect(report.rows.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted']);
});

test.each([
  [
    'of two entries',
    `${header}jwt:\n${entry('a', 'claim: sub')}${entry('b', 'claim: sub')}`,
    2,
    'as if jwt[0] and jwt[1] were removed',
  ],
  [
    'outside of the entries',
    `${valid}anonymous: { enabled: 7 }\n`,
    1,
    'as if its errors were fixed',
  ],
  [
    'of many entries',
    `${header}jwt:\n${['a', 'b', 'c'].map((name) => entry(name, 'claim: sub')).join('')}`,
    3,
    'as if 3 entries of jwt were removed',
  ],
])('errors %s determine what previews assume', async (_, text, count, asIf) => {
  const ask = await start(text);
  const { loadFailures = [] } = await ask<VerdictsReport>(verdictsRequest, { samples: 'all' });
  expect(loadFailures.map((each) => [each.text, each.asIf])).toEqual([
    [`This configuration does not load (${count} ${count === 1 ? 'error' : 'errors'})`, asIf],
  ]);
});

test('a file that is too long to be analyzed leaves samples undecided for that reason', async () => {
  const ask = await start(`${header}jwt:\n${'# comment\n'.repeat(120_000)}`);
  const { rows } = await ask<WhoamiReport>(whoamiRequest, { samples: 'all' });
  const reason = 'the file has 1200078 characters; the limit is 1048576';
  expect(rows).toMatchObject([
    { verdict: 'undecided', reason },
    { verdict: 'undecided', reason },
  ]);
});

test('after an error in one configuration, an error in the other one is a new failure', async () => {
  const map = (name: string, text: string): string =>
    `kind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  auth.yaml: |\n${text.replace(/^/gm, '    ')}\n`;
  const ask = await start([map('one', invalid), map('two', invalid)].join('---\n'));
  const against = [map('one', invalid), map('two', valid)].join('---\n');
  const { loadFailures = [] } = await ask<ChangeReport>(changeRequest, { against });
  expect(
    loadFailures.map(({ configuration, failedBefore }) => [configuration.title, failedBefore]),
  ).toEqual([
    ['one · auth.yaml', true],
    ['two · auth.yaml', false],
  ]);
});

test('a file with several configurations names the one that does not load', async () => {
  const map = (name: string, text: string): string =>
    `kind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  auth.yaml: |\n${text.replace(/^/gm, '    ')}\n`;
  const ask = await start([map('one', valid), map('two', invalid)].join('---\n'));
  const { rows, loadFailures = [] } = await ask<VerdictsReport>(verdictsRequest, {
    samples: 'all',
  });
  expect(loadFailures.map(({ text }) => text)).toEqual(['two · auth.yaml does not load (1 error)']);
  expect(rows.map(({ verdict }) => verdict)).toEqual([
    ...['accepted', 'accepted', 'acceptedWithNote', 'undecided'],
  ]);
});
