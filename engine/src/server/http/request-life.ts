/**
 * How long a request lives: until its client goes away, the time that the client gave it is over, or
 * the real server's upper bound. That bound is the same for all, so it comes first for the one that
 * began first, and one timer serves them all.
 */
import { requestLimits } from '../limits.ts';

/** The requests of one listener that are at work. */
export class RequestLives {
  /** In the order in which they began. */
  readonly #lives = new Set<RequestLife>();
  #isWaiting = false;

  /** Its time starts now. */
  begin(): RequestLife {
    const life = new RequestLife(this.#lives);
    this.#lives.add(life);
    if (!this.#isWaiting) this.#wakeAt(life.endsAt);
    return life;
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
    for (const life of this.#lives) {
      if (life.endsAt > now) {
        this.#wakeAt(life.endsAt);
        return;
      }
      life.cut();
    }
  }
}

/** Of one request. */
export class RequestLife {
  /** By the clock of the process. */
  readonly endsAt = performance.now() + requestLimits.deadlineMs;
  readonly #lives: Set<RequestLife>;
  /** Made for who asks for it: most requests are answered before anybody does. */
  #controller: AbortController | undefined;
  #isCut = false;
  #onCut: (() => void) | undefined;

  constructor(lives: Set<RequestLife>) {
    this.#lives = lives;
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
    if (!this.#lives.delete(this)) return;
    this.#isCut = true;
    this.#controller?.abort();
    this.#onCut?.();
  }

  /** The request is answered; nothing is left to cut. */
  end(): void {
    this.#lives.delete(this);
  }
}
