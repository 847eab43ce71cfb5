/**
 * A pool of authorities that follows its file. What cannot be read or parsed changes nothing: the
 * last good authorities stay, and it is counted and logged. A look each minute stands behind the
 * watch, so an authority that was taken out counts no longer than that, on open connections too.
 */
import type { ReloadablePool } from '../certificates/certificate-pool.ts';
import { poolWarnings } from '../certificates/pool-warnings.ts';
import { maxCertificateBundleBytes } from '../model/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { type FileWatch, watchFile } from './files.ts';

export interface PoolWatchOptions {
  /** Absent: nothing is said of authorities that are of no use now. */
  readonly clock?: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly debounceMs?: number;
  readonly pollMs?: number;
}

const reloadsMetric = 'authgraph_certificate_authority_reloads_total';

export const watchCertificatePool = (
  pool: ReloadablePool,
  path: string,
  { clock, log, metrics, debounceMs, pollMs }: PoolWatchOptions,
): FileWatch => {
  const [purpose = ''] = pool.name.split('::');
  const advise = (): void => {
    if (clock === undefined) return;
    for (const advice of poolWarnings(pool.authorities(), clock.now()))
      log.event('warn', advice, { pool: pool.name });
  };
  advise();
  let lastProblem: string | undefined;
  const reportFailure = (reason: string): void => {
    metrics.increment(reloadsMetric, { pool: purpose, status: 'failure' });
    // Each minute the same would be no news.
    if (reason === lastProblem) return;
    lastProblem = reason;
    log.event('error', 'certificate authorities not reloaded; the last good ones stay', {
      pool: pool.name,
      reason,
    });
  };
  return watchFile(
    path,
    {
      maxBytes: maxCertificateBundleBytes,
      ...(debounceMs === undefined ? {} : { debounceMs }),
      ...(pollMs === undefined ? {} : { pollMs }),
    },
    (reading) => {
      if (reading.kind === 'unreadable') return reportFailure(reading.reason);
      const reload = pool.reload(reading.bytes);
      if (reload.kind === 'invalid') return reportFailure(reload.problem);
      lastProblem = undefined;
      if (reload.kind === 'unchanged') return;
      metrics.increment(reloadsMetric, { pool: purpose, status: 'success' });
      log.event('info', 'certificate authorities reloaded', {
        pool: pool.name,
        authorities: pool.authorities().length,
      });
      advise();
    },
  );
};
