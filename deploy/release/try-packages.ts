/** Installs the packed packages as a user does: in an empty folder, with the oldest supported Node.js. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';

export interface Trial {
  /** An empty folder. */
  readonly folder: string;
  readonly node: string;
  /** Paths of the packed packages. */
  readonly archives: readonly string[];
  /** A configuration without problems. */
  readonly sample: string;
  readonly version: string;
}

/** Throws if a program or an entry point does not work. */
export const tryPackages = async ({ folder, node, archives, sample, version }: Trial) => {
  mkdirSync(folder, { recursive: true });
  const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, NODE_OPTIONS: '' };
  const run = (program: string, ...args: readonly string[]) =>
    runProgram(program, args, { cwd: folder, env });
  writeFileSync(join(folder, 'package.json'), '{}\n');
  await run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...archives);
  const authgraph = join(folder, 'node_modules/.bin/authgraph');
  expectOutput(await run(authgraph, '--version'), `authgraph ${version}\n`);
  // Throws if the exit code is not 0; the summary is on standard error.
  expectOutput(await run(authgraph, 'check', sample), '');
  expectOutput(await run(node, '--input-type=module', '--eval', libraryProgram, sample), 'ok\n');
  expectOutput(await run(node, '--input-type=module', '--eval', resolveServer), 'ok\n');
};

/** Imports each entry point, and compiles a configuration with the library. */
const libraryProgram = `import { readFileSync } from 'node:fs';
import { compile, sourceFile } from '@authgraph/engine';
await import('@authgraph/engine/language');
await import('@authgraph/engine/node');
await import('@authgraph/engine/signature');
const { graph } = compile({ source: sourceFile('sample', readFileSync(process.argv[1], 'utf8')) });
console.log(graph?.nodes.length > 0 ? 'ok' : 'the sample does not compile');
`;

/** `authgraph lsp` finds the language server by this name. */
const resolveServer = `import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const main = fileURLToPath(import.meta.resolve('@authgraph/language-server/main'));
await import('@authgraph/language-server/protocol');
console.log(existsSync(main) ? 'ok' : 'there is no ' + main);
`;

const expectOutput = (output: string, expected: string): void => {
  if (output !== expected)
    throw new Error(
      `the installed package printed ${JSON.stringify(output)}, not ${JSON.stringify(expected)}`,
    );
};
