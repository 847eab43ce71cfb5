/**
 * The sending half of a connection. Frames of one turn of the event loop leave in one write, and
 * bodies leave piece by piece, as far as the client's windows (RFC 9113, 5.2) and its reading
 * allow. Bytes that wait for a window stay with their stream; bytes that wait for the socket are
 * bounded, since the connection is not read until they have left. No frame of a client costs time
 * for each waiting stream: only streams that can send are visited.
 */
import type { Duplex } from 'node:stream';
import { http2Limits } from '../limits.ts';
import type { HeldBytes } from '../memory/connection-memory.ts';
import { flowControlError } from './connection-error.ts';
import {
  frameFlags,
  frameHeaderBytes,
  frameTypes,
  maxPayloadBytes,
  maxWindow,
  writeFrameHeader,
} from './frame.ts';

/** The sending half of a stream. */
export interface Outgoing {
  readonly id: number;
  /**
   * Bytes of DATA that the client accepts; negative where it lowered the setting below what was
   * used.
   */
  window: number;
  /** Bytes that are left to send. */
  rest: Uint8Array | undefined;
  /** True where the stream ends after the rest. */
  readonly isLast: boolean;
  /** Called once all of the rest was written. */
  onSent(): void;
}

/** The window of a connection, and of each stream until the client's SETTINGS say otherwise. */
export const initialWindowSize = 65_535;

/** The sender of a single connection. */
export class Sender {
  readonly #socket: Duplex;
  readonly #hold: (isHeld: boolean) => void;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #isFlushScheduled = false;
  #window = initialWindowSize;
  #waitingBytes = 0;
  #dataFrames = 0;
  /** Every stream with bytes left to send. */
  readonly #waiting = new Map<Outgoing, Progress>();
  /**
   * The waiting streams whose own window was open when they were added, in the order in which they
   * take turns.
   */
  readonly #ready = new Set<Outgoing>();
  #stuckSince = performance.now();

  /** What responses hold of the memory of the connection. */
  readonly #held: HeldBytes;
  #heldBytes = 0;

  /** `hold` stops and resumes the reading of the connection. */
  constructor(socket: Duplex, hold: (isHeld: boolean) => void, held: HeldBytes) {
    this.#socket = socket;
    this.#hold = hold;
    this.#held = held;
    socket.on('drain', () => {
      hold(false);
      this.#sendReady();
      this.#reportHeldBytes();
    });
  }

  /** Sends the frame together with everything else of this turn of the event loop. */
  write(frame: Uint8Array): void {
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    process.nextTick(flush, this);
  }

  /** True where a body of so many bytes can leave at once, without overtaking another stream. */
  hasRoom(outgoing: Outgoing, bytes: number): boolean {
    return (
      bytes <= maxPayloadBytes &&
      bytes <= outgoing.window &&
      bytes <= this.#window &&
      this.#waiting.size === 0 &&
      this.#isOpen()
    );
  }

  /** Counts a DATA frame of so many bytes that the caller wrote. */
  spend(outgoing: Outgoing, bytes: number): void {
    outgoing.window -= bytes;
    this.#window -= bytes;
    this.#dataFrames += 1;
  }

  /** Sends the rest of a stream, now or when there is room. */
  send(outgoing: Outgoing): void {
    if (outgoing.rest === undefined || outgoing.rest.length === 0) {
      // An empty frame needs no room in any window.
      this.#sendPiece(outgoing, 0);
      return;
    }
    this.#waiting.set(outgoing, { since: performance.now(), bytes: 0 });
    this.#waitingBytes += outgoing.rest.length;
    this.windowsChanged([outgoing]);
    this.#reportHeldBytes();
  }

