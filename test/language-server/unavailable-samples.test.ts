/**
 * Samples that are not known yet or hidden by a limit: requests that name them wait or report it.
 */
import { expect, test } from 'vitest';
import type { Location, WorkspaceEdit } from 'vscode-languageserver';
import { limits } from '../../language-server/src/limits.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
  claimValidationRules:
  - claim: dept
    requiredValue: it
`;
const onClaim = { textDocument: { uri }, position: { line: 6, character: 12 } };
const renaming = { ...onClaim, newName: 'department' };
const jane = `${workspaceUri}/jane.claims.yaml`;
const claims = 'iss: https://a.example\naud: app\nsub: jane\ndept: it\n';

/** Returns the files that a rename would change, or the error message. */
const renamed = async (files: ReadonlyMap<string, string>): Promise<readonly string[] | string> => {
  const client = await languageClient({ files });
  await client.open(uri, configuration);
  try {
    const edit = await client.connection.sendRequest<WorkspaceEdit>(
      'textDocument/rename',
      renaming,
    );
    return Object.keys(edit.changes ?? {});
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  } finally {
    await client.close();
  }
};

const samples = (count: number): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      `${workspaceUri}/s${String(at).padStart(4, '0')}.claims.yaml`,
      claims,
    ]),
  );

test('renames a claim only if all samples are within the limit', async () => {
  expect(await renamed(samples(limits.sampleFiles))).toHaveLength(limits.sampleFiles + 1);
  expect(await renamed(samples(limits.sampleFiles + 1))).toBe(
    'the workspace has more than 500 samples, and s0500.claims.yaml may name the claim: open a folder with fewer samples',
  );
  expect(await renamed(samples(limits.sampleFiles + limits.roleFiles + 1))).toContain('more than');
});

test('does not rename a claim if a sample is too long to be read', async () => {
  const long = `${claims}pad: ${'x'.repeat(limits.sampleLength)}\n`;
  const files = new Map([
    [jane, claims],
    [`${workspaceUri}/big.claims.yaml`, long],
  ]);
  expect(await renamed(files)).toBe(
    'big is too long or not a text file, and may contain the claim: shorten it, or exclude it in the setting authgraph.samples.files',
  );
});

/** Configurations are searched for as well. */
const isForSamples = (sought: unknown): boolean => JSON.stringify(sought).includes('claims');

test('does not rename a claim if the search was truncated', async () => {
  const many = Array.from(
    { length: limits.filesPerSearch + 1 },
    (_, at) => `${workspaceUri}/${at}.yaml`,
  );
  const client = await languageClient({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      ['authgraph/findFiles', (sought) => (isForSamples(sought) ? many : [])],
      ['authgraph/readFile', () => ({ text: claims })],
    ]),
  });
  await client.open(uri, configuration);
  await expect(client.connection.sendRequest('textDocument/rename', renaming)).rejects.toThrow(
    'the workspace has more files than can be searched',
  );
  await client.close();
});

/** Requests, and the files that their answers name. */
const questions: readonly (readonly [
  string,
  object,
  (answer: WorkspaceEdit & readonly Location[]) => readonly string[],
])[] = [
  ['textDocument/rename', renaming, ({ changes = {} }) => Object.keys(changes)],
  [
    'textDocument/references',
    { ...onClaim, context: { includeDeclaration: true } },
    (places) => [uri, ...places.map((place) => place.uri).filter((other) => other !== uri)],
  ],
  ['textDocument/definition', onClaim, (places) => [uri, ...places.map((place) => place.uri)]],
];

test.each(questions)('%s waits for the samples', async (method, params, urisOf) => {
  const found = Promise.withResolvers<readonly string[]>();
  const client = await languageClient({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      ['authgraph/findFiles', (sought) => (isForSamples(sought) ? found.promise : [])],
      ['authgraph/readFile', () => ({ text: claims })],
    ]),
  });
  await client.open(uri, configuration);
  const response = client.connection
    .sendRequest<WorkspaceEdit & readonly Location[]>(method, params)
    .then(urisOf);
  const pulled = client.connection
    .sendRequest('textDocument/diagnostic', { textDocument: { uri } })
    .then(() => 'another answer');
  // Another answer arrives first, so the request does wait.
  expect(await Promise.race([response, pulled])).toBe('another answer');
  found.resolve([jane]);
  expect(await response).toEqual([uri, jane]);
  await client.close();
});
