/**
 * Seats for executing requests. While a seat is free, any request gets it at once. When all seats
 * are occupied, requests wait in a bounded queue, and a seat that becomes free goes to the flow
 * that occupies the fewest. An abandoned request leaves the queue.
 */
import type { Concurrency, Seat, SeatRequest } from './concurrency.ts';
import { FairPlaces, type Place } from './fair-places.ts';

export interface FairSeatsOptions {
  readonly seats: number;
  /** Maximum number of requests that wait for a seat. */
  readonly queueLength: number;
  /** Maximum time that a request waits for a seat. */
  readonly waitMs: number;
  /**
   * Time that all seats may stay occupied while a request of a smaller flow waits. After that, the
   * oldest seat of the largest flow is displaced, once or twice this time after the request
   * arrived. Absent: seats are never displaced.
   */
  readonly patienceMs?: number;
  readonly clock: { after(milliseconds: number, action: () => void): () => void };
}

export class FairSeats implements Concurrency {
  readonly holdsSeatsOfWaiting = false;
  readonly #options: FairSeatsOptions;
  readonly #executing: FairPlaces;
  readonly #queue: FairPlaces;
  readonly #waiting = new Map<Place, Waiting>();
  /** Counts the rounds of displacement. */
  #round = 0;
  #isRoundPending = false;

  constructor(options: FairSeatsOptions) {
    this.#options = options;
    this.#executing = new FairPlaces(options.seats);
    this.#queue = new FairPlaces(options.queueLength);
  }

  get occupied(): number {
    return this.#executing.size;
  }

  get queued(): number {
    return this.#queue.size;
  }

  acquire(request: SeatRequest): Seat | Promise<Seat | undefined> | undefined {
    if (request.incoming.isCanceled) return undefined;
    return this.occupied < this.#options.seats ? this.#occupy(request) : this.#wait(request);
  }

  /** Returns a free seat, or one that a smaller flow can displace; `undefined` if there is none. */
  #occupy({ flow, onDisplaced }: SeatRequest): Seat | undefined {
    const place = this.#executing.acquire(flow, onDisplaced ?? ignore);
    return place === undefined ? undefined : new HeldSeat(place, this.#dispatch);
  }

  #wait(request: SeatRequest): Promise<Seat | undefined> | undefined {
    let settle: (seat: Seat | undefined) => void = () => {};
    const stop = (): void => this.#end(place, undefined);
    const place = this.#queue.acquire(request.flow, stop);
    if (place === undefined) return undefined;
    const { signal } = request.incoming;
    signal.addEventListener('abort', stop, { once: true });
    const cancel = this.#options.clock.after(this.#options.waitMs, stop);
    this.#waiting.set(place, {
      request,
      round: this.#round,
      settle: (seat) => {
        cancel();
        signal.removeEventListener('abort', stop);
        settle(seat);
      },
    });
    this.#planRound();
    return new Promise((resolve) => {
      settle = resolve;
    });
  }

  #end(place: Place | undefined, seat: Seat | undefined): void {
    if (place === undefined) return;
    const waiting = this.#waiting.get(place);
    this.#waiting.delete(place);
    place.release();
    waiting?.settle(seat);
  }

  readonly #dispatch = (): void => {
    if (this.queued === 0) return;
    while (this.occupied < this.#options.seats && this.#seatNext(Number.POSITIVE_INFINITY)) {
      // Each call seats one request.
    }
  };

  /**
   * Seats the next request, unless it arrived in this round or later, or no seat is available for
   * it.
   */
  #seatNext(round: number): boolean {
    const place = this.#queue.nextBy(this.#executing);
    const waiting = place === undefined ? undefined : this.#waiting.get(place);
    if (waiting === undefined || waiting.round >= round) return false;
    const seat = this.#occupy(waiting.request);
    if (seat === undefined) return false;
    this.#end(place, seat);
    return true;
  }

  #planRound(): void {
    const { patienceMs, clock } = this.#options;
    if (patienceMs === undefined || this.#isRoundPending) return;
    this.#isRoundPending = true;
    clock.after(patienceMs, () => {
      this.#isRoundPending = false;
      while (this.#seatNext(this.#round)) {
        // Each call seats one request.
      }
      this.#round += 1;
      if (this.queued > 0) this.#planRound();
    });
  }
}

class HeldSeat implements Seat {
  readonly #place: Place;
  readonly #onReleased: () => void;

  constructor(place: Place, onReleased: () => void) {
    this.#place = place;
    this.#onReleased = onReleased;
  }

  release(): void {
    this.#place.release();
    this.#onReleased();
  }
}

const ignore = (): void => {};

interface Waiting {
  readonly request: SeatRequest;
  /** Round in which the request arrived. */
  readonly round: number;
  readonly settle: (seat: Seat | undefined) => void;
}
