/** Waits for observations, with a name for the error message. */
export interface Patience {
  readonly milliseconds?: number;
  readonly every?: number;
}

/** Milliseconds to wait for one observation; a loaded machine needs more. */
export const patience = Number(process.env.AUTHGRAPH_E2E_TIMEOUT ?? 30_000);

/**
 * Repeats an observation until it holds. A thrown error counts as not yet, and is the cause of the
 * final error.
 */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  { milliseconds = patience, every = 100 }: Patience = {},
): Promise<void> => {
  const deadline = performance.now() + milliseconds;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (cause) {
      last = cause;
    }
    if (performance.now() > deadline)
      throw new Error(`timed out waiting until ${what}`, { cause: last });
    await new Promise((done) => setTimeout(done, every));
  }
};
