/** Rename: what can be renamed, the changed files, or the error message. */
import { expect, test } from 'vitest';
import type { Range, WorkspaceEdit } from 'vscode-languageserver';
import { limits } from '../../language-server/src/limits.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownWorkspaceEdit } from '../support/shown-edits.ts';
import { shownRange } from '../support/shown-places.ts';

const orRefusal = async (answer: () => Promise<string>): Promise<string> => {
  try {
    return await answer();
  } catch (cause) {
    return `refused: ${cause instanceof Error ? cause.message : cause}`;
  }
};

runFixtures('rename', async ({ client, fixture, places }) => {
  const answers: string[] = [];
  for (const place of places) {
    const name = place.textDocument.uri.split('/').at(-1) ?? '';
    const prepared = await orRefusal(async () => {
      const found = await client.connection.sendRequest<{ readonly range: Range } | null>(
        'textDocument/prepareRename',
        place,
      );
      return found === null ? 'nothing' : shownRange(fixture.files.get(name) ?? '', found.range);
    });
    if (prepared.startsWith('refused') || prepared === 'nothing') {
      answers.push(prepared);
      continue;
    }
    const renamed = await orRefusal(async () => {
      const edit = await client.connection.sendRequest<WorkspaceEdit | null>(
        'textDocument/rename',
        { ...place, newName: fixture.asked },
      );
      return edit === null ? 'nothing' : shownWorkspaceEdit(fixture, edit);
    });
    answers.push(`${prepared}\n${renamed}`);
  }
  return answers.join('\n--\n');
});

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: ""}
    groups: {claim: roles, prefix: ""}
`;
const padded = (length: number): string => `# ${' '.repeat(length)}\n${configuration}`;

const renameWith = async (
  closed: readonly (readonly [name: string, text: string])[],
  open: readonly (readonly [name: string, text: string])[] = [],
): Promise<string> => {
  const uriOf = (name: string): string => `${workspaceUri}/${name}`;
  const client = await languageClient({
    files: new Map(closed.map(([name, text]) => [uriOf(name), text])),
  });
  for (const [name, text] of [['auth.yaml', configuration] as const, ...open]) {
    await client.open(uriOf(name), text);
  }
  const answer = await orRefusal(async () => {
    const edit = await client.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri: uriOf('auth.yaml') },
      position: { line: 6, character: 22 },
      newName: 'teams',
    });
    return Object.keys(edit.changes ?? {}).join(' ');
  });
  await client.close();
  return answer;
};

const many = Array.from(
  { length: limits.closedConfigurations + 1 },
  (_, at) => [`${String(at).padStart(4, '0')}.yaml`, configuration] as const,
);

test('does not rename a claim if a limit may hide an occurrence', async () => {
  expect(await renameWith([['pod.yaml', 'kind: Pod\n']])).toBe(`${workspaceUri}/auth.yaml`);
  expect(await renameWith([['long.json', padded(limits.closedBytes)]])).toBe(
    'refused: long.json is too long to be read while it is closed and may name the claim: open it as well',
  );
  const long = padded(limits.documentLength);
  const tooLong =
    'refused: long.yaml is too long to be analyzed and may name the claim: split it first';
  expect(await renameWith([['long.yaml', long]])).toBe(tooLong);
  expect(await renameWith([], [['long.yaml', long]])).toBe(tooLong);
  expect(await renameWith(many)).toBe(
    'refused: more than 200 configurations are not open, and 0200.yaml may name the claim: open it as well, or open a folder with fewer configurations',
  );
});

test('renames a claim in a long document that is still being analyzed', async () => {
  const long = padded(limits.unguardedLength);
  expect(await renameWith([], [['long.yaml', long]])).toBe(
    `${workspaceUri}/auth.yaml ${workspaceUri}/long.yaml`,
  );
});

test('ignores open documents that are not configurations, however long', async () => {
  const long = '{}'.padEnd(limits.closedBytes + 1);
  expect(await renameWith([['long.json', long]], [['long.json', long]])).toBe(
    `${workspaceUri}/auth.yaml`,
  );
});
