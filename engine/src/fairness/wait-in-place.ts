/** Work that runs while its caller holds a place. */
import type { FairPlaces } from './fair-places.ts';
import { flowOf, type Waiter } from './waiter.ts';

export type WaitOutcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  /** The caller no longer waits. */
  | { readonly kind: 'left' }
  /** There is no place for the caller, or a smaller flow got it. */
  | { readonly kind: 'refused' };

/**
 * Runs the work if there is a place for it. The signal that the work gets aborts once nothing waits
 * for the work.
 */
export const waitInPlace = <Value>(
  places: FairPlaces,
  waiter: Waiter,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<WaitOutcome<Value>> => {
  const { signal } = waiter;
  if (signal.aborted) return Promise.resolve({ kind: 'left' });
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const end = (): void => {
      place?.release();
      signal.removeEventListener('abort', leave);
    };
    const settle = (outcome: WaitOutcome<Value>): void => {
      end();
      resolve(outcome);
    };
    const leave = (): void => {
      settle({ kind: 'left' });
      controller.abort(signal.reason);
    };
    const place = places.acquire(flowOf(waiter), () => {
      settle({ kind: 'refused' });
      controller.abort();
    });
    if (place === undefined) {
      resolve({ kind: 'refused' });
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    work(controller.signal).then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
};
