/**
 * The limits of kube-apiserver without priority and fairness: one for requests that only read and
 * one for the others. A request over its limit is refused at once; 0 is no limit.
 */
import type { Concurrency, Seat, SeatRequest } from '../../fairness/concurrency.ts';

export interface MaxInFlightLimits {
  readonly readOnly: number;
  readonly mutating: number;
}

export class MaxInFlight implements Concurrency {
  readonly holdsSeatsOfWaiting = true;
  readonly #readOnly: Pool;
  readonly #mutating: Pool;

  constructor({ readOnly, mutating }: MaxInFlightLimits) {
    this.#readOnly = new Pool(readOnly);
    this.#mutating = new Pool(mutating);
  }

  acquire({ isMutating }: SeatRequest): Seat | undefined {
    return (isMutating ? this.#mutating : this.#readOnly).acquire();
  }
}

class Pool {
  readonly #limit: number;
  #occupied = 0;

  constructor(limit: number) {
    this.#limit = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  }

  acquire(): Seat | undefined {
    if (this.#occupied >= this.#limit) return undefined;
    this.#occupied += 1;
    let isOccupied = true;
    return {
      release: () => {
        if (isOccupied) this.#occupied -= 1;
        isOccupied = false;
      },
    };
  }
}
