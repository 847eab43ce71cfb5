/** The shares of one server: requests that wait, and requests that execute. */

import type { Concurrency } from '../../fairness/concurrency.ts';
import { FairPlaces } from '../../fairness/fair-places.ts';
import { FairSeats } from '../../fairness/fair-seats.ts';
import type { Clock } from '../../ports/clock.ts';
import { fairnessLimits } from '../limits.ts';
import { onlyProcess, partOf, type WorkerPlace } from '../workers/divide-limits.ts';
import type { StoreShares } from './fair-store.ts';
import { InFlightGauge } from './in-flight-gauge.ts';
import { MaxInFlight } from './max-in-flight.ts';

export interface Fairness {
  /**
   * Requests whose authentication waits, for example for keys or a webhook; by client network and
   * connection.
   */
  readonly authentication: FairPlaces;
  /** Requests that wait for their body; by user. */
  readonly bodies: FairPlaces;
  /** Requests that wait for the review of a token; by user. */
  readonly reviews: FairPlaces;
  /** Requests that execute; by user. */
  readonly concurrency: Concurrency;
  readonly inFlight: InFlightGauge;
  /** Calls to the store; by user. */
  readonly store: StoreShares;
}

/** The flags of kube-apiserver that set the concurrency. */
export interface ConcurrencyOptions {
  readonly maxRequestsInFlight: number;
  readonly maxMutatingRequestsInFlight: number;
  readonly priorityAndFairness: boolean;
}

/** How many requests may wait, of each kind. */
export type WaitingLimits = Readonly<
  Record<'waitingForAuthentication' | 'waitingForBody' | 'waitingForReview', number>
>;

interface SeatSettings {
  readonly clock: Pick<Clock, 'after'>;
  readonly place: WorkerPlace;
}

interface FairnessSettings extends Pick<SeatSettings, 'clock'> {
  readonly waiting?: WaitingLimits | undefined;
  /** The place of this process among the workers; absent for a server of one process. */
  readonly place?: WorkerPlace | undefined;
}

export const serverFairness = (
  options: ConcurrencyOptions,
  { clock, waiting = fairnessLimits, place = onlyProcess }: FairnessSettings,
): Fairness => ({
  authentication: new FairPlaces(waiting.waitingForAuthentication),
  bodies: new FairPlaces(waiting.waitingForBody),
  reviews: new FairPlaces(waiting.waitingForReview),
  concurrency: concurrencyOf(options, { clock, place }),
  inFlight: new InFlightGauge(),
  store: {
    writes: seatsOf(storePart(fairnessLimits.storeWrites, place), { clock, place }),
    lists: seatsOf(storePart(fairnessLimits.storeLists, place), { clock, place }),
    waitingLists: new Map(),
  },
});

/** A worker without any place could not use the store at all. */
const storePart = (limit: number, place: WorkerPlace): number => Math.max(1, partOf(limit, place));

const concurrencyOf = (
  { maxRequestsInFlight, maxMutatingRequestsInFlight, priorityAndFairness }: ConcurrencyOptions,
  settings: SeatSettings,
): Concurrency =>
  priorityAndFairness
    ? seatsOf(maxRequestsInFlight + maxMutatingRequestsInFlight, settings)
    : new MaxInFlight({ readOnly: maxRequestsInFlight, mutating: maxMutatingRequestsInFlight });

const seatsOf = (seats: number, { clock, place }: SeatSettings): FairSeats =>
  new FairSeats({
    seats,
    queueLength: partOf(fairnessLimits.queueLength, place),
    waitMs: fairnessLimits.queueWaitMs,
    clock,
  });
