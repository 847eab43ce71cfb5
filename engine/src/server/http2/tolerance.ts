/** What is borne of a client that costs it nothing and us something, before it has to go. */
import { connectionLimits, http2Limits } from '../limits.ts';
import { calmDown } from './connection-error.ts';

/** For one connection. */
export class Tolerance {
  readonly #faults = new Allowance({
    burst: connectionLimits.resetBurst,
    perSecond: connectionLimits.resetRate,
  });
  readonly #idleFrames = new Allowance({
    burst: http2Limits.idleBurst,
    perSecond: http2Limits.idleRate,
  });

  /** A stream that was begun for nothing: reset by the client, or by us for its fault. */
  fault(): void {
    if (!this.#faults.take()) throw calmDown('too many streams for nothing');
  }

  /** A frame that asks for nothing. */
  idleFrame(): void {
    if (!this.#idleFrames.take()) throw calmDown('too many frames for nothing');
  }
}

/** So many at once, and so many a second afterwards. */
class Allowance {
  readonly #most: number;
  readonly #perMillisecond: number;
  #left: number;
  #at = performance.now();

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#most = burst;
    this.#left = burst;
    this.#perMillisecond = perSecond / 1000;
  }

  /** False when it is used up. */
  take(): boolean {
    const now = performance.now();
    const grown = this.#left + (now - this.#at) * this.#perMillisecond;
    this.#at = now;
    this.#left = Math.min(this.#most, grown);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
