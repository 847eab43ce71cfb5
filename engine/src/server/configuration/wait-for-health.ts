/** Waits until the authenticators of a reloaded configuration are ready. */
import type { Clock } from '../../ports/clock.ts';

/** A linked graph that is not in service yet. */
export interface Candidate {
  /** Initializes what would otherwise delay the first request. */
  prepare(): void;
  /** Returns one reason for each authenticator that is not ready. */
  unready(): readonly string[];
  /** Puts the graph into service. The previous graph is closed after its last request. */
  install(): void;
  /** Closes a graph that will not be used. */
  discard(): Promise<void>;
}

/** The time that new authenticators have to become healthy. */
const healthTimeoutMs = 60_000;

/** The interval of health checks; kube-apiserver checks every ten seconds. */
const healthIntervalMs = 200;

const unreportedWaitMs = 2_000;

export interface Attempt {
  readonly hash: string;
  /** Resolves when the attempt has ended, with either outcome. */
  readonly settled: Promise<void>;
  abandon(): Promise<void>;
}

type HealthOutcome =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly reasons: readonly string[] };

/** Waits for the authenticators of a candidate; `undefined` if all are ready already. */
export const waitForHealth = (
  hash: string,
  candidate: Candidate,
  {
    clock,
    report,
  }: {
    readonly clock: Clock;
    /** Reports that the graph waits for its issuers, while the old one is in service. */
    report(event: { readonly kind: 'waiting'; readonly reasons: readonly string[] }): void;
  },
  onOutcome: (outcome: HealthOutcome) => void,
): Attempt | undefined => {
  const initiallyUnready = candidate.unready();
  if (initiallyUnready.length === 0) {
    onOutcome({ kind: 'healthy' });
    return undefined;
  }
  const deadline = clock.monotonic() + healthTimeoutMs;
  const { promise: settled, resolve: resolveSettled } = Promise.withResolvers<void>();
  let cancelTimer = () => {};
  let waitReported = false;
  const finish = async (outcome: HealthOutcome): Promise<void> => {
    onOutcome(outcome);
    if (outcome.kind === 'unhealthy') await candidate.discard();
    resolveSettled();
  };
  const check = (): void => {
    const reasons = candidate.unready();
    if (reasons.length === 0) return void finish({ kind: 'healthy' });
    if (clock.monotonic() >= deadline) return void finish({ kind: 'unhealthy', reasons });
    // Most issuers answer before the second check; only a longer wait is reported.
    if (!waitReported && clock.monotonic() >= deadline - healthTimeoutMs + unreportedWaitMs) {
      waitReported = true;
      report({ kind: 'waiting', reasons });
    }
    cancelTimer = clock.after(healthIntervalMs, check);
  };
  cancelTimer = clock.after(healthIntervalMs, check);
  return {
    hash,
    settled,
    async abandon() {
      cancelTimer();
      await candidate.discard();
      resolveSettled();
    },
  };
};
