/** Pauses between cases, whose claims are decided synchronously. */

export interface PauseOptions {
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** Lets other tasks run, which may abort a signal. */
  readonly pause: () => Promise<unknown>;
}

/** Other tasks of the process wait at most this long, apart from a single case. */
const turnMs = 10;

/** Returns the function to call between two cases: it pauses if the last pause was some time ago. */
export const createPauses = ({ monotonic, pause }: PauseOptions): (() => Promise<void>) => {
  let resumed = monotonic();
  return async () => {
    if (monotonic() - resumed <= turnMs) return;
    await pause();
    resumed = monotonic();
  };
};
