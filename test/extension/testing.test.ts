/** Tests in the Test Explorer: items, runs and coverage, with the real language server. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { URI } from 'vscode-uri';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createInputFiles, runOnSave } from '../../extension/src/testing/run-on-save.ts';
import { createTests } from '../../extension/src/testing/test-controller.ts';
import { createTestItems } from '../../extension/src/testing/test-items.ts';
import { runTests } from '../../extension/src/testing/test-run.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
import { created, type FakeTestItem, fakeController } from './fake-testing.ts';
import { editor, workspace } from './fake-vscode.ts';

vi.mock('vscode', async () => ({
  ...(await import('./fake-vscode.ts')),
  ...(await import('./fake-testing.ts')),
}));

beforeEach(() => editor.reset());

let client: LanguageClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
});

const configurationUri = `${workspaceUri}/auth.yaml`;
const testsUri = `${workspaceUri}/auth.authtest.yaml`;
const configuration = `kind: AuthenticationConfiguration
apiVersion: apiserver.config.k8s.io/v1
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
  claimValidationRules:
  - expression: claims.hd == "x" || claims.hd == "y"
`;
const suite = `base: {claims: {sub: jane, hd: x}}
tests:
- name: jane
  expect: {user: "a:jane"}
- name: joe $(check)
  expect: {user: "a:joe"}
- name: jane
  claims: {hd: z}
  expect: {user: "a:jane"}
- name: signed
  sign: true
  expect: {user: "a:jane"}
`;

/** Prepares a run of test files; the results are those of a language server. */
const prepare = async (files: Readonly<Record<string, string>>) => {
  const started = await languageClient({
    files: new Map(Object.entries({ [configurationUri]: configuration, ...files })),
  });
  client = started;
  const token = { isCancellationRequested: false };
  const requests = createServerRequests({
    sendRequest: (method: unknown, params: unknown) =>
      started.connection.sendRequest(String(method), params) as never,
  });
  const fake = fakeController(token);
  const controller = fake as never;
  const items = createTestItems(controller);
  const inputs = createInputFiles();
  const file = items.add(URI.parse(testsUri) as never) as unknown as FakeTestItem;
  const runner = { controller, items, requests: async () => requests, onInputs: inputs.set };
  return {
    ...{ token, requests, items, inputs, file, fake },
    list: async () => items.update(file as never, await requests.testCases({ uri: testsUri })),
    labels: () => [...file.children].map(([, { label }]) => label),
    run: async (request: object, options: object = {}) => {
      const covered = await runTests(runner, request as never, {
        token: token as never,
        hasCoverage: false,
        ...options,
      });
      const run = fake.runs.at(-1);
      if (run === undefined) throw new Error('nothing was run');
      return { run, covered };
    },
  };
};

test('a run reports each case, with a diff at its line and the path at the rule', async () => {
  const { run: start, labels } = await prepare({ [testsUri]: suite });
  const { run } = await start({ include: undefined });
  expect(run.reports).toEqual([
    'passed: jane',
    'failed: joe $ (check)',
    'failed: jane',
    'skipped: signed',
  ]);
  expect(labels()).toEqual(['jane', 'joe $ (check)', 'jane', 'signed']);
  const [username, , decision, path] = run.messages;
  expect(username).toMatchObject({
    expectedOutput: 'username: "a:joe"',
    actualOutput: 'username: "a:jane"',
    location: { range: { start: { line: 4, character: 2 } } },
  });
  expect(decision?.actualOutput).toContain('rejected with AG5019');
  expect(path?.message).toContain('✗ jwt[0].claimValidationRules[0] (line 7)');
  expect(path?.location).toMatchObject({ range: { start: { line: 6, character: 4 } } });
  expect(String(path?.location?.uri)).toBe(configurationUri);
  expect(run.printed).toContain('1 passed, 2 failed, 1 skipped (authgraph test ');
  expect(run.isEnded).toBe(true);
});

test('only the requested cases are reported, without the excluded ones', async () => {
  const { run: start, list, file } = await prepare({ [testsUri]: suite });
  const [first, second] = await list();
  expect((await start({ include: [second] })).run.reports).toEqual(['failed: joe $ (check)']);
  const { run } = await start({ include: [file], exclude: [first, second] });
  expect(run.reports).toEqual(['failed: jane', 'skipped: signed']);
});

