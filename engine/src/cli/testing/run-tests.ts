/** Loads and runs test files. */
import { setImmediate } from 'node:timers/promises';
import { nodeClock } from '../../node/clock.ts';
import type { CaseDecider } from '../../simulate/tests/case-result.ts';
import { createCaseDecider } from '../../simulate/tests/decide-cases.ts';
import { runCases } from '../../simulate/tests/run-cases.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import { findTestFiles } from './find-test-files.ts';
import { type BrokenSuite, loadSuite, type Suite, type SuiteContext } from './load-suite.ts';
import type { SuiteResult, TestRun } from './suite-result.ts';
import { isFailed } from './suite-result.ts';

export interface RunTestsOptions {
  /** A part of the file or the name of a case, in any letter case; empty for all cases. */
  readonly filter: string;
  readonly bail: boolean;
  /** Returns whether a test file is run; all of them are if absent. */
  readonly isWanted?: (suite: Suite) => boolean;
  /** Called before each file, and once at the end. */
  readonly onProgress: (done: number, all: number) => void;
  readonly onSuite: (result: SuiteResult) => void;
}

export const runTests = async (
  named: readonly string[],
  context: SuiteContext,
  options: RunTestsOptions,
): Promise<TestRun> => {
  const clock = nodeClock();
  const started = clock.monotonic();
  const { paths, failures } = findTestFiles(named, context.io);
  const broken: BrokenSuite[] = failures.map((failure) => ({ path: '', ...failure }));
  const suites: SuiteResult[] = [];
  for (const [index, path] of paths.entries()) {
    if (context.io.signal.aborted) break;
    options.onProgress(index, paths.length);
    const loaded = await loadSuite(path, context);
    if (loaded.kind !== 'suite') {
      broken.push(loaded);
      continue;
    }
    if (options.isWanted?.(loaded) === false) continue;
    const result = await runSuite(loaded, context, options);
    if (result === undefined) continue;
    if ('path' in result) {
      broken.push(result);
      continue;
    }
    suites.push(result);
    options.onSuite(result);
    if (options.bail && result.results.some(isFailed)) break;
  }
  options.onProgress(paths.length, paths.length);
  return { suites, broken, durationMs: clock.monotonic() - started };
};

/** Returns the results; `undefined` if the filter excludes every case. */
const runSuite = async (
  suite: Suite,
  context: SuiteContext,
  { filter, bail }: RunTestsOptions,
): Promise<SuiteResult | BrokenSuite | undefined> => {
  const wanted = filter.toLowerCase();
  const cases =
    wanted === ''
      ? suite.cases
      : suite.cases.filter(({ name }) => `${suite.path} ${name}`.toLowerCase().includes(wanted));
  if (cases.length === 0 && wanted !== '') return undefined;
  const opened = await openDecider(suite, cases, context);
  if ('path' in opened) return opened;
  const { monotonic } = nodeClock();
  try {
    const { signal } = context.io;
    const results = await runCases(cases, opened, { bail, monotonic, signal, pause: setImmediate });
    return { suite, results, skipped: suite.cases.length - results.length };
  } finally {
    await opened.close();
  }
};

/** Opens what decides the cases: the compiled graph and, where a case needs it, what verifies tokens and requests. */
export const openDecider = async (
  suite: Suite,
  cases: readonly TestCase[],
  context: Pick<SuiteContext, 'io'>,
): Promise<CaseDecider | BrokenSuite> => {
  if (cases.every(({ input }) => input.kind === 'claims'))
    return createCaseDecider(suite.graph, { clock: { now: 0 } });
  const { openTokenDecider } = await import('./open-token-decider.ts');
  return openTokenDecider(suite, cases, context);
};
