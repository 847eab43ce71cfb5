/** Test files in the editor: mistakes, completion, hovers, and the results of the cases. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  CancellationToken,
  CodeAction,
  CompletionList,
  Diagnostic,
  Hover,
} from 'vscode-languageserver';
import { loadTestInput } from '../../language-server/src/features/load-test-cases.ts';
import { limits } from '../../language-server/src/limits.ts';
import {
  type TestCasesAnswer,
  type TestsAnswer,
  testCasesRequest,
  testsRequest,
} from '../../language-server/src/protocol.ts';
import { readTestFilePart } from '../../language-server/src/test-files.ts';
import type { Workspace } from '../../language-server/src/workspace.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/team/auth.authtest.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
  claimValidationRules:
  - { claim: hd, requiredValue: corp.example }
`;

const open = async (text: string, files: Readonly<Record<string, string>> = {}) => {
  const onDisk = Object.entries({ 'team/auth.yaml': configuration, ...files });
  client = await languageClient({
    files: new Map(onDisk.map(([path, content]) => [`${workspaceUri}/${path}`, content])),
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  });
  await client.open(uri, text);
  return client.connection;
};

/** Returns the text without its mark, and the position of the mark. */
const marked = (text: string) => {
  const before = text.slice(0, text.indexOf('$0')).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { text: text.replace('$0', ''), position };
};

describe('completion', () => {
  test.each([
    ['$0', ['configuration', 'tests']],
    ['te$0', ['configuration', 'tests']],
    ['tests:\n- name: x\n  $0', ['claims', 'expect', 'rows']],
    ['tests:\n  - name: x\n    expect:\n      $0', ['user', 'rejected']],
    ['tests:\n- name: x\n  expect:\n    user:\n      $0', ['username', 'groups']],
    ['tests:\n- name: x\n  rows:\n  - $0', ['name', 'claims', 'expect']],
    [
      'tests:\n- name: x\n  request:\n    certificate:\n      issuedBy: $0',
      ['client-ca', 'unknown'],
    ],
    ['base:\n  preset: $0', ['entra', 'google']],
    ['tests:\n- name: x\n  sign: $0', ['true', 'false']],
  ])('%j', async (source, wanted) => {
    const { text, position } = marked(source);
    const connection = await open(text);
    const list = await connection.sendRequest<CompletionList>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    const labels = list.items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(wanted));
  });

  test('leaves out the fields that exist', async () => {
    const { text, position } = marked(
      'tests:\n- name: x\n  $0\n  claims: {}\n- name: y\n  now: z\n',
    );
    const connection = await open(text);
    const list = await connection.sendRequest<CompletionList>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    const labels = list.items.map(({ label }) => label);
    expect(labels).toContain('now');
    expect(labels).not.toContain('claims');
    expect(labels).not.toContain('name');
  });
});

test.each([
  ['te$0sts: []', '**tests**'],
  ['tests:\n- name: x\n  expect: {us$0er: jane}', '**user**'],
  ['tests:\n- name: x\n  rows:\n  - wit$0hout: [x]', '**without**'],
])('hover %j', async (source, title) => {
  const { text, position } = marked(source);
  const connection = await open(text);
  const hover = await connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri },
    position,
  });
  expect(hover.contents).toMatchObject({ value: expect.stringContaining(title) });
});

test('shows mistakes with their fixes', async () => {
  const connection = await open('tests:\n- nam: x\n  expect: {user: jane}\n');
  const { items } = await connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  expect(items.map(({ code, message }) => [code, String(message)])).toEqual([
    ['AG3201', expect.stringContaining('tests[0].nam: unknown field')],
    ['AG3202', expect.stringContaining('tests[0]: name is required')],
  ]);
  const position = { line: 1, character: 3 };
  const actions = await connection.sendRequest<readonly CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [] },
  });
  expect(actions.map(({ title }) => title)).toContain('Rename to name');
});

