/** Whatever has begun to come must come to its end in time, however many pieces it comes in. */
import { connectionLimits } from '../limits.ts';

/** Of one connection. */
export class FrameTimeout {
  #since: number | undefined;

  /** Something has come to its end: a frame, or all frames of a head. */
  reset(): void {
    this.#since = undefined;
  }

  /** After each piece; `isInside`: something has begun and not ended. False when it takes too long. */
  isInTime(isInside: boolean): boolean {
    if (!isInside) {
      this.#since = undefined;
      return true;
    }
    const now = performance.now();
    this.#since ??= now;
    return now - this.#since <= connectionLimits.headersMs;
  }
}
