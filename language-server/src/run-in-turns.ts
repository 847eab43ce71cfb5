/** Runs long work in slices, so that requests are answered between them. */
import type { ResumableWork } from '@authgraph/engine/language';
import { limits } from './limits.ts';

export interface TurnOptions {
  /** Milliseconds of work, not counting the pauses. */
  readonly timeoutMs: number;
  /** Whether the result is still needed. */
  readonly isWanted: () => boolean;
}

/** Returns the result, or `undefined` if the work took too long or is no longer needed. */
export const runInTurns = async <Result>(
  steps: ResumableWork<Result>,
  { timeoutMs, isWanted }: TurnOptions,
): Promise<Result | undefined> => {
  let spentMs = 0;
  while (spentMs <= timeoutMs && isWanted()) {
    const started = performance.now();
    let turnMs = 0;
    while (turnMs < limits.analysisTurnMs) {
      const step = steps.next();
      if (step.done === true) return step.value;
      turnMs = performance.now() - started;
    }
    spentMs += turnMs;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
  return undefined;
};
