/** Programs of other packages that stand beside this one: started, never imported. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `undefined` where the package is not installed, or not built. */
export const languageServerPath = (): string | undefined => {
  try {
    const path = fileURLToPath(import.meta.resolve('@authgraph/language-server/main'));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Runs a program of Node with the standard streams of this one, to its end; gives its exit code,
 * `undefined` where it could not be started or was killed.
 */
export const runProgram = (
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

/** For the C library of Linux: what reading a program took goes back to the system. */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
};
