/** Runs one test file. */
import { setImmediate } from 'node:timers/promises';
import { nodeClock } from '../../node/clock.ts';
import type { CaseDecider } from '../../simulate/tests/case-result.ts';
import { createCaseDecider } from '../../simulate/tests/decide-cases.ts';
import { runCases } from '../../simulate/tests/run-cases.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import { type BrokenSuite, loadSuite, type Suite, type SuiteContext } from './load-suite.ts';
import type { SuiteResult, TestedSuite } from './suite-result.ts';

/** Which cases of a test file are run. */
export interface CaseSelection {
  /** A part of the file or the name of a case, in any letter case; empty for all cases. */
  readonly filter: string;
  /** Ends the run after the first case that fails. */
  readonly bail: boolean;
}

export type FileRun<Tested extends TestedSuite = Suite> =
  | { readonly kind: 'run'; readonly result: SuiteResult<Tested> }
  | { readonly kind: 'broken'; readonly broken: BrokenSuite }
  /** A test file that is not wanted, or of which the filter excludes every case. */
  | { readonly kind: 'excluded' };

interface FileSelection extends CaseSelection {
  /** Returns whether a test file is run; all of them are if absent. */
  readonly isWanted?: (suite: Suite) => boolean;
}

export const runFile = async (
  path: string,
  context: SuiteContext,
  { filter, bail, isWanted = () => true }: FileSelection,
): Promise<FileRun> => {
  const suite = await loadSuite(path, context);
  if (suite.kind !== 'suite') return { kind: 'broken', broken: suite };
  if (!isWanted(suite)) return { kind: 'excluded' };
  const wanted = filter.toLowerCase();
  const cases =
    wanted === ''
      ? suite.cases
      : suite.cases.filter(({ name }) => `${suite.path} ${name}`.toLowerCase().includes(wanted));
  if (cases.length === 0 && wanted !== '') return { kind: 'excluded' };
  const opened = await openDecider(suite, cases, context);
  if ('path' in opened) return { kind: 'broken', broken: opened };
  const { monotonic } = nodeClock();
  try {
    const { signal } = context.io;
    const results = await runCases(cases, opened, { bail, monotonic, signal, pause: setImmediate });
    const skipped = suite.cases.length - results.length;
    return { kind: 'run', result: { suite, results, skipped } };
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
