/**
 * Work that several callers wait for. It is aborted when the last caller has left. It holds one
 * place, in the share of one of its callers: when that caller leaves or loses the place to a
 * smaller flow, the place passes to the next caller.
 */
import type { FairPlaces, Place, PlaceSize } from './fair-places.ts';
import { flowOf, type Waiter } from './waiter.ts';

export interface SharedWorkOptions<Result> {
  readonly places: FairPlaces;
  readonly size?: PlaceSize;
  /** Result for a caller whose place went to a smaller flow. */
  readonly refused: Result;
  /** Returns the result for a caller that has left. */
  left(signal: AbortSignal): Result;
  /** Called when no caller waits any longer. */
  onAbandoned(): void;
}

interface Caller<Result> {
  readonly waiter: Waiter;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class SharedWork<Result> implements Waiter {
  #options: SharedWorkOptions<Result> | undefined;
  readonly #callers = new Set<Caller<Result>>();
  #controller: AbortController | undefined;
  #abortReason: { readonly reason: unknown } | undefined;
  /** The caller in whose share the place counts. */
  #payer: Waiter;
  #place: Place | undefined;

  constructor(first: Waiter) {
    this.#payer = first;
  }

  /**
   * A signal that aborts once no caller waits. It is created when it is first read, since most work
   * ends at once.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason.reason);
    }
    return this.#controller.signal;
  }

  get flow() {
    return flowOf(this.#payer);
  }

  /**
   * Acquires a place, once it is known that callers have to wait. If there is none, the work is
   * aborted.
   */
  begin(options: SharedWorkOptions<Result>): boolean {
    this.#options = options;
    const { places, size } = options;
    this.#place = places.acquire(this.flow, () => this.#passOn(options), size);
    if (this.#place === undefined) this.abort();
    return this.#place !== undefined;
  }

  /** Waits for the result of the work, or until the caller leaves. Call it only after `begin`. */
  join(waiter: Waiter): Promise<Result> {
    const options = this.#options;
    if (options === undefined) throw new Error('the work has not begun');
    const { signal } = waiter;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#callers.delete(caller);
        signal.removeEventListener('abort', leave);
      };
      const caller: Caller<Result> = {
        waiter,
        resolve(result) {
          end();
          resolve(result);
        },
        reject(error) {
          end();
          reject(error);
        },
      };
      const leave = (): void => {
        caller.resolve(options.left(signal));
        if (this.#callers.size > 0 && waiter !== this.#payer) return;
        this.#place?.release();
        this.#passToNext(options);
      };
      this.#callers.add(caller);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Ends the wait of all callers. */
  settle(result: Result): void {
    this.#place?.release();
    for (const caller of this.#callers) caller.resolve(result);
  }

  /** Ends the wait of all callers with an error. */
  fail(error: unknown): void {
    this.#place?.release();
    for (const caller of this.#callers) caller.reject(error);
  }

  /** Aborts the work; its callers wait for the result that it returns then. */
  abort(reason?: unknown): void {
    this.#abortReason ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Ends the wait of the caller in whose share the place counted, after the place was lost. */
  #passOn(options: SharedWorkOptions<Result>): void {
    for (const caller of this.#callers) {
      if (caller.waiter === this.#payer) caller.resolve(options.refused);
    }
    this.#passToNext(options);
  }

  /**
   * Moves the work into the share of the caller that has waited longest. If there is none, the work
   * is aborted.
   */
  #passToNext(options: SharedWorkOptions<Result>): void {
    const [next] = this.#callers;
    if (next === undefined) {
      options.onAbandoned();
      this.abort();
      return;
    }
    this.#payer = next.waiter;
    this.#place = options.places.add(this.flow, () => this.#passOn(options), options.size);
  }
}
