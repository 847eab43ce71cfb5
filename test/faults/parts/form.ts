/**
 * Short forms run on every change; long ones (`AUTHGRAPH_FAULTS=long`) have the numbers of the
 * plan.
 */
export const isLongRun = process.env.AUTHGRAPH_FAULTS === 'long';

/** Returns the number for this run. */
export const byRunLength = <T>(short: T, full: T): T => (isLongRun ? full : short);

/** Logs the results of a row for docs/faults.md. */
export const report = (row: string, figures: Readonly<Record<string, unknown>>): void => {
  const words = Object.entries(figures).map(([name, value]) => {
    const shown = typeof value === 'number' ? Number(value.toFixed(1)) : value;
    return `${name} ${typeof shown === 'object' ? JSON.stringify(shown) : shown}`;
  });
  console.log(`${row} (${isLongRun ? 'long' : 'short'}): ${words.join(', ')}`);
};

/** Waits for a condition; returns how long that took, in milliseconds. Throws after the limit. */
export const until = async (
  condition: () => boolean | Promise<boolean>,
  maxMs: number,
  everyMs = 50,
): Promise<number> => {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > maxMs) throw new Error(`not within ${maxMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return performance.now() - startedAt;
};
