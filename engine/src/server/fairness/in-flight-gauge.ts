/** Counts authenticated requests in flight, as kube-apiserver does: the maximum of each second. */
import type { Clock } from '../../ports/clock.ts';
import type { Metrics } from '../../ports/metrics.ts';

export type RequestKind = 'readOnly' | 'mutating';

const periodMs = 1_000;

export class InFlightGauge {
  readonly #current = { readOnly: 0, mutating: 0 };
  readonly #most = { readOnly: 0, mutating: 0 };

  enter(kind: RequestKind): void {
    this.#current[kind] += 1;
    this.#most[kind] = Math.max(this.#most[kind], this.#current[kind]);
  }

  leave(kind: RequestKind): void {
    this.#current[kind] -= 1;
  }

  /** Reports every second until the returned function is called. */
  report(metrics: Metrics, clock: Pick<Clock, 'after'>): () => void {
    let cancel = (): void => {};
    const wait = (): void => {
      cancel = clock.after(periodMs, () => {
        for (const kind of ['readOnly', 'mutating'] as const) {
          metrics.set('apiserver_current_inflight_requests', this.#most[kind], {
            request_kind: kind,
          });
          this.#most[kind] = this.#current[kind];
        }
        wait();
      });
    };
    wait();
    return () => cancel();
  }
}
