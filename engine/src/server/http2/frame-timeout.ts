/**
 * Limits the time in which a frame or a header block has to arrive, however many pieces it comes
 * in.
 */
import { connectionLimits } from '../limits.ts';

/** The frame timeout of a single connection. */
export class FrameTimeout {
  #since: number | undefined;

  /** Restarts the timeout: a frame or a header block is complete. */
  reset(): void {
    this.#since = undefined;
  }

  /**
   * Checks the timeout after each piece. `isInside` is true while a frame or header block is
   * incomplete; returns false once it takes too long.
   */
  checkPiece(isInside: boolean): boolean {
    if (!isInside) {
      this.#since = undefined;
      return true;
    }
    const now = performance.now();
    this.#since ??= now;
    return now - this.#since <= connectionLimits.headersMs;
  }
}
