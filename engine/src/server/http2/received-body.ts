/**
 * The body of a request as it comes. It is kept, and the client may send no more, until somebody reads
 * it or it is thrown away.
 */
import type { BodyBytes } from '../http/exchange.ts';
import { GatheredBytes } from '../http/gathered-bytes.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { type ErrorCode, errorCodes } from './frame.ts';

/** What is known of a body when its request begins. */
export interface ReceivedBodyOptions {
  /** There is none, or it has ended. */
  readonly isComplete: boolean;
  /** What the client said that it has in bytes. */
  readonly contentLength: number | undefined;
  /** Bytes that need no room any more. */
  readonly release: (bytes: number) => void;
  /** What the connection holds. */
  readonly memory: ConnectionMemory;
}

interface Reading {
  readonly limit: number;
  readonly settle: (body: BodyBytes) => void;
}

/** Of one request. */
export class ReceivedBody {
  readonly #contentLength: number | undefined;
  readonly #releaseBytes: (bytes: number) => void;
  #isComplete: boolean;
  #isDiscarded = false;
  /** There is nothing to read any more: it was read, it broke, or it was thrown away. */
  #isSettled = false;
  /** All that came. */
  #size = 0;
  /** What of it the client may not yet send again. */
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

  /** Has any of it come, or its end? */
  get hasBegun(): boolean {
    return this.#isComplete || this.#size > 0;
  }

  /** At most so many bytes; nobody waits for more. Only one may read. */
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

  /** A piece of it; an error code where more comes than was announced. */
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

  /** Keeps what has arrived until the request reads it. */
  retain(): void {
    if (this.#isSettled) return;
    this.#gathered.compact();
    this.#hold(this.#gathered.capacity);
  }

  /** It is whole; an error code where less has come than was announced. */
  end(): ErrorCode | undefined {
    if (this.#contentLength !== undefined && this.#size !== this.#contentLength)
      return errorCodes.protocol;
    this.#isComplete = true;
    if (this.#reading !== undefined) this.#settleComplete();
    return undefined;
  }

  /** No more of it comes. */
  abort(): void {
    this.#settle({ kind: 'broken' });
  }

  /** Nobody reads it, or reads on. */
  discard(): void {
    this.#isDiscarded = true;
    this.#settle({ kind: 'broken' });
    this.#hold(0);
    this.#releaseAll();
  }

  /** The body counts until the request is answered or the stream is gone. */
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
    this.#isSettled = true;
    this.#reading = undefined;
    this.#gathered = new GatheredBytes();
    reading?.settle(body);
  }
}