  /** Drops what the stream has left to send. */
  forget(outgoing: Outgoing): void {
    if (this.#waiting.delete(outgoing)) this.#waitingBytes -= outgoing.rest?.length ?? 0;
    this.#ready.delete(outgoing);
    this.#reportHeldBytes();
  }

  /** Widens the window of the connection. */
  widen(bytes: number): void {
    this.#window += bytes;
    if (this.#window > maxWindow) {
      throw flowControlError('connection flow-control window too large');
    }
    this.#sendReady();
  }

  /** Sends what the changed windows of these streams allow. */
  windowsChanged(streams: readonly Outgoing[]): void {
    for (const outgoing of streams) {
      if (outgoing.window > 0 && this.#waiting.has(outgoing)) this.#ready.add(outgoing);
    }
    this.#sendReady();
  }

  /**
   * Returns streams of which the client has accepted next to nothing for so long. Checks them at
   * most once a second, since it is called for every piece that a client sends.
   */
  stuck(milliseconds: number): readonly Outgoing[] {
    const now = performance.now();
    if (this.#waiting.size === 0 || now - this.#stuckSince < 1000) return [];
    this.#stuckSince = now;
    const before = now - milliseconds;
    return [...this.#waiting].flatMap(([outgoing, { since }]) =>
      since <= before ? [outgoing] : [],
    );
  }

  /** Bytes of response bodies that wait for the client. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** DATA frames of the connection so far. */
  get dataFrames(): number {
    return this.#dataFrames;
  }

  /** Ends the connection after the frames that were written. */
  end(): void {
    this.#waiting.clear();
    this.#ready.clear();
    this.#waitingBytes = 0;
    this.flush();
    this.#socket.end();
  }

  /** True while the socket, and what it will be given in this turn, holds less than the limit. */
  #isOpen(): boolean {
    return this.#queuedBytes + this.#socket.writableLength < http2Limits.unsentBytes;
  }

  /**
   * Sends one frame of each ready stream in turn, until the socket or the connection's window is
   * full.
   */
  #sendReady(): void {
    for (const outgoing of this.#ready) {
      if (this.#window <= 0 || !this.#isOpen()) return;
      // It goes to the end of the line, unless its window or its bytes end with this frame.
      this.#ready.delete(outgoing);
      if (outgoing.window <= 0) continue;
      const length = outgoing.rest?.length ?? 0;
      const bytes = Math.min(length, maxPayloadBytes, outgoing.window, this.#window);
      const progress = this.#waiting.get(outgoing);
      if (progress === undefined) throw new Error('unreachable: a ready stream that does not wait');
      this.#waitingBytes -= bytes;
      if (bytes === length) {
        this.#waiting.delete(outgoing);
      } else {
        this.#waiting.set(outgoing, advance(progress, bytes));
        if (outgoing.window > bytes) this.#ready.add(outgoing);
      }
      this.#sendPiece(outgoing, bytes);
    }
  }

  /** Writes a DATA frame with the first `length` bytes of the rest. */
  #sendPiece(outgoing: Outgoing, length: number): void {
    const { rest = emptyBytes, isLast, id } = outgoing;
    const isWhole = length === rest.length;
    const flags = isWhole && isLast ? frameFlags.endStream : 0;
    const frame = Buffer.allocUnsafe(frameHeaderBytes + length);
    const offset = writeFrameHeader(frame, 0, {
      length,
      type: frameTypes.data,
      flags,
      streamId: id,
    });
    frame.set(isWhole ? rest : rest.subarray(0, length), offset);
    this.spend(outgoing, length);
    this.write(frame);
    outgoing.rest = isWhole ? undefined : rest.subarray(length);
    if (isWhole) outgoing.onSent();
  }

  /** Hands the socket everything that was written. */
  flush(): void {
    this.#isFlushScheduled = false;
    const socket = this.#socket;
    const frames = this.#queue.splice(0);
    const bytes = this.#queuedBytes;
    this.#queuedBytes = 0;
    if (!socket.writable || frames.length === 0) return;
    const [single] = frames;
    socket.write(
      single !== undefined && frames.length === 1 ? single : Buffer.concat(frames, bytes),
    );
    // A client that does not read is not read either.
    if (socket.writableLength > http2Limits.unsentBytes) this.#hold(true);
    this.#sendReady();
    this.#reportHeldBytes();
  }

  /** Counts what waits for the client, unless the socket accepts it at once. */
  #reportHeldBytes(): void {
    const socket = this.#socket;
    const isWaiting = this.#waiting.size > 0 || socket.writableNeedDrain;
    if (!isWaiting && this.#heldBytes === 0) return;
    const bytes = isWaiting ? socket.writableLength + this.waitingBytes : 0;
    this.#held.add(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
  }
}

/** The bytes of a response that were sent since a point in time. */
interface Progress {
  readonly since: number;
  readonly bytes: number;
}

/**
 * Less than a frame is no progress: otherwise a client that accepts a byte now and then could stay
 * forever.
 */
const advance = ({ since, bytes }: Progress, more: number): Progress =>
  bytes + more < maxPayloadBytes
    ? { since, bytes: bytes + more }
    : { since: performance.now(), bytes: 0 };

const emptyBytes = new Uint8Array(0);

const flush = (sender: Sender): void => sender.flush();
