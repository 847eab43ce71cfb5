/** Finds the test files that the arguments of a command name. */
import { isTestFile, testFileSuffix } from '../../simulate/tests/test-rows.ts';
import type { FileFailure, Io } from '../io.ts';
import { walkFolder } from '../walk-folder.ts';

export interface FoundTestFiles {
  readonly paths: readonly string[];
  readonly failures: readonly FileFailure[];
}

/** A folder stands for the test files below it; a named file may have any name. */
export const findTestFiles = (
  named: readonly string[],
  io: Pick<Io, 'listFolder'>,
): FoundTestFiles => {
  const paths = new Set<string>();
  const failures: FileFailure[] = [];
  for (const path of named) {
    const walked = walkFolder(path, io);
    if (walked === undefined) {
      paths.add(path);
      continue;
    }
    failures.push(...walked.failures);
    const found = walked.files.filter(isTestFile);
    for (const file of found) paths.add(file);
    if (found.length === 0)
      failures.push({
        kind: 'failure',
        reason: `${path}: no test file in this folder`,
        help: `The names of test files end in ${testFileSuffix}. Write a first one with authgraph test --init FILE.`,
      });
  }
  return { paths: [...paths], failures };
};
