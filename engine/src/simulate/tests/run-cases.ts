/** Runs the cases of a test file in order. */
import type { CaseDecider, CaseResult } from './case-result.ts';
import { differencesOf } from './compare-outcome.ts';
import { createPauses, type PauseOptions } from './pauses.ts';
import type { TestCase } from './test-case.ts';

export interface RunOptions extends PauseOptions {
  /** Ends the run after the first case that fails. */
  readonly bail: boolean;
  readonly signal: AbortSignal;
  readonly onResult?: (result: CaseResult) => void;
}

/** Cases whose tokens are signed at the same time. */
const preparedCases = 64;

/**
 * Returns the results. A case that fails is decided once more with a trace, so that its path through
 * the graph can be shown; the others are not slowed down by one.
 */
export const runCases = async (
  cases: readonly TestCase[],
  decider: Pick<CaseDecider, 'decide' | 'prepare'>,
  { bail, monotonic, signal, pause, onResult }: RunOptions,
): Promise<readonly CaseResult[]> => {
  const results: CaseResult[] = [];
  const pauseIfDue = createPauses({ monotonic, pause });
  for (const [index, test] of cases.entries()) {
    await pauseIfDue();
    if (signal.aborted) break;
    if (index % preparedCases === 0)
      for (const next of cases.slice(index, index + preparedCases)) decider.prepare?.(next);
    const started = monotonic();
    // Sequential, because all cases of a graph share one clock.
    const outcome = await decider.decide(test, { trace: false });
    const durationMs = monotonic() - started;
    const differences = differencesOf(test.expected, outcome);
    const traced = differences.length === 0 ? outcome : await decider.decide(test, { trace: true });
    const result = { test, outcome: traced, differences, durationMs };
    results.push(result);
    onResult?.(result);
    if (bail && differences.length > 0) break;
  }
  return results;
};
