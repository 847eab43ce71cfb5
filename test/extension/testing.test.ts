/** Tests in the Test Explorer: items, runs and coverage, with the real language server. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { URI } from 'vscode-uri';
import { createServerRequests } from '../../extension/src/requests.ts';
import { createInputFiles } from '../../extension/src/testing/run-on-save.ts';
import { createTestItems } from '../../extension/src/testing/test-items.ts';
import { runTests } from '../../extension/src/testing/test-run.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
import { type FakeTestItem, fakeController } from './fake-testing.ts';

vi.mock('vscode', async () => ({
  ...(await import('./fake-vscode.ts')),
  ...(await import('./fake-testing.ts')),
}));

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
