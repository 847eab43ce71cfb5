/** Folders for the files of tests. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export interface TemporaryFolder {
  readonly path: string;
  /** Writes a file that only its owner can read, and returns its path. */
  write(name: string, text: string): string;
}

/** The folder is removed after the tests of the file or `describe` block, or at `whenDone`. */
export const temporaryFolder = (
  whenDone: (remove: () => void) => void = afterAll,
): TemporaryFolder => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'authgraph-test-')));
  whenDone(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    },
  };
};
