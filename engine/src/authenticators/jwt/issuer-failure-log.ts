/**
 * Log lines about the requests to one issuer. An issuer that is down for hours fails every ten
 * seconds, so repeated lines are thinned: the time until the next one doubles, up to ten minutes,
 * and each line has the number of failures since the last one. An error that is new in this outage
 * is logged at once, and the first success after a failure is reported.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface IssuerFailureLog {
  failed(error: string): void;
  succeeded(): void;
}

interface IssuerFailureLogOptions {
  readonly issuer: string;
  /** The message of each failure. */
  readonly message: string;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** The time after the first line of an outage until the next one with the same error. */
const firstIntervalMs = 20_000;
const maxIntervalMs = 600_000;
/** Different errors of one outage that are logged at once; an issuer chooses their text. */
const maxNewErrors = 8;
/** Maximum number of characters of an error, which may contain the response of an issuer. */
const maxErrorCharacters = 1_024;

/** The failures since the issuer last answered. */
interface Outage {
  readonly since: number;
  failures: number;
  /** Failures without a line since the last one. */
  omitted: number;
  intervalMs: number;
  nextLineAt: number;
  readonly errors: Set<string>;
}

/** Creates the log of one kind of request to one issuer. */
export const issuerFailureLog = ({
  issuer,
  message,
  log,
  clock,
}: IssuerFailureLogOptions): IssuerFailureLog => {
  let outage: Outage | undefined;
  return {
    failed(text) {
      const now = clock.monotonic();
      const error =
        text.length > maxErrorCharacters ? `${text.slice(0, maxErrorCharacters)}…` : text;
      outage ??= {
        since: now,
        failures: 0,
        omitted: 0,
        intervalMs: firstIntervalMs,
        nextLineAt: now,
        errors: new Set(),
      };
      outage.failures += 1;
      const isNew = !outage.errors.has(error) && outage.errors.size < maxNewErrors;
      if (isNew) outage.errors.add(error);
      if (!isNew && now < outage.nextLineAt) {
        outage.omitted += 1;
        return;
      }
      log.event('warn', message, {
        issuer,
        error,
        ...(outage.failures === 1
          ? {}
          : { failures: outage.failures, omitted: outage.omitted, since: elapsed(outage, now) }),
      });
      outage.omitted = 0;
      if (now < outage.nextLineAt) return;
      outage.nextLineAt = now + outage.intervalMs;
      outage.intervalMs = Math.min(maxIntervalMs, outage.intervalMs * 2);
    },
    succeeded() {
      if (outage === undefined) return;
      const { failures } = outage;
      const after = elapsed(outage, clock.monotonic());
      outage = undefined;
      log.event('info', 'issuer answers again', { issuer, after, failures });
    },
  };
};

/** Returns the length of an outage in whole seconds, such as `3m10s`. */
const elapsed = ({ since }: Outage, now: number): string => {
  const seconds = Math.round((now - since) / 1_000);
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3_600);
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
};
