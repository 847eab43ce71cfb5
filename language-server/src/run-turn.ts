/** Runs long work in turns, between which the server answers requests. */
import type { ResumableWork } from '@authgraph/engine/language';
import { limits } from './limits.ts';

/** Runs work for one turn. Returns its result once it is done. */
export const runTurn = <Result>(
  work: ResumableWork<Result>,
): { readonly result: Result } | undefined => {
  const end = performance.now() + limits.analysisTurnMs;
  do {
    const step = work.next();
    if (step.done === true) return { result: step.value };
  } while (performance.now() < end);
  return undefined;
};

/** Lets other requests run. */
export const pauseForRequests = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0));
