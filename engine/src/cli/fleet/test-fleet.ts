/** Runs the test files of folders, one after the other, and adds their results to the configurations. */
import { resolve } from 'node:path';
import type { Release } from '../../model/release.ts';
import { testFileSuffix } from '../../simulate/tests/test-rows.ts';
import type { CommandArguments } from '../command.ts';
import type { ConfigurationFolder } from '../configuration-folder.ts';
import type { FileFailure, Io } from '../io.ts';
import { chosenRelease } from '../testing/release-settings.ts';
import { runTests } from '../testing/run-tests.ts';
import { countsOf, messageOf } from '../testing/suite-result.ts';
import {
  addTests,
  type FleetRow,
  noTests,
  type OtherTests,
  type TestTotals,
} from './fleet-report.ts';
import { argumentsFor } from './release-arguments.ts';

export interface TestedFleet {
  readonly rows: readonly FleetRow[];
  /** Test files of configurations that have no row. */
  readonly otherTests: readonly OtherTests[];
  /** Why test files cannot be run. */
  readonly problems: readonly string[];
  readonly failures: readonly FileFailure[];
}

export interface TestFleetOptions {
  readonly io: Io;
  readonly releases: readonly Release[];
  readonly onProgress: (done: number, all: number) => void;
}

export const testFleet = async (
  folders: readonly ConfigurationFolder[],
  checked: readonly FleetRow[],
  { read, io, releases, onProgress }: TestFleetOptions & { readonly read: CommandArguments },
): Promise<TestedFleet> => {
  const paths = testFilesOf(folders);
  const rows = new Map(checked.map((row) => [row, row]));
  const rowsByFile = Map.groupBy(checked, ({ file }) => resolve(file));
  const otherTests = new Map<string, TestTotals>();
  const problems = new Set<string>();
  const failures: FileFailure[] = [];
  for (const [index, path] of paths.entries()) {
    if (io.signal.aborted) break;
    onProgress(index, paths.length);
    for (const [at, release] of (releases.length === 0 ? [undefined] : releases).entries()) {
      const run = await runFile(path, argumentsFor(read, release), io);
      if (run.kind === 'failure') {
        failures.push(run);
        break;
      }
      for (const problem of run.problems) problems.add(problem);
      const key = rowOf(run, rowsByFile);
      const row = key && rows.get(key);
      if (key === undefined || row === undefined)
        otherTests.set(path, addTests(otherTests.get(path) ?? noTests, run.tests));
      else rows.set(key, withTests(row, at, run.tests));
      // Mistakes in the test file are the same for each release.
      if (run.tests.broken > 0 && run.configuration === undefined) break;
    }
  }
  onProgress(paths.length, paths.length);
  return {
    rows: [...rows.values()],
    otherTests: Array.from(otherTests, ([file, tests]) => ({ file, tests })),
    problems: [...problems],
    failures,
  };
};

/** Returns the test files of all folders, each of which once. */
const testFilesOf = (folders: readonly ConfigurationFolder[]): readonly string[] => {
  const paths = folders.flatMap(({ files, pathOf }) =>
    [...files].filter((file) => file.endsWith(testFileSuffix)).map(pathOf),
  );
  return [...new Map(paths.map((path) => [resolve(path), path])).values()];
};

interface FileRun {
  readonly kind: 'run';
  readonly tests: TestTotals;
  /** The configuration, if it is known: its file or `FILE#NAME`, and its offset in the file. */
  readonly configuration: string | undefined;
  readonly start: number | undefined;
  readonly problems: readonly string[];
}

const runFile = async (
  path: string,
  read: CommandArguments,
  io: Io,
): Promise<FileRun | FileFailure> => {
  const ignore = (): void => {};
  const options = { filter: '', bail: false, onProgress: ignore };
  const context = { targetRelease: chosenRelease(read), io, compiled: new Map() };
  const { suites, broken } = await runTests([path], context, options);
  const unreadable = broken.find(({ kind }) => kind === 'failure');
  if (unreadable?.kind === 'failure') return unreadable;
  const { passed, failed } = countsOf(suites);
  const suite = suites[0]?.suite;
  const mistakes = broken.find(({ kind }) => kind === 'mistakes');
  const loaded = suite?.loaded;
  return {
    kind: 'run',
    tests: { passed, failed, broken: broken.length },
    configuration:
      suite?.configuration ?? (mistakes?.kind === 'mistakes' ? mistakes.configuration : undefined),
    start: loaded?.kind === 'compiled' ? loaded.toFile({ start: 0, end: 0 }).start : undefined,
    // Problems of the configuration are those of its row.
    problems: broken
      .filter((one) => one.kind === 'failure' || one.report.source.uri === path)
      .map(messageOf),
  };
};

/** Returns the row of the configuration: the only one of its file, or the one at its offset. */
const rowOf = (
  { configuration, start }: FileRun,
  rowsByFile: ReadonlyMap<string, readonly FleetRow[]>,
): FleetRow | undefined => {
  if (configuration === undefined) return undefined;
  const [file = ''] = [configuration, configuration.replace(/#[^#]*$/, '')]
    .map((path) => resolve(path))
    .filter((path) => rowsByFile.has(path));
  const rows = rowsByFile.get(file) ?? [];
  return rows.length === 1 ? rows[0] : rows.find((row) => row.start === start);
};

const withTests = (row: FleetRow, at: number, tests: TestTotals): FleetRow => ({
  ...row,
  results: row.results.map((result, index) =>
    index === at ? { ...result, tests: addTests(result.tests, tests) } : result,
  ),
});
