/**
 * Runs controllers in one of several replicas, by the rules of client-go's leader election: the
 * holder of a Lease renews it, and another replica acquires it once it has not changed for its
 * duration, measured with the clock of that replica. A leader that cannot renew the Lease before the
 * deadline stops its controllers, which is earlier than another replica may start them.
 */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Randomness } from '../ports/randomness.ts';
import { type ObjectKey, type Store, type StoredObject, StoreError } from '../ports/store.ts';
import type { Controller } from './controller.ts';
import { type LeaderRecord, leaseOf, recordOf } from './lease.ts';
import { syncController } from './sync-controller.ts';

/** The flags `--leader-elect-*` of kube-controller-manager. */
export interface LeaderElectionTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

export interface LeaderElectionServices {
  readonly store: Pick<Store, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface LeaderElectionOptions extends LeaderElectionTiming {
  readonly lease: Omit<ObjectKey, 'resource'>;
  /** Differs between all processes that ever take part. */
  readonly identity: string;
  /** Creates the controllers each time this replica becomes the leader. */
  readonly controllers: () => readonly Controller[];
}

/** client-go adds up to this part of the period at random before it tries to acquire a Lease. */
export const jitterFactor = 1.2;

/** Returns a controller that takes part in the election from `start` on. */
export const leaderElection = (
  options: LeaderElectionOptions,
  services: LeaderElectionServices,
): Controller => {
  const { identity, lease, leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
  const { store, clock, randomness, log, metrics } = services;
  const key: ObjectKey = { ...lease, resource: 'leases' };
  const shownLease = `${lease.namespace}/${lease.name}`;
  const durationSeconds = Math.ceil(leaseDurationMs / 1000);
  /** The Lease as this replica last saw it change. */
  let observed: { readonly stored: StoredObject; readonly at: number } | undefined;
  /** The controllers of a leader; absent in a replica that is not the leader. */
  let leading: readonly Controller[] | undefined;
  let stopped: Promise<unknown> = Promise.resolve();
  let cancelDeadline = (): void => {};

  const observe = (stored: StoredObject): void => {
    if (observed?.stored.revision !== stored.revision) observed = { stored, at: clock.monotonic() };
  };

  /** Whether another replica holds the Lease, or this one does. */
  const isHeld = (): boolean => {
    if (observed === undefined) return false;
    const { holder, durationSeconds: seconds } = recordOf(observed.stored.object);
    return holder !== '' && observed.at + seconds * 1000 > clock.monotonic();
  };

  const recordNow = (previous: LeaderRecord | undefined): LeaderRecord => {
    const now = clock.now();
    const isRenewal = previous?.holder === identity;
    return {
      holder: identity,
      durationSeconds,
      acquiredAt: isRenewal ? previous.acquiredAt : now,
      renewedAt: now,
      transitions: (previous?.transitions ?? 0) + (previous === undefined || isRenewal ? 0 : 1),
    };
  };

  /** Acquires or renews the Lease; returns whether this replica holds it now. */
  const acquireOrRenew = async (): Promise<boolean> => {
    const current = await store.get(key);
    if (current === undefined) {
      observe(await store.create(key, leaseOf(key, recordNow(undefined))));
      return true;
    }
    observe(current);
    const previous = recordOf(current.object);
    if (previous.holder !== identity && isHeld()) return false;
    const next = leaseOf(key, recordNow(previous), current.object);
    observe(await store.update(key, next, { revision: current.revision }));
    return true;
  };

  const tryAcquireOrRenew = async (): Promise<boolean> => {
    try {
      return await acquireOrRenew();
    } catch (cause) {
      const problem = cause instanceof StoreError ? cause.problem : undefined;
      // Another replica was faster.
      if (problem === 'exists' || problem === 'conflict' || problem === 'missing') return false;
      const reason = cause instanceof Error ? cause.message : String(cause);
      log.event('warn', 'error retrieving or updating the lease', { lease: shownLease, reason });
      return false;
    }
  };

  const reportStatus = (): void =>
    metrics.set('leader_election_master_status', leading === undefined ? 0 : 1, {
      name: lease.name,
    });

  const lead = (): void => {
    leading = options.controllers();
    for (const controller of leading) controller.start();
    reportStatus();
    log.event('info', 'became leader', { lease: shownLease, identity });
  };

  const stopLeading = (): Promise<unknown> => {
    cancelDeadline();
    const controllers = leading ?? [];
    leading = undefined;
    reportStatus();
    stopped = Promise.all([stopped, ...controllers.map((controller) => controller.stop())]);
    return stopped;
  };

  const sync = async (isStopped: () => boolean): Promise<number> => {
    // Controllers of an earlier term must have ended before new ones start, and a term can end
    // during the call.
    await stopped;
    const startedAt = clock.monotonic();
    const holds = await tryAcquireOrRenew();
    await stopped;
    // The deadline counts from before the call, so that it does not depend on its duration.
    const leftMs = startedAt + renewDeadlineMs - clock.monotonic();
    if (holds && leftMs > 0 && !isStopped()) {
      cancelDeadline();
      cancelDeadline = clock.after(leftMs, () => {
        if (leading === undefined) return;
        log.event('error', 'lost lease: failed to renew it in time', { lease: shownLease });
        void stopLeading();
      });
      if (leading === undefined) lead();
    } else if (leading !== undefined && observed !== undefined) {
      const { holder } = recordOf(observed.stored.object);
      if (holder !== identity) {
        log.event('error', 'lost lease: another replica holds it', { lease: shownLease, holder });
        await stopLeading();
      }
    }
    return leading === undefined
      ? retryPeriodMs * (1 + randomness.fraction() * jitterFactor)
      : retryPeriodMs;
  };

  /** Lets another replica become the leader at once. */
  const release = async (): Promise<void> => {
    if (observed === undefined) return;
    const record = recordOf(observed.stored.object);
    if (record.holder !== identity) return;
    const now = clock.now();
    const released = { ...record, holder: '', durationSeconds: 1, renewedAt: now, acquiredAt: now };
    try {
      const { object, revision } = observed.stored;
      await store.update(key, leaseOf(key, released, object), { revision });
      log.event('info', 'released lease', { lease: shownLease });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      log.event('info', 'lease not released; it expires', { lease: shownLease, reason });
    }
  };

  reportStatus();
  const controller = syncController({ name: 'leader-election', clock, sync });
  return {
    ...controller,
    async stop() {
      await Promise.all([controller.stop(), stopLeading()]);
      await stopLeading();
      await release();
    },
  };
};
