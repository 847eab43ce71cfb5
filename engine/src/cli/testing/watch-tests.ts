/** Runs tests again whenever a file changes. */
import { statSync, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

/** Editors write a file in several steps; one run follows all of them. */
const settleMs = 100;

/** Resolves with the exit code of the last run once the command is stopped. */
export const watchTests = async (
  paths: readonly string[],
  io: Io,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> => {
  let code: ExitCode = exitCodes.ok;
  let change = Promise.withResolvers<void>();
  const watchers = [...new Set(paths.map(folderOf))].map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || /\.(?:ya?ml|json|pem|crt|csv)$/i.test(name)) change.resolve();
    }),
  );
  const stopped = new Promise<'stopped'>((resolveStop) => {
    if (io.signal.aborted) resolveStop('stopped');
    io.signal.addEventListener('abort', () => resolveStop('stopped'), { once: true });
  });
  try {
    while (!io.signal.aborted) {
      change = Promise.withResolvers<void>();
      code = await run();
      io.stderr.write('watching for changes; stop with Ctrl-C\n');
      if ((await Promise.race([change.promise, stopped])) === 'stopped') break;
      await Promise.race([delay(settleMs), stopped]);
      io.stderr.write('\n');
    }
    return code;
  } finally {
    for (const watcher of watchers) watcher.close();
  }
};

const folderOf = (path: string): string => {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return resolve(isFolder ? path : dirname(path));
};

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolveDelay) => {
    setTimeout(resolveDelay, milliseconds);
  });