test('a file with a mistake has an error, and its cases stay until it can be read again', async () => {
  const { run: start, list, file, labels, items } = await prepare({ [testsUri]: suite });
  await list();
  await client?.open(testsUri, suite.replace('tests:', 'tests: ['));
  await list();
  expect(file.error).toContain('the test file has mistakes');
  expect(labels()).toHaveLength(4);
  const { run } = await start({ include: undefined });
  expect(run.reports).toEqual([`errored: ${file.label}`]);
  expect(run.messages[0]?.message).toContain('the test file has mistakes');
  items.update(file as never, { cases: [] });
  expect([file.error, labels()]).toEqual([undefined, []]);
});

test('a canceled run reports nothing more', async () => {
  const { run: start, token, list } = await prepare({ [testsUri]: suite });
  await list();
  token.isCancellationRequested = true;
  const { run } = await start({ include: undefined });
  expect([run.reports, run.isEnded]).toEqual([[], true]);
});

describe('coverage', () => {
  const places = (covered: {
    run: { coverage: readonly { uri: unknown; details: readonly object[] }[] };
  }) => covered.run.coverage.flatMap(({ details }) => details);

  test('has a statement for each place and a branch for each outcome', async () => {
    const { run: start } = await prepare({ [testsUri]: suite });
    const all = await start({ include: undefined }, { hasCoverage: true });
    expect(all.run.coverage.map(({ uri }) => String(uri))).toEqual([configurationUri]);
    expect(all.covered[0]?.details).toEqual(places(all));
    const rule = places(all).find((place) =>
      JSON.stringify(place).includes('claimValidationRules[0]: false'),
    );
    expect(rule).toMatchObject({ location: { start: { line: 6 } } });
  });

  test('is that of the requested cases', async () => {
    const { run: start, list } = await prepare({ [testsUri]: suite });
    const [first] = await list();
    const one = JSON.stringify(places(await start({ include: [first] }, { hasCoverage: true })));
    const rule = 'jwt[0].claimValidationRules[0]';
    expect(one).toContain(`{"executed":1,"label":"${rule}: true"}`);
    expect(one).toContain(`{"executed":0,"label":"${rule}: false"}`);
  });
});

test('a save affects the test files that it decides', async () => {
  const { run: start, inputs, file } = await prepare({ [testsUri]: suite });
  const affects = (uri: string): boolean => inputs.isAffected(file as never, new Set([uri]));
  expect(affects(`${workspaceUri}/other.yaml`)).toBe(true);
  await start({ include: undefined });
  expect([configurationUri, testsUri, `${workspaceUri}/other.yaml`].map(affects)).toEqual([
    true,
    true,
    false,
  ]);
});

test('the cases of a workspace have at most 20,000 items', async () => {
  const { items, file } = await prepare({});
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const many = Array.from({ length: 15_000 }, (_, index) => ({ name: `case ${index}`, range }));
  items.update(file as never, { cases: many });
  const other = items.add(URI.parse(`${workspaceUri}/other.authtest.yaml`) as never);
  items.update(other, { cases: many });
  expect([file.children.size, other.children.size]).toEqual([15_000, 5000]);
  expect(other.error).toContain('Only 20000 cases');
});

test('a name cannot break its label or its ID', async () => {
  const name = `\u0000\n${'x'.repeat(500)}`;
  const { list, file } = await prepare({
    [testsUri]: `tests:\n- {name: ${JSON.stringify(name)}, expect: {rejected: true}}\n`,
  });
  await list();
  const [[id, { label }] = ['', { label: '' }]] = [...file.children];
  expect(id).not.toContain('\u0000');
  expect(label).toMatch(/^\ufffd x+…$/u);
  expect(label).toHaveLength(200);
});

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const casesOf = (...names: readonly string[]) => ({
  cases: names.map((name) => ({ name, range })),
});

