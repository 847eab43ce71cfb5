/** How a connection comes to its end: the client is told, what is at work is answered, all of it leaves. */
import type { Duplex } from 'node:stream';
import { http2Limits } from '../limits.ts';
import { errorCodes, type GoAway, goAwayFrame, maxWindow } from './frame.ts';
import type { Sender } from './sender.ts';

/** Of one connection. */
export class GracefulShutdown {
  readonly #socket: Duplex;
  readonly #sender: Sender;
  #state: 'open' | 'draining' | 'ended' = 'open';
  /** The last request that is answered, as the client was told. */
  #lastStreamId = maxWindow;

  constructor(socket: Duplex, sender: Sender) {
    this.#socket = socket;
    this.#sender = sender;
  }

  /** Are new requests taken? */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  /** Is nothing looked at any more? */
  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** No request after the last that came is taken. */
  begin(lastStreamId: number): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#sendGoAway({ lastStreamId, code: errorCodes.none, debugData: '' });
  }

  /** For a fault. */
  endWithError(goAway: GoAway): void {
    this.#sendGoAway(goAway);
    this.end();
  }

  /**
   * When all has left, the client has a moment to go by itself: closed with its bytes unread, the
   * socket would be reset, and the client lose what was sent last.
   */
  end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#sender.end();
    const socket = this.#socket;
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), http2Limits.goAwayGraceMs);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  /** The socket is gone. */
  markEnded(): void {
    this.#state = 'ended';
  }

  /** A later goodbye never names a later request (RFC 9113, 6.8). */
  #sendGoAway(goAway: GoAway): void {
    this.#lastStreamId = Math.min(this.#lastStreamId, goAway.lastStreamId);
    this.#sender.write(goAwayFrame({ ...goAway, lastStreamId: this.#lastStreamId }));
  }
}
