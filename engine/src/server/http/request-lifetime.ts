/**
 * How long a request lives: until its client goes away, the time that the client gave it is over, or
 * the real server's upper bound. That bound is the same for all, so it comes first for the one that
 * began first, and one timer serves them all.
 */
import { requestLimits } from '../limits.ts';

/** Why a signal aborts that aborts for the bound and for nobody's going. */
export const deadlineExceeded = 'the time of the request is over';

/** The requests of one listener that are at work. */
export class RequestLifetimes {
  /** Stands before the first and behind the last of those at work, in the order in which they began. */
  readonly #ring: Link = new Link();
  #isWaiting = false;

  /** Its time starts now. */
  begin(): RequestLifetime {
    const lifetime = new RequestLifetime();
    lifetime.insertBefore(this.#ring);
    if (!this.#isWaiting) this.#wakeAt(lifetime.deadline);
    return lifetime;
  }

  #wakeAt(moment: number): void {
    this.#isWaiting = true;
    const wait = Math.max(1, Math.ceil(moment - performance.now()));
    setTimeout(() => this.#wake(), wait).unref();
  }

  /** Cuts what has lived too long, and waits for what comes next. */
  #wake(): void {
    this.#isWaiting = false;
    const now = performance.now();
    for (let first = this.#ring.next; first instanceof RequestLifetime; first = this.#ring.next) {
      if (first.deadline > now) {
        this.#wakeAt(first.deadline);
        return;
      }
      first.cancel(deadlineExceeded);
    }
  }
}

/** A place in a ring. A set would make its table anew for every few requests. */
class Link {
  #next: Link = this;
  #previous: Link = this;

  get next(): Link {
    return this.#next;
  }

  /** Takes the place before the other. */
  insertBefore(other: Link): void {
    this.#next = other;
    this.#previous = other.#previous;
    other.#previous.#next = this;
    other.#previous = this;
  }

  /** False for what stands alone. */
  remove(): boolean {
    if (this.#next === this) return false;
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#next = this;
    this.#previous = this;
    return true;
  }
}

/** Of one request. */
export class RequestLifetime extends Link {
  /** By the clock of the process. */
  readonly deadline = performance.now() + requestLimits.deadlineMs;
  /** Made for who asks for it: most requests are answered before anybody does. */
  #controller: AbortController | undefined;
  #isCanceled = false;
  #reason: typeof deadlineExceeded | undefined;
  #onCanceled: (() => void) | undefined;

  /** Aborts when the life is cut off. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isCanceled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  /** Calls at once where it is too late, and never after `end`. The last call counts. */
  onCanceled(call: () => void): void {
    if (this.#isCanceled) call();
    else this.#onCanceled = call;
  }

  /** Nobody waits any more; does nothing once the request is answered. */
  cancel(reason?: typeof deadlineExceeded): void {
    if (!this.remove()) return;
    this.#isCanceled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onCanceled?.();
  }

  /** The request is answered; nothing is left to cut. */
  end(): void {
    this.remove();
    this.#onCanceled = undefined;
  }
}
