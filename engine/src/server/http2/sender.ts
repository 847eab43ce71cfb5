/**
 * What goes out on a connection: frames of one turn of the loop in one write, and bodies piece by piece
 * as far as the client's windows (RFC 9113, 5.2) and its reading allow. What waits for a window stays
 * with its stream; what waits for the socket is bounded, since nothing more is read before it has left.
 */
import type { Duplex } from 'node:stream';
import { http2Limits } from '../limits.ts';
import { flowControlError } from './connection-error.ts';
import {
  frameFlags,
  frameHeadBytes,
  frameTypes,
  mostPayloadBytes,
  mostWindow,
  writeFrameHead,
} from './frame.ts';

/** The sending half of a stream. */
export interface Outgoing {
  readonly id: number;
  /** Bytes of bodies that the client takes; below zero where it took back what was used. */
  window: number;
  /** What is to be sent and has not been. */
  rest: Uint8Array | undefined;
  /** Does the stream end behind the rest? */
  readonly isLast: boolean;
  /** All of the rest was handed over. */
  onSent(): void;
}

/** The window of a connection, and of each stream until the client says otherwise. */
export const firstWindow = 65_535;

/** Of one connection. */
export class Sender {
  readonly #socket: Duplex;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #isFlushAsked = false;
  #window = firstWindow;
  /** In the order in which they take turns. */
  readonly #waiting = new Map<Outgoing, Progress>();

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on('drain', () => {
      socket.resume();
      this.#takeTurns();
    });
  }

  /** Sent with everything else of this turn. */
  write(frame: Uint8Array): void {
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#isFlushAsked) return;
    this.#isFlushAsked = true;
    process.nextTick(flush, this);
  }

  /** Can a body of so many bytes go out at once, before anybody else's? */
  hasRoom(outgoing: Outgoing, bytes: number): boolean {
    return (
      bytes <= mostPayloadBytes &&
      bytes <= outgoing.window &&
      bytes <= this.#window &&
      this.#waiting.size === 0 &&
      this.#isOpen()
    );
  }

  /** Bytes of a body that the caller put into a frame of its own. */
  spend(outgoing: Outgoing, bytes: number): void {
    outgoing.window -= bytes;
    this.#window -= bytes;
  }

  /** Sends the rest, now or when there is room. */
  send(outgoing: Outgoing): void {
    this.#waiting.set(outgoing, { since: performance.now(), bytes: 0 });
    this.#takeTurns();
  }

  /** Nothing of it is sent any more. */
  forget(outgoing: Outgoing): void {
    this.#waiting.delete(outgoing);
  }

  /** The client takes more of all streams together. */
  widen(bytes: number): void {
    this.#window += bytes;
    if (this.#window > mostWindow) {
      throw flowControlError('the window of the connection is too wide');
    }
    this.#takeTurns();
  }

  /** The client takes more of a stream. */
  windowChanged(): void {
    this.#takeTurns();
  }

  /** Of whose answers the client has taken next to nothing for so long. */
  stuck(milliseconds: number): readonly Outgoing[] {
    if (this.#waiting.size === 0) return [];
    const before = performance.now() - milliseconds;
    return [...this.#waiting].flatMap(([outgoing, { since }]) =>
      since <= before ? [outgoing] : [],
    );
  }

  /** Bytes of answers that wait for the client. */
  get waitingBytes(): number {
    let bytes = 0;
    for (const { rest } of this.#waiting.keys()) bytes += rest?.length ?? 0;
    return bytes;
  }

  /** Nothing follows what was written. */
  end(): void {
    this.#waiting.clear();
    this.flush();
    this.#socket.end();
  }

  /** By the socket's own count, and what it will be given in this turn. */
  #isOpen(): boolean {
    return this.#queuedBytes + this.#socket.writableLength < http2Limits.unsentBytes;
  }

  /** One frame each, until nobody can go on: who sent one is the last again. */
  #takeTurns(): void {
    for (const [outgoing, progress] of this.#waiting) {
      if (!this.#isOpen()) return;
      const bytes = this.#sendPiece(outgoing);
      // Sent whole, it is gone from here, or waits with its next piece.
      if (bytes === undefined || this.#waiting.get(outgoing) !== progress) continue;
      this.#waiting.delete(outgoing);
      this.#waiting.set(outgoing, grown(progress, bytes));
    }
  }

  /** How many bytes were sent; `undefined` where none can be. */
  #sendPiece(outgoing: Outgoing): number | undefined {
    const { rest = nothing, isLast, id } = outgoing;
    const room = Math.max(0, Math.min(mostPayloadBytes, outgoing.window, this.#window));
    const isWhole = rest.length <= room;
    const length = isWhole ? rest.length : room;
    // The end alone needs no room.
    if (length === 0 && !isWhole) return undefined;
    const flags = isWhole && isLast ? frameFlags.endStream : 0;
    const frame = Buffer.allocUnsafe(frameHeadBytes + length);
    const behind = writeFrameHead(frame, 0, { length, type: frameTypes.data, flags, streamId: id });
    frame.set(isWhole ? rest : rest.subarray(0, length), behind);
    this.spend(outgoing, length);
    this.write(frame);
    outgoing.rest = isWhole ? undefined : rest.subarray(length);
    if (isWhole) {
      this.#waiting.delete(outgoing);
      outgoing.onSent();
    }
    return length;
  }

  /** Gives the socket what was written. */
  flush(): void {
    this.#isFlushAsked = false;
    const socket = this.#socket;
    const frames = this.#queue.splice(0);
    const bytes = this.#queuedBytes;
    this.#queuedBytes = 0;
    if (!socket.writable || frames.length === 0) return;
    const [only] = frames;
    socket.write(only !== undefined && frames.length === 1 ? only : Buffer.concat(frames, bytes));
    // A client that sends and does not read is not read either.
    if (socket.writableLength > http2Limits.unsentBytes) socket.pause();
    if (this.#waiting.size > 0) this.#takeTurns();
  }
}

/** How far an answer has come since a moment. */
interface Progress {
  readonly since: number;
  readonly bytes: number;
}

/** Less than a frame is no progress: a client that takes a byte now and then would be borne for ever. */
const grown = ({ since, bytes }: Progress, more: number): Progress =>
  bytes + more < mostPayloadBytes
    ? { since, bytes: bytes + more }
    : { since: performance.now(), bytes: 0 };

const nothing = new Uint8Array(0);

const flush = (sender: Sender): void => sender.flush();
