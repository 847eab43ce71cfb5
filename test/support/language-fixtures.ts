/** Runs the marker fixtures of a feature: one test a file of its folder. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { type LanguageClient, languageClient, workspaceUri } from './language-client.ts';
import { type MarkedFixture, readMarked } from './marked.ts';

/** A cursor as requests name it. */
export interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

export interface FixtureWorkspace {
  readonly client: LanguageClient;
  readonly fixture: MarkedFixture;
  readonly uri: string;
  readonly text: string;
  readonly places: readonly Place[];
}

const root = join(import.meta.dirname, '../language-server');

/**
 * `answer` queries the server and prints its response. With AUTHGRAPH_WRITE_FIXTURES the printed answer
 * is put in place of the expected one, to be read and committed, or not.
 */
export const runFixtures = (
  feature: string,
  answer: (world: FixtureWorkspace) => Promise<string>,
): void => {
  const folder = join(root, feature);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  test.each(names)(`${feature} %s`, async (name) => {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const fixture = readMarked(text);
    const said = `${(await asking(fixture, answer)).trimEnd()}\n`;
    if (process.env.AUTHGRAPH_WRITE_FIXTURES !== undefined) {
      writeFileSync(
        path,
        text.replace(/^=== expect\n[\s\S]*$/m, () => `=== expect\n${said}`),
      );
    } else expect(said).toBe(fixture.expected);
  });
};

const asking = async (
  fixture: MarkedFixture,
  answer: (world: FixtureWorkspace) => Promise<string>,
): Promise<string> => {
  const uriOf = (name: string): string => `${workspaceUri}/${name}`;
  const client = await languageClient({
    settings: fixture.settings,
    files: new Map([...fixture.files].map(([name, text]) => [uriOf(name), text])),
  });
  try {
    for (const [name, text] of fixture.files) {
      if (!fixture.closed.has(name)) await client.open(uriOf(name), text);
    }
    if (fixture.chosen !== undefined) {
      await client.connection.sendRequest('authgraph/chooseSample', { name: fixture.chosen });
    }
    const [first = ''] = fixture.files.keys();
    const said = await answer({
      client,
      fixture,
      uri: uriOf(first),
      text: fixture.files.get(first) ?? '',
      places: fixture.cursors.map(({ file, offset }) => {
        const { line, column } = sourceFile(file, fixture.files.get(file) ?? '').positionAt(offset);
        return {
          textDocument: { uri: uriOf(file) },
          position: { line, character: column },
        };
      }),
    });
    expect(client.log).toEqual([]);
    return said;
  } finally {
    await client.close();
  }
};
