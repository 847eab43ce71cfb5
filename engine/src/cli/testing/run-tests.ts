/** Runs test files in order, on this thread as long as others would not be faster. */
import { nodeClock } from '../../node/clock.ts';
import { findTestFiles } from './find-test-files.ts';
import type { BrokenSuite, Suite, SuiteContext } from './load-suite.ts';
import { type CaseSelection, type FileRun, runFile } from './run-file.ts';
import { isFailed, type SuiteResult, type TestedSuite, type TestRun } from './suite-result.ts';

export interface RunTestsOptions<Other extends TestedSuite = Suite> extends CaseSelection {
  /** Returns whether a test file is run; all of them are if absent. */
  readonly isWanted?: (suite: Suite) => boolean;
  /** Called before each file, and once at the end. */
  readonly onProgress: (done: number, all: number) => void;
  /** Runs files on other threads; absent if this thread runs all of them. */
  readonly threads?: FileThreads<Other>;
}

export interface FileThreads<Other extends TestedSuite> {
  /** Returns how many threads run the files that are left; 0 if this one runs the next file. */
  readonly useful: (progress: RunProgress) => number;
  /** Returns the runs of the files, up to one that ends the run. */
  readonly run: (
    paths: readonly string[],
    options: { readonly threads: number; readonly onDone: (done: number) => void },
  ) => Promise<readonly FileRun<Other>[]>;
}

export interface RunProgress {
  readonly done: number;
  readonly left: number;
  readonly elapsedMs: number;
}

export const runTests = async <Other extends TestedSuite = Suite>(
  named: readonly string[],
  context: SuiteContext,
  options: RunTestsOptions<Other>,
): Promise<TestRun<Suite | Other>> => {
  const clock = nodeClock();
  const started = clock.monotonic();
  const { paths, failures } = findTestFiles(named, context.io);
  const { threads } = options;
  const runs: FileRun<Suite | Other>[] = [];
  for (const [index, path] of paths.entries()) {
    if (context.io.signal.aborted) break;
    options.onProgress(index, paths.length);
    const elapsedMs = clock.monotonic() - started;
    const left = paths.length - index;
    const count = threads?.useful({ done: index, left, elapsedMs }) ?? 0;
    if (threads !== undefined && count > 0) {
      const onDone = (done: number): void => options.onProgress(index + done, paths.length);
      runs.push(...(await threads.run(paths.slice(index), { threads: count, onDone })));
      break;
    }
    const run = await runFile(path, context, options);
    runs.push(run);
    if (run.kind === 'run' && endsRun(run.result.results, options)) break;
  }
  options.onProgress(paths.length, paths.length);
  const unfound: readonly BrokenSuite[] = failures.map((failure) => ({ path: '', ...failure }));
  return {
    suites: runs.flatMap((run): readonly SuiteResult<Suite | Other>[] =>
      run.kind === 'run' ? [run.result] : [],
    ),
    broken: [...unfound, ...runs.flatMap((run) => (run.kind === 'broken' ? [run.broken] : []))],
    durationMs: clock.monotonic() - started,
  };
};

/** Returns whether no file after the one with these results is run. */
export const endsRun = (
  results: SuiteResult['results'],
  { bail }: Pick<CaseSelection, 'bail'>,
): boolean => bail && results.some(isFailed);
