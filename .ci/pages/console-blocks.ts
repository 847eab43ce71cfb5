/**
 * The `console` blocks of pages: each `$ authgraph …` line is run in the repository, and what it
 * prints is written below it. Files that a command writes exist for the commands after it in the
 * page, and nowhere else.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo } from '../../test/support/captured-io.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the paths of the pages that have console blocks. */
export const consolePages = (): readonly string[] =>
  globSync(['README.md', 'docs/**/*.md', 'samples/**/*.md'], { cwd: root })
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('```console\n'))
    .sort();

/** Returns the page with the current output of its commands. */
export const withCurrentOutput = async (path: string): Promise<string> => {
  const written = new Map<string, string>();
  const current: string[] = [];
  let isConsole = false;
  let command = '';
  for (const line of readFileSync(join(root, path), 'utf8').split('\n')) {
    if (line === '```console') isConsole = true;
    else if (line.startsWith('```')) isConsole = false;
    const isCommand = isConsole && (line.startsWith('$ ') || command.endsWith('\\\n'));
    // All other lines of a console block are output, which is replaced.
    if (!isConsole || isCommand || line === '```console') current.push(`${line}\n`);
    if (!isCommand) continue;
    command += `${line}\n`;
    if (line.endsWith('\\')) continue;
    current.push(await outputOf(wordsOf(command.slice(2)), written));
    command = '';
  }
  return current.join('').slice(0, -1);
};

const outputOf = async (
  [program, ...rest]: readonly string[],
  written: Map<string, string>,
): Promise<string> => {
  const args = program === 'npx' ? rest.slice(1) : rest;
  const name = program === 'npx' ? rest[0] : program;
  if (name === 'cat') return args.map((path) => textOf(path, written)).join('');
  if (name !== 'authgraph') throw new Error(`a console block cannot run ${name}`);
  const node = nodeIo();
  const { io, out } = capturedIo();
  await runCli(args, {
    ...io,
    readText: async (path, maxBytes) => {
      const text = written.get(path);
      return text === undefined ? node.readText(path, maxBytes) : { kind: 'text', text };
    },
    listFolder: (path) => node.listFolder(path),
    async writeText(path, text) {
      if (path === '-') io.stdout.write(text);
      else written.set(path, text);
      return undefined;
    },
  });
  if (out.stderr.includes('internal error')) throw new Error(out.stderr);
  return out.stdout + out.stderr;
};

const textOf = (path: string, written: ReadonlyMap<string, string>): string =>
  written.get(path) ?? readFileSync(join(root, path), 'utf8');

/** Splits a command line at blanks; quotes are removed, and nothing else of a shell is supported. */
export const wordsOf = (command: string): readonly string[] =>
  Array.from(
    command.replaceAll(/\\\n/g, ' ').matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g),
    ([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
