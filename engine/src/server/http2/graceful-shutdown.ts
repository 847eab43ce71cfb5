/**
 * Ends a connection gracefully: GOAWAY is sent, requests in progress are answered, and everything
 * is flushed.
 */
import type { Duplex } from 'node:stream';
import { http2Limits } from '../limits.ts';
import { errorCodes, type GoAway, goAwayFrame, maxWindow } from './frame.ts';
import type { Sender } from './sender.ts';

/** The graceful shutdown of a single connection. */
export class GracefulShutdown {
  readonly #socket: Duplex;
  readonly #sender: Sender;
  #state: 'open' | 'draining' | 'ended' = 'open';
  /** The last stream identifier that was sent in GOAWAY. */
  #lastStreamId = maxWindow;

  constructor(socket: Duplex, sender: Sender) {
    this.#socket = socket;
    this.#sender = sender;
  }

  /** True while new requests are accepted. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  /** True once received frames are ignored. */
  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Sends GOAWAY: streams after this one are not processed. */
  begin(lastStreamId: number): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#sendGoAway({ lastStreamId, code: errorCodes.none, debugData: '' });
  }

  /** Sends GOAWAY with an error and ends the connection. */
  endWithError(goAway: GoAway): void {
    this.#sendGoAway(goAway);
    this.end();
  }

  /**
   * Ends the connection after everything was sent, and leaves the client time to close it: closing
   * a socket with unread bytes resets the connection, and the client would lose what was sent last.
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

  /** Marks the connection as ended: the socket is closed. */
  markEnded(): void {
    this.#state = 'ended';
  }

  /** Sends GOAWAY; a later one must not increase the last stream identifier (RFC 9113, 6.8). */
  #sendGoAway(goAway: GoAway): void {
    this.#lastStreamId = Math.min(this.#lastStreamId, goAway.lastStreamId);
    this.#sender.write(goAwayFrame({ ...goAway, lastStreamId: this.#lastStreamId }));
  }
}