describe('results', () => {
  const suite = `base: {claims: {sub: jane, hd: corp.example}}
tests:
- name: accepted
  expect: {user: "a:jane"}
- name: of another company
  claims: {hd: other.example}
  expect: {user: "a:jane"}
- name: from a sample
  sample: ann
  expect: {user: "a:ann"}
- name: signed
  sign: true
  expect: {user: "a:jane"}
`;
  const sample =
    '{"iss":"https://a.example","aud":"app","sub":"ann","hd":"corp.example","exp":4102444800}';
  const results = async (text: string, files = {}): Promise<TestsAnswer> => {
    const connection = await open(text, { 'team/ann.claims.json': sample, ...files });
    return connection.sendRequest(testsRequest, { uri });
  };

  test('have ranges, differences and the path through the graph', async () => {
    const { results: found, problem, commandLine } = await results(suite);
    expect(problem).toBeUndefined();
    expect(commandLine).toBe('authgraph test /workspace/team/auth.authtest.yaml');
    expect(found.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'accepted: passed',
      'of another company: failed',
      'from a sample: passed',
      'signed: skipped',
    ]);
    expect(found.at(-1)?.reason).toBe(
      'Signed tokens are not run in the editor. Run authgraph test.',
    );
    const [, failed] = found;
    expect(failed?.range.start).toEqual({ line: 4, character: 2 });
    expect(failed?.differences).toEqual([
      {
        what: 'decision',
        expected: 'accepted as "a:jane"',
        actual: expect.stringContaining('rejected with AG5018 by jwt[0].claimValidationRules[0]'),
      },
    ]);
    expect(failed?.place).toEqual({
      uri: `${workspaceUri}/team/auth.yaml`,
      range: expect.objectContaining({ start: { line: 6, character: 4 } }),
    });
    expect(failed?.path?.map(({ at }) => at)).toContain('jwt[0].claimMappings.username');
  });

  test('of a file that is not open are those of its saved text, with the files that decide them', async () => {
    client = await languageClient({
      files: new Map([
        [uri, suite],
        [`${workspaceUri}/team/auth.yaml`, configuration],
        [`${workspaceUri}/team/ann.claims.json`, sample],
      ]),
    });
    const answer = await client.connection.sendRequest<TestsAnswer>(testsRequest, { uri });
    expect(answer.results.map(({ status }) => status)).toEqual([
      'passed',
      'failed',
      'passed',
      'skipped',
    ]);
    expect(answer.inputs).toEqual([
      `${workspaceUri}/team/auth.yaml`,
      `${workspaceUri}/team/ann.claims.json`,
    ]);
  });

  test('of closed files do not wait for writers', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    try {
      const answer = await results(suite.replace('ann', 'missing'));
      expect(answer.problem).toContain('cannot be read');
      const waits = timers.mock.calls.map(([, milliseconds]) => milliseconds);
      expect(waits).not.toContain(limits.savedReadIntervalMs);
    } finally {
      timers.mockRestore();
    }
  });

  test('read a few samples at once, and no more of them once canceled', async () => {
    const text = Array.from({ length: 100 }, (_, at) => `- {name: n${at}, sample: s${at}}\n`);
    const part = readTestFilePart(uri, `tests:\n${text.join('')}`);
    const read: string[] = [];
    let [running, most] = [0, 0];
    const workspace = {
      text: () => undefined,
      isInFolder: () => true,
      partsOfComparedText: () => Promise.resolve([{ compilation: { graph: {} } }]),
      async savedText(address: string) {
        read.push(address);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        return '{}';
      },
    } as unknown as Workspace;
    const isCancellationRequested = () => read.length > 10;
    const token = {
      get isCancellationRequested() {
        return isCancellationRequested();
      },
    } as CancellationToken;
    expect(await loadTestInput(workspace, { ...part, diagnostics: [] }, token)).toBe('canceled');
    expect(most).toBe(8);
    expect(read).toHaveLength(17);
  });

  test('of a file with a percent sign use the configuration with this name', async () => {
    const address = `${workspaceUri}/team/100%25.authtest.yaml`;
    const connection = await open('', { 'team/100%25.yaml': configuration });
    await client?.open(address, 'base: {claims: {hd: x}}\ntests: []\n');
    const answer = await connection.sendRequest<TestsAnswer>(testsRequest, { uri: address });
    expect(answer.problem).toBeUndefined();
    expect(answer.inputs).toEqual([`${workspaceUri}/team/100%25.yaml`]);
  });

  test('have the path of the first failed cases only', async () => {
    const count = limits.testPaths + 1;
    const rows = '  - expect: {user: "a:x"}\n'.repeat(count);
    const { results: found } = await results(
      `base: {claims: {sub: jane, hd: corp.example}}\ntests:\n- name: many\n  rows:\n${rows}`,
    );
    expect(found.map(({ status }) => status)).toEqual(Array(count).fill('failed'));
    expect(found.filter(({ path }) => path !== undefined)).toHaveLength(limits.testPaths);
  });

  test('follow an open configuration that is not saved', async () => {
    const connection = await open(suite, { 'team/ann.claims.json': sample });
    await client?.open(
      `${workspaceUri}/team/auth.yaml`,
      configuration.replace('corp.example', 'other.example'),
    );
    const { results: found } = await connection.sendRequest<TestsAnswer>(testsRequest, { uri });
    expect(found.map(({ status }) => status)).toEqual(['failed', 'passed', 'failed', 'skipped']);
  });

  test.each([
    ['configuration: ../../etc/auth.yaml\ntests: []', 'outside of the workspace folders'],
    ['configuration: none.yaml\ntests: []', 'cannot be read'],
    ['tests: 1', 'the test file has mistakes: tests: must be a list'],
    [
      'samples: {a: ../../x.json}\ntests: [{name: x, sample: a, expect: {user: a}}]',
      'cannot be read',
    ],
  ])('%j has a problem', async (text, problem) => {
    const answer = await results(text);
    expect(answer.results).toEqual([]);
    expect(answer.problem).toContain(problem);
  });
});

