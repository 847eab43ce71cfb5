/** Limits how many frames a client may send that cost the server more than the client. */
import { connectionLimits, http2Limits } from '../limits.ts';
import { enhanceYourCalm } from './connection-error.ts';

/** The abuse budgets of a single connection. */
export class AbuseBudget {
  readonly #resets: TokenBucket;
  readonly #idleFrames = new TokenBucket({
    burst: http2Limits.idleBurst,
    perSecond: http2Limits.idleRate,
  });
  #headerBlocks = 0;
  #windowUpdates = 0;

  constructor({ maxStreams }: { readonly maxStreams: number }) {
    this.#resets = new TokenBucket({
      // A client may cancel all streams that it has open.
      burst: Math.max(connectionLimits.resetBurst, maxStreams),
      perSecond: connectionLimits.resetRate,
    });
  }

  /**
   * Counts a stream that was reset, by the client or by the server because of the client's error.
   */
  countReset(): void {
    if (!this.#resets.take()) throw enhanceYourCalm('too many stream resets');
  }

  /** Counts a frame without effect. */
  countIdleFrame(): void {
    if (!this.#idleFrames.take()) throw enhanceYourCalm('too many frames without effect');
  }

  /** Counts a header block: it opens a stream, or ends one. */
  countHeaderBlock(): void {
    this.#headerBlocks += 1;
  }

  /**
   * Counts a WINDOW_UPDATE. Clients send them for the DATA that they read, so the number is bounded
   * by the DATA frames and streams of the connection, with the formula and the numbers of Envoy
   * (`max_inbound_window_update_frames_per_data_frame_sent`).
   */
  countWindowUpdate({ dataFramesSent }: { readonly dataFramesSent: number }): void {
    this.#windowUpdates += 1;
    const perDataFrame = http2Limits.windowUpdatesPerDataFrame;
    const allowed =
      http2Limits.windowUpdatesAtFirst + 2 * (this.#headerBlocks + perDataFrame * dataFramesSent);
    if (this.#windowUpdates > allowed) throw enhanceYourCalm('too many WINDOW_UPDATE frames');
  }
}

/** A token bucket that allows `burst` at once and `perSecond` afterwards. */
class TokenBucket {
  readonly #capacity: number;
  readonly #perMillisecond: number;
  #left: number;
  #at = performance.now();

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#capacity = burst;
    this.#left = burst;
    this.#perMillisecond = perSecond / 1000;
  }

  /** Takes one token; returns false if the bucket is empty. */
  take(): boolean {
    const now = performance.now();
    const grown = this.#left + (now - this.#at) * this.#perMillisecond;
    this.#at = now;
    this.#left = Math.min(this.#capacity, grown);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
