/**
 * Keeps a pool of certificate authorities up to date with its file. A file that cannot be read or
 * parsed changes nothing: the last valid authorities remain in use, and the failure is counted and
 * logged. In addition to the watch, the file is read once a minute, so an authority that was
 * removed stops being trusted within a minute, on open connections too.
 */
import type { ReloadablePool } from '../certificates/certificate-pool.ts';
import { poolWarnings } from '../certificates/pool-warnings.ts';
import { maxCertificateBundleBytes } from '../model/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { type FileWatch, watchFile } from './files.ts';

export interface PoolWatchOptions {
  /** If absent, unusable authorities are not reported. */
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
    // The same failure is not logged again every minute.
    if (reason === lastProblem) return;
    lastProblem = reason;
    log.event('error', 'certificate authorities not reloaded; the last valid ones remain in use', {
      pool: pool.name,
      reason,
    });
  };
  return watchFile(path, { maxBytes: maxCertificateBundleBytes, debounceMs, pollMs }, (reading) => {
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
  });
};
