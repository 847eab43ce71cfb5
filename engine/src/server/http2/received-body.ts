/**
 * The body of a request while it arrives. Its bytes are buffered, and occupy the flow-control
 * window, until the request reads them or they are discarded.
 */
import { GatheredBytes } from '../http/gathered-bytes.ts';
import type { BodyBytes } from '../http/incoming-request.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { type ErrorCode, errorCodes } from './frame.ts';

/** Properties of a body that are known when its request begins. */
export interface ReceivedBodyOptions {
  /** True if there is no body or it has ended. */
  readonly isComplete: boolean;
  /** The value of Content-Length. */
  readonly contentLength: number | undefined;
  /** Called with the number of bytes that no longer occupy the window. */
  readonly release: (bytes: number) => void;
  /** Counts the memory that the connection holds. */
  readonly memory: ConnectionMemory;
}

interface Reading {
  readonly limit: number;
  readonly settle: (body: BodyBytes) => void;
}

/** The body of a single request. */
export class ReceivedBody {
  readonly #contentLength: number | undefined;
  readonly #releaseBytes: (bytes: number) => void;
  #isComplete: boolean;
  #isDiscarded = false;
  /** True once there is nothing left to read: the body was read, aborted or discarded. */
  #isSettled = false;
  /** Bytes that have arrived. */
  #size = 0;
  /** Arrived bytes that still occupy the window. */
  #unreleased = 0;
  #gathered = new GatheredBytes();
  readonly #memory: ConnectionMemory;
  #heldBytes = 0;
  #reading: Reading | undefined;

  constructor({ isComplete, contentLength, release, memory }: ReceivedBodyOptions) {
    this.#memory = memory;
    this.#isComplete = isComplete;
    this.#contentLength = contentLength;
    this.#releaseBytes = release;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True once any of the body, or its end, has arrived. */
  get hasBegun(): boolean {
    return this.#isComplete || this.#size > 0;
  }

  /** Reads at most `limit` bytes and does not wait for more. A body can be read once. */
  read(limit: number): Promise<BodyBytes> {
    return new Promise((resolve) => {
      this.#reading = { limit, settle: resolve };
      if (this.#isSettled) this.#settle({ kind: 'broken' });
      else if ((this.#contentLength ?? 0) > limit || this.#size > limit) this.#settleTooLarge();
      else {
        if (this.#isComplete) this.#settleComplete();
        this.#releaseAll();
      }
    });
  }

  /** Adds a piece; returns an error code if there are more bytes than announced. */
  add(piece: Buffer): ErrorCode | undefined {
    this.#size += piece.length;
    this.#unreleased += piece.length;
    if (this.#contentLength !== undefined && this.#size > this.#contentLength)
      return errorCodes.protocol;
    if (this.#isDiscarded) {
      this.#releaseAll();
      return undefined;
    }
    if (this.#isSettled) return undefined;
    if (this.#reading !== undefined && this.#size > this.#reading.limit) {
      this.#settleTooLarge();
      return undefined;
    }
    this.#gathered.addTransient(piece);
    if (this.#reading !== undefined) this.#releaseAll();
    return undefined;
  }

  /** Buffers the bytes that have arrived until the request reads them. */
  retain(): void {
    if (this.#isSettled) return;
    this.#gathered.compact();
    this.#hold(this.#gathered.capacity);
  }

  /** Marks the body as complete; returns an error code if there are fewer bytes than announced. */
  end(): ErrorCode | undefined {
    if (this.#contentLength !== undefined && this.#size !== this.#contentLength)
      return errorCodes.protocol;
    this.#isComplete = true;
    if (this.#reading !== undefined) this.#settleComplete();
    return undefined;
  }

  /** Aborts the body: no more of it arrives. */
  abort(): void {
    this.#settle({ kind: 'broken' });
  }

  /** Discards the body: no one reads it, or the rest of it. */
  discard(): void {
    this.#isDiscarded = true;
    this.#settle({ kind: 'broken' });
    this.#hold(0);
    this.#releaseAll();
  }

  /** Counts the buffered bytes until the request is answered or the stream is gone. */
  #hold(bytes: number): void {
    if (bytes === this.#heldBytes) return;
    this.#memory.bodies.add(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #releaseAll(): void {
    const bytes = this.#unreleased;
    this.#unreleased = 0;
    if (bytes > 0) this.#releaseBytes(bytes);
  }

  #settleTooLarge(): void {
    this.#settle({ kind: 'tooLarge' });
  }

  #settleComplete(): void {
    const bytes = this.#gathered.bytes();
    this.#settle(this.#memory.canParse(bytes) ? { kind: 'bytes', bytes } : { kind: 'tooLarge' });
  }

  #settle(body: BodyBytes): void {
    const reading = this.#reading;
    if (!this.#isSettled) this.#gathered = new GatheredBytes();
    this.#isSettled = true;
    this.#reading = undefined;
    reading?.settle(body);
  }
}
