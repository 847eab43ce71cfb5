/**
 * kube-apiserver's log line for a request whose credential was rejected ("Unable to authenticate the
 * request", `withAuthentication` in k8s.io/apiserver). A request without a credential is not an
 * error and is not logged. A client needs no identity to cause this line, so the lines are limited
 * for each diagnostic code, and the omitted ones are counted: a flood of invalid tokens does not hide
 * the message of a validation rule that rejects a user.
 */
import type { Decision } from '../../model/decision.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { mask } from '../../runtime/decision-log.ts';

export interface AuthenticationErrorLog {
  /** Logs a rejection; accepts every decision and ignores the others. */
  report(decision: Decision, auditId: string): void;
  /** Logs the count of omitted lines that has not been logged yet. */
  close(): void;
}

/** Lines of one code that are logged without a pause. */
const maxBurst = 20;
/** Time after which one more line of a code may be logged. */
const lineIntervalMs = 200;
/** Time after the first omitted line at which the number of omitted lines is logged. */
const omittedReportMs = 1_000;

interface Services {
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Limits the log lines of each code with a token bucket. Codes are constants of the catalog, so the
 * map is bounded.
 */
export const authenticationErrorLog = ({
  log,
  clock,
  metrics,
}: Services): AuthenticationErrorLog => {
  const buckets = new Map<string, TokenBucket>();
  let omitted = new Map<string, number>();
  let cancelReport: (() => void) | undefined;
  const reportOmitted = (): void => {
    cancelReport?.();
    cancelReport = undefined;
    if (omitted.size === 0) return;
    const lines = [...omitted.values()].reduce((sum, count) => sum + count);
    log.event('error', 'authentication errors omitted from the log', {
      lines,
      codes: Object.fromEntries(omitted),
    });
    omitted = new Map();
  };
  const bucketOf = (code: string): TokenBucket => {
    const known = buckets.get(code);
    if (known !== undefined) return known;
    const bucket = tokenBucket(clock);
    buckets.set(code, bucket);
    return bucket;
  };
  return {
    report(decision, auditId) {
      if (decision.kind !== 'rejected') return;
      const { code, message, at } = decision.reason;
      if (bucketOf(code).take()) {
        log.event('error', 'Unable to authenticate the request', {
          err: mask(message),
          code,
          ...(at === undefined ? {} : { at }),
          requestId: auditId,
        });
        return;
      }
      metrics.increment('authgraph_authentication_errors_omitted_total');
      omitted.set(code, (omitted.get(code) ?? 0) + 1);
      cancelReport ??= clock.after(omittedReportMs, reportOmitted);
    },
    close: reportOmitted,
  };
};

interface TokenBucket {
  /** Removes one token; returns `false` if there is none. */
  take(): boolean;
}

const tokenBucket = (clock: Clock): TokenBucket => {
  let tokens = maxBurst;
  let filledAt = clock.monotonic();
  return {
    take() {
      const earned = Math.floor((clock.monotonic() - filledAt) / lineIntervalMs);
      tokens = Math.min(maxBurst, tokens + earned);
      filledAt += earned * lineIntervalMs;
      if (tokens === 0) return false;
      tokens -= 1;
      return true;
    },
  };
};
