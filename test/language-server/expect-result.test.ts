/** "Expect This Result": a case of a test file for a sample, with the decision of the engine. */
import { afterEach, describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type ExpectResultAnswer,
  expectResultRequest,
  type TestAddition,
  type TestsAnswer,
  testsRequest,
} from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/auth.yaml`;
const sampleUri = `${workspaceUri}/people/jane.claims.json`;
const testsUri = `${workspaceUri}/people/auth.authtest.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: "a:" }
    groups: { claim: groups, prefix: "a:" }
  claimValidationRules:
  - { claim: hd, requiredValue: corp.example }
`;
const claims = {
  iss: 'https://a.example',
  aud: 'app',
  sub: 'jane',
  hd: 'corp.example',
  groups: ['dev'],
  iat: 1_700_000_000,
  exp: 1_700_003_600,
};

const token =
  `${btoa('{"alg":"ES256"}')}.${btoa('{"sub":"jane"}')}.${'c2ln'.repeat(20)}`.replaceAll('=', '');

interface Given {
  readonly sample?: object;
  readonly id?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const reads: string[] = [];

class RecordedFiles extends Map<string, string> {
  override get(address: string): string | undefined {
    reads.push(address);
    return super.get(address);
  }
}

const ask = async ({ sample = claims, id = sampleUri, files = {} }: Given = {}) => {
  reads.length = 0;
  client = await languageClient({
    files: new RecordedFiles([
      [uri, configuration],
      [id, JSON.stringify(sample)],
      ...Object.entries(files),
    ]),
  });
  await client.open(uri, configuration);
  return client.connection.sendRequest<ExpectResultAnswer>(expectResultRequest, {
    uri,
    sample: id,
    testFiles: Object.keys(files),
  });
};

const applied = (text: string, { edits }: TestAddition): string =>
  TextDocument.applyEdits(TextDocument.create('', '', 0, text), [...edits]);

/** Runs the extended file, and returns the verdict on each case. */
const run = async (address: string, text: string): Promise<readonly string[]> => {
  await client?.open(address, text);
  const answer = await client?.connection.sendRequest<TestsAnswer>(testsRequest, { uri: address });
  expect(answer?.problem).toBeUndefined();
  return (answer?.results ?? []).map(({ name, status }) => `${name}: ${status}`);
};

test.each(['', ' null', ' ~ # none', ' []'])('extends the empty list%j', async (list) => {
  const text = `configuration: ../auth.yaml\ntests:${list}\n`;
  const { addition, problem } = await ask({ files: { [testsUri]: text } });
  expect(problem).toBeUndefined();
  const extended = addition === undefined ? '' : applied(text, addition);
  expect(await run(testsUri, extended)).toEqual(['jane: passed']);
});

test('a token that the file had before is not one of the case', async () => {
  const { addition, problem } = await ask({
    files: { [testsUri]: `# ${token}\nconfiguration: ../auth.yaml\n` },
  });
  expect(problem).toBeUndefined();
  expect(addition?.isNew).toBe(false);
});

test('reads each sample once', async () => {
  // The search for samples does not find this one.
  const other = `${workspaceUri}/people/other.txt`;
  const text = 'configuration: ../auth.yaml\nsamples: {other: other.txt}\n';
  const { addition } = await ask({ files: { [testsUri]: text, [other]: '{}' } });
  expect(addition?.uri).toBe(testsUri);
  expect(reads.filter((read) => read === other)).toHaveLength(1);
});

test('writes a new file next to the sample', async () => {
  const { addition, problem } = await ask();
  expect(problem).toBeUndefined();
  if (addition === undefined) throw new Error('nothing was added');
  expect(addition).toMatchObject({ uri: testsUri, isNew: true });
  const text = applied('', addition);
  expect(text).toBe(`# Run it: authgraph test
# These are the decisions of the configuration as it is: check that they are the ones that you want.
configuration: ../auth.yaml
tests:
- name: jane
  sample: jane
  expect:
    by: jwt[0]
    user:
      groups:
      - a:dev
      username: a:jane
`);
  expect(addition.range.start).toEqual({ line: 4, character: 2 });
  expect(await run(testsUri, text)).toEqual(['jane: passed']);
});

