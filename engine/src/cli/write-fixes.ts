/** Writes what `check --fix` changed, or prints it as a unified diff. */
import type { CheckedFile, CheckFailure } from './check-files.ts';
import type { Io } from './io.ts';

/** Replaces the fixed files, prints fixed standard input, and returns what could not be written. */
export const writeFixes = async (
  files: readonly CheckedFile[],
  io: Io,
): Promise<readonly CheckFailure[]> => {
  const failures: CheckFailure[] = [];
  for (const { path, before, after } of files) {
    // Standard input is printed even if nothing was fixed: the command is part of a pipe.
    if (path === '-') await io.writeText('-', after);
    else if (after !== before) {
      const failure = await io.replaceText(path, before, after);
      if (failure !== undefined) failures.push({ ...failure, path });
    }
  }
  return failures;
};

/** Prints the changes as a patch for `git apply` without writing them. */
export const printPatches = async (files: readonly CheckedFile[], io: Io): Promise<void> => {
  const { unifiedDiff } = await import('../source/unified-diff.ts');
  for (const { report, before, after, edits } of files) {
    if (after === before) continue;
    const { uri } = report.source;
    const names = `--- ${headerName('a', uri)}\n+++ ${headerName('b', uri)}\n`;
    await io.writeText('-', names + unifiedDiff(before, edits));
  }
};

/** Returns the name as git writes it: with a prefix, and quoted if it has control characters. */
const headerName = (prefix: string, path: string): string => {
  const name = path.startsWith('/') ? path : `${prefix}/${path}`;
  return /[\u0000-\u001f"\\]/.test(name) ? JSON.stringify(name) : name;
};
