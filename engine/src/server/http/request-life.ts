/**
 * How long a request lives: until its client goes away, the time that the client gave it is over, or
 * the real server's upper bound. That bound is the same for all, so it comes first for the one that
 * began first, and one timer serves them all.
 */
import { requestLimits } from '../limits.ts';

/** Starts with the request. */
export class RequestLife {
  /** By the clock of the process. */
  readonly endsAt = performance.now() + requestLimits.deadlineMs;
  /** Made for who asks for it: most requests are answered before anybody does. */
  #controller: AbortController | undefined;
  #isCut = false;
  #onCut: (() => void) | undefined;

  constructor() {
    lives.add(this);
    if (!isWaiting) wakeAt(this.endsAt);
  }

  /** Aborts when the life is cut off. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isCut) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Calls at once where it is too late, and never after `end`. The last call counts. */
  onCut(call: () => void): void {
    if (this.#isCut) call();
    else this.#onCut = call;
  }

  /** Nobody waits any more; does nothing once the request is answered. */
  cut(): void {
    if (!lives.delete(this)) return;
    this.#isCut = true;
    this.#controller?.abort();
    this.#onCut?.();
  }

  /** The request is answered; nothing is left to cut. */
  end(): void {
    lives.delete(this);
  }
}

/** In the order in which they began. */
const lives = new Set<RequestLife>();
let isWaiting = false;

const wakeAt = (moment: number): void => {
  isWaiting = true;
  setTimeout(wake, Math.max(1, Math.ceil(moment - performance.now()))).unref();
};

/** Cuts what has lived too long, and waits for what comes next. */
const wake = (): void => {
  isWaiting = false;
  const now = performance.now();
  for (const life of lives) {
    if (life.endsAt > now) {
      wakeAt(life.endsAt);
      return;
    }
    life.cut();
  }
};