test('extends a file that tests the configuration, and keeps its comments', async () => {
  const file = `${workspaceUri}/people/mine.authtest.yaml`;
  const text = `configuration: ../auth.yaml # mine
tests:
  # first
  - name: no domain
    claims: {sub: x} # no domain
    expect: {rejected: AG5018}
    # last
# end
now: 2023-11-14T22:20:00Z
`;
  const { addition, problem } = await ask({
    files: { [file]: text, [testsUri]: 'configuration: other.yaml\ntests: []\n' },
  });
  expect(problem).toBeUndefined();
  if (addition === undefined) throw new Error('nothing was added');
  expect(addition).toMatchObject({ uri: file, isNew: false });
  const extended = applied(text, addition);
  const [before, after] = extended.split(/ {2}- name: jane\n(?: {4}.*\n)*/);
  expect(`${before}${after}`).toBe(text);
  expect(before?.endsWith('# last\n')).toBe(true);
  expect(await run(file, extended)).toEqual(['no domain: passed', 'jane: passed']);
});

test('expects a rejection with its code and its place', async () => {
  const { addition } = await ask({ sample: { ...claims, hd: 'other.example' } });
  const text = addition === undefined ? '' : applied('', addition);
  expect(text).toContain(`  expect:
    by: jwt[0]
    rejected:
      at: jwt[0].claimValidationRules[0]
      code: AG5018
`);
  expect(await run(testsUri, text)).toEqual(['jane: passed']);
});

test('decides claims without a time of issue before they expire', async () => {
  const { iat: _, ...sample } = claims;
  const { addition } = await ask({ sample });
  const text = addition === undefined ? '' : applied('', addition);
  expect(text).toContain('2023-11-14T22:13:20Z');
  expect(text).toContain('username: a:jane');
  expect(await run(testsUri, text)).toEqual(['jane: passed']);
});

test('shows the case that the file has already, and numbers another one', async () => {
  const { addition } = await ask();
  const text = addition === undefined ? '' : applied('', addition);
  await client?.close();
  const { addition: again } = await ask({ files: { [testsUri]: text } });
  expect(again).toMatchObject({ isNew: false, edits: [], range: addition?.range });
  await client?.close();
  const changed = text.replace('a:jane', 'a:joe');
  const { addition: second } = await ask({ files: { [testsUri]: changed } });
  const both = second === undefined ? '' : applied(changed, second);
  expect(await run(testsUri, both)).toEqual(['jane: failed', 'jane 2: passed']);
});

describe('reports why there is no case', () => {
  test.each<readonly [string, Given, string]>([
    ['an unknown sample', { id: `${workspaceUri}/x.txt` }, 'there is no such sample'],
    [
      'a name that a test does not find',
      { id: `${workspaceUri}/people/jane.claims.yml` },
      'The file name must end in .claims.json or .claims.yaml',
    ],
    [
      'a list in flow style',
      {
        files: { [testsUri]: 'configuration: ../auth.yaml\ntests: [{name: x, expect: {user: x}}]' },
      },
      'tests is not a block list',
    ],
    [
      'a file with mistakes',
      { files: { [testsUri]: 'configuration: ../auth.yaml\ntests:\n- nam: x\n' } },
      'the test file has mistakes',
    ],
    [
      'other claims of the same name',
      { files: { [testsUri]: 'configuration: ../auth.yaml\nsamples: {jane: {}}\ntests:\n' } },
      'another sample with the name "jane"',
    ],
    [
      'a user that is a token',
      {
        sample: {
          ...claims,
          sub: token,
        },
      },
      'would contain a token',
    ],
  ])('%s', async (_, given, problem) => {
    const answer = await ask(given);
    expect(answer.addition).toBeUndefined();
    expect(answer.problem).toContain(problem);
  });
});

test('only test files in the folder of the sample are extended', async () => {
  const elsewhere = `${workspaceUri}/auth.authtest.yaml`;
  const { addition } = await ask({ files: { [elsewhere]: 'tests: []\n' } });
  expect(addition).toMatchObject({ uri: testsUri, isNew: true });
});
