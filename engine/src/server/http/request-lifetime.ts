/**
 * Lifetime of a request: it ends when the client is gone, when its requested timeout expires, or at
 * kube-apiserver's upper bound. The bound is the same for all requests, so they expire in the order
 * of arrival, and a single timer serves all of them.
 */
import { requestLimits } from '../limits.ts';

/** The reason with which a signal aborts at the deadline, as opposed to when the client is gone. */
export const deadlineExceeded = 'the deadline of the request is exceeded';

/** The requests in progress of one listener. */
export class RequestLifetimes {
  /** The sentinel of a ring of requests in progress, in the order in which they began. */
  readonly #ring: Link = new Link();
  #isWaiting = false;

  /** Registers a request whose time starts now. */
  begin(): RequestLifetime {
    const lifetime = new RequestLifetime();
    lifetime.insertBefore(this.#ring);
    if (!this.#isWaiting) this.#wakeAt(lifetime.deadline);
    return lifetime;
  }

  /** Returns the number of requests in progress, which is counted only when it is needed. */
  count(): number {
    let count = 0;
    for (let link = this.#ring.next; link !== this.#ring; link = link.next) count += 1;
    return count;
  }

  #wakeAt(moment: number): void {
    this.#isWaiting = true;
    const wait = Math.max(1, Math.ceil(moment - performance.now()));
    setTimeout(() => this.#wake(), wait).unref();
  }

  /** Cancels expired requests and sets the timer for the next deadline. */
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

/** A node of a doubly linked ring. A set would rehash for every few requests. */
class Link {
  #next: Link = this;
  #previous: Link = this;

  get next(): Link {
    return this.#next;
  }

  /** Inserts this node before the other. */
  insertBefore(other: Link): void {
    this.#next = other;
    this.#previous = other.#previous;
    other.#previous.#next = this;
    other.#previous = this;
  }

  /** Returns false if the node is not part of a ring. */
  remove(): boolean {
    if (this.#next === this) return false;
    this.#previous.#next = this.#next;
    this.#next.#previous = this.#previous;
    this.#next = this;
    this.#previous = this;
    return true;
  }
}

/** The lifetime of a single request. */
export class RequestLifetime extends Link {
  /** The deadline by the monotonic clock of the process. */
  readonly deadline = performance.now() + requestLimits.deadlineMs;
  /** Created on first use: most requests are answered without it. */
  #controller: AbortController | undefined;
  #isCanceled = false;
  #reason: typeof deadlineExceeded | undefined;
  #onCanceled: (() => void) | undefined;

  /** Aborts when the request is canceled. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isCanceled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  /**
   * Sets the function to call on cancellation, replacing the previous one. It is called at once if
   * the request is canceled already, and never after `end`.
   */
  onCanceled(call: () => void): void {
    if (this.#isCanceled) call();
    else this.#onCanceled = call;
  }

  /** Cancels the request; does nothing once it is answered. */
  cancel(reason?: typeof deadlineExceeded): void {
    if (!this.remove()) return;
    this.#isCanceled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onCanceled?.();
  }

  /** Marks the request as answered: it can no longer be canceled. */
  end(): void {
    this.remove();
    this.#onCanceled = undefined;
  }
}
