/** The metrics of all processes of a server as one page. */
import { setTimeout as pause } from 'node:timers/promises';
import { type MetricFamily, mergedMetrics, withoutGauges } from '../../node/metrics.ts';

type Families = readonly MetricFamily[];

/** Time for the response of a worker; after that its last metrics are used. */
const readMs = 2_000;

export interface WorkerReader {
  readonly number: number;
  readonly read: () => Promise<Families>;
}

export interface WorkerMetrics {
  /** Returns the sum of the metrics of the primary process and of the workers. */
  text(primary: () => Promise<Families>, workers: readonly WorkerReader[]): Promise<string>;
  /**
   * Retains the counters and histograms of a worker that ended, since a counter must not decrease.
   */
  retire(worker: number): void;
}

export const workerMetrics = (): WorkerMetrics => {
  /** The metrics that were last read of each worker. */
  const last = new Map<number, Families>();
  const retired: Families[] = [];
  let reading: Promise<string> | undefined;

  const readWorker = async ({ number, read }: WorkerReader): Promise<void> => {
    const families = await Promise.race([
      read().catch(() => undefined),
      pause(readMs, undefined, { ref: false }),
    ]);
    if (families !== undefined) last.set(number, families);
  };

  const readAll = async (
    primary: () => Promise<Families>,
    workers: readonly WorkerReader[],
  ): Promise<string> => {
    const [own] = await Promise.all([primary(), ...workers.map(readWorker)]);
    const { families } = await mergedMetrics(retired.splice(0));
    retired.push(families);
    return (await mergedMetrics([own, ...last.values(), ...retired])).text;
  };

  return {
    text(primary, workers) {
      // Requests that arrive together get the same page.
      reading ??= readAll(primary, workers).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    retire(worker) {
      const ended = last.get(worker);
      last.delete(worker);
      if (ended !== undefined) retired.push(withoutGauges(ended));
    },
  };
};
