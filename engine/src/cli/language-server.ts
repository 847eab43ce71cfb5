/**
 * The program of the language server, which is a package of its own. The executables replace this module by
 * `deploy/release/executables/language-server.ts`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs the language server over this process's standard streams. Resolves with its exit code; `undefined` if it could
 * not be started or was killed.
 */
export type StartLanguageServer = (signal: AbortSignal) => Promise<number | undefined>;

/** Returns `undefined` if the package is not installed or not built. */
export const findLanguageServer = (): StartLanguageServer | undefined => {
  const path = languageServerPath();
  return path === undefined ? undefined : (signal) => runProgram(path, ['--stdio'], signal);
};

const languageServerPath = (): string | undefined => {
  try {
    const path = fileURLToPath(import.meta.resolve('@authgraph/language-server/main'));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

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