describe('the cases of a file', () => {
  const list = async (text: string, requested = uri): Promise<TestCasesAnswer> =>
    (await open(text)).sendRequest(testCasesRequest, { uri: requested });

  test('have names and ranges, rows included', async () => {
    const answer = await list(
      'tests:\n- name: a\n  expect: {user: x}\n- name: b\n  expect: {user: x}\n  rows:\n  - {name: one}\n  - {}\n',
    );
    expect(answer.problem).toBeUndefined();
    expect(answer.cases.map(({ name, range }) => [name, range.start.line])).toEqual([
      ['a', 1],
      ['b / one', 6],
      ['b / row 2', 7],
    ]);
  });

  test('come with the place of the first mistake', async () => {
    const answer = await list('tests:\n- name: a\n  expect: {user: x}\n- nam: b\n');
    expect(answer.cases.map(({ name }) => name)).toEqual(['a']);
    expect(answer.problem).toContain('the test file has mistakes: tests[1].nam: unknown field');
    expect(answer.place).toMatchObject({ uri, range: { start: { line: 3, character: 2 } } });
  });

  test.each([
    [`${workspaceUri}/team/auth.yaml`, 'not a test file'],
    [`${workspaceUri}/none.authtest.yaml`, 'cannot be read'],
    ['file:///etc/x.authtest.yaml', 'outside of the workspace'],
  ])('%s has none', async (requested, problem) => {
    const answer = await list('tests: []', requested);
    expect(answer.cases).toEqual([]);
    expect(answer.problem).toContain(problem);
  });

  test('of a file that is too long are not read', async () => {
    const { problem } = await list(`# ${'x'.repeat(limits.documentLength)}\ntests: []\n`);
    expect(problem).toContain('split it');
  });
});