test('an older answer does not replace newer cases', async () => {
  const { items, file, labels } = await prepare({});
  const [older, newer] = [items.nextVersion(), items.nextVersion()];
  items.update(file as never, casesOf('one', 'two'), newer);
  const found = items.update(file as never, casesOf('zero', 'one'), older);
  expect([labels(), found.map((item) => item?.label)]).toEqual([
    ['one', 'two'],
    [undefined, 'one'],
  ]);
});

test('the cases of a removed file do not count', async () => {
  const { items, file } = await prepare({});
  items.remove(testsUri);
  const many = casesOf(...Array.from({ length: 15_000 }, (_, index) => `case ${index}`));
  expect(items.update(file as never, many)[0]).toBeUndefined();
  const other = items.add(URI.parse(`${workspaceUri}/other.authtest.yaml`) as never);
  items.update(other, many);
  expect([file.children.size, other.children.size, other.error]).toEqual([0, 15_000, undefined]);
});

test('a failed run ends with its error', async () => {
  const { fake, items } = await prepare({});
  const requests = () => Promise.reject(new Error('no server'));
  const runner = { controller: fake as never, items, requests, onInputs: () => undefined };
  const token = { isCancellationRequested: false } as never;
  await runTests(runner, { include: undefined } as never, { token, hasCoverage: false });
  expect(fake.runs[0]).toMatchObject({ printed: 'no server\r\n', isEnded: true });
});

test('a failed run does not stop those of later saves', async () => {
  const runs: string[] = [];
  const document = editor.open('/w/auth.yaml', '');
  const token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
  runOnSave(token as never, async (saved) => {
    runs.push([...saved].join());
    throw new Error('no server');
  });
  for (const count of [1, 2]) {
    await document.save();
    await vi.waitFor(() => expect(runs).toHaveLength(count));
  }
});

describe('the test files of a workspace', () => {
  const path = '/w/a.authtest.yaml';
  const begin = async (...found: readonly string[]) => {
    const find = vi.spyOn(workspace, 'findFiles');
    find.mockImplementation(async () => found.map((each) => URI.file(each)));
    const requested: unknown[] = [];
    const requests = createServerRequests({
      sendRequest: async <Answer>(_: unknown, params?: unknown) => {
        requested.push(params);
        return { ...casesOf('one'), results: [] } as Answer;
      },
    });
    const disposable = createTests(async () => requests);
    onTestFinished(() => {
      disposable.dispose();
      find.mockRestore();
    });
    const files = () => [...(created.controller?.items ?? [])].map(([, { label }]) => label);
    await vi.waitFor(() => expect(files()).toHaveLength(found.length));
    return { files, find, requested };
  };
  /** More than the delay after an edit. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('follow the folders', async () => {
    const { files, find } = await begin(path);
    find.mockImplementation(async () => [URI.file('/other/b.authtest.yaml')]);
    editor.changeFolders();
    await vi.waitFor(() => expect(files()).toEqual(['b.authtest.yaml']));
  });

  test('are not those of packages, and not more than 2000', async () => {
    const { files } = await begin(
      ...Array.from({ length: 1999 }, (_, at) => `/w/${at}.authtest.yaml`),
    );
    for (const name of ['node_modules/x/p', 'a', 'b'])
      editor.createsFile(`/w/${name}.authtest.yaml`);
    editor.open('/w/node_modules/x/q.authtest.yaml', '');
    await settle();
    expect([files().length, files().at(-1)]).toEqual([2000, 'a.authtest.yaml']);
  });

  test('do not come back after they were deleted', async () => {
    const { files, requested } = await begin(path);
    editor.createsFile(path);
    editor.deletesFile(path);
    await settle();
    expect([files(), requested]).toEqual([[], []]);
  });

  test('run on save if they are requested and affected', async () => {
    await begin(path, '/w/b.authtest.yaml');
    const { controller, run } = created;
    const [one, other] = [...(controller?.items ?? [])].map(([, item]) => item);
    const token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
    await run?.({ include: [one] }, token);
    await run?.({ include: [one], continuous: true }, token);
    await editor.open('/w/b.authtest.yaml', '').save();
    await settle();
    expect(controller?.runs).toHaveLength(1);
    await run?.({ include: [other], continuous: true }, token);
    await editor.open('/w/b.authtest.yaml', '').save();
    await vi.waitFor(() => expect(controller?.runs).toHaveLength(2));
  });
});
