/** `authgraph lsp`: runs the language server for editors. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { defineCommand, fail } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const lsp = defineCommand({
  name: 'lsp',
  usage: '--stdio',
  about:
    'Runs the language server for an editor over standard input and output. It is a separate package, @authgraph/language-server, which must be installed alongside this program.',
  flags: [
    {
      name: 'stdio',
      group: 'Connection',
      type: 'bool',
      doc: 'Use standard input and output, which is the only transport and therefore optional.',
    },
  ],
  examples: [{ line: 'authgraph lsp --stdio', does: 'the command for an editor' }],
  run: (_, io) => runLsp(io),
});

const runLsp = async (io: Io): Promise<ExitCode> => {
  const path = languageServerPath();
  if (path === undefined) {
    return fail(
      io,
      'the language server is not installed',
      'Install it alongside authgraph: npm install @authgraph/language-server',
    );
  }
  if (isatty(0))
    io.stderr.write(
      'authgraph lsp speaks the Language Server Protocol on standard input and output. Editors start it; Ctrl-C ends it.\n',
    );
  const code = await runProgram(path, ['--stdio'], io.signal);
  if (code === undefined) return fail(io, 'the language server could not be started');
  return code === 0 ? exitCodes.ok : exitCodes.problems;
};

/** Returns the path of the program; `undefined` if its package is not installed or not built. */
const languageServerPath = (): string | undefined => {
  try {
    const path = fileURLToPath(import.meta.resolve('@authgraph/language-server/main'));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Runs a Node program with this process's standard streams. Resolves with its exit code;
 * `undefined` if it could not be started or was killed.
 */
const runProgram = (
  path: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number | undefined> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...process.execArgv, path, ...args], {
      stdio: 'inherit',
      env: { ...allocatorSettings, ...process.env },
    });
    signal.addEventListener('abort', () => child.kill(), { once: true });
    child.on('error', () => resolve(undefined));
    child.on('exit', (code) => resolve(code ?? undefined));
  });

/** glibc settings that return the memory used for loading the program to the system. */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
};
