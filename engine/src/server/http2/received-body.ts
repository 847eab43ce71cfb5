/**
 * The body of a request as it comes. It is kept, and the client may send no more, until somebody reads
 * it or it is thrown away.
 */
import type { BodyBytes } from '../http/exchange.ts';
import { GatheredBytes } from '../http/gathered-bytes.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { type ErrorCode, errorCodes } from './frame.ts';

/** What is known of a body when its request begins. */
export interface BodyStart {
  /** There is none, or it has ended. */
  readonly isWhole: boolean;
  /** What the client said that it has in bytes. */
  readonly announced: number | undefined;
  /** Bytes that need no room any more. */
  readonly takenUp: (bytes: number) => void;
  /** What the connection holds. */
  readonly memory: ConnectionMemory;
}

interface Reading {
  readonly limit: number;
  readonly settle: (body: BodyBytes) => void;
}

/** Of one request. */
export class ReceivedBody {
  readonly #announced: number | undefined;
  readonly #takenUp: (bytes: number) => void;
  #isWhole: boolean;
  #isThrownAway = false;
  /** There is nothing to read any more: it was read, it broke, or it was thrown away. */
  #isOver = false;
  /** All that came. */
  #size = 0;
  /** What of it the client may not yet send again. */
  #untaken = 0;
  #gathered = new GatheredBytes();
  readonly #memory: ConnectionMemory;
  #heldBytes = 0;
  #reading: Reading | undefined;

  constructor({ isWhole, announced, takenUp, memory }: BodyStart) {
    this.#memory = memory;
    this.#isWhole = isWhole;
    this.#announced = announced;
    this.#takenUp = takenUp;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Has any of it come, or its end? */
  get hasBegun(): boolean {
    return this.#isWhole || this.#size > 0;
  }

  /** At most so many bytes; nobody waits for more. Only one may read. */
  read(limit: number): Promise<BodyBytes> {
    return new Promise((resolve) => {
      this.#reading = { limit, settle: resolve };
      if (this.#isOver) this.#settle({ kind: 'broken' });
      else if ((this.#announced ?? 0) > limit || this.#size > limit) this.#refuse();
      else {
        if (this.#isWhole) this.#settleWhole();
        this.#takeUp();
      }
    });
  }

  /** A piece of it; an error code where more comes than was announced. */
  take(piece: Buffer): ErrorCode | undefined {
    this.#size += piece.length;
    this.#untaken += piece.length;
    if (this.#announced !== undefined && this.#size > this.#announced) return errorCodes.protocol;
    if (this.#isThrownAway) {
      this.#takeUp();
      return undefined;
    }
    if (this.#isOver) return undefined;
    if (this.#reading !== undefined && this.#size > this.#reading.limit) {
      this.#refuse();
      return undefined;
    }
    this.#gathered.addBriefly(piece);
    if (this.#reading !== undefined) this.#takeUp();
    return undefined;
  }

  /** Keeps what has arrived until the request reads it. */
  keep(): void {
    if (this.#isOver) return;
    this.#gathered.keep();
    this.#hold(this.#gathered.room);
  }

  /** It is whole; an error code where less has come than was announced. */
  end(): ErrorCode | undefined {
    if (this.#announced !== undefined && this.#size !== this.#announced) return errorCodes.protocol;
    this.#isWhole = true;
    if (this.#reading !== undefined) this.#settleWhole();
    return undefined;
  }

  /** No more of it comes. */
  break(): void {
    this.#settle({ kind: 'broken' });
  }

  /** Nobody reads it, or reads on. */
  throwAway(): void {
    this.#isThrownAway = true;
    this.#settle({ kind: 'broken' });
    this.#hold(0);
    this.#takeUp();
  }

  /** The body counts until the request is answered or the stream is gone. */
  #hold(bytes: number): void {
    if (bytes === this.#heldBytes) return;
    this.#memory.bodies.add(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #takeUp(): void {
    const bytes = this.#untaken;
    this.#untaken = 0;
    if (bytes > 0) this.#takenUp(bytes);
  }

  #refuse(): void {
    this.#settle({ kind: 'tooLarge' });
  }

  #settleWhole(): void {
    const bytes = this.#gathered.whole();
    this.#settle(this.#memory.canParse(bytes) ? { kind: 'bytes', bytes } : { kind: 'tooLarge' });
  }

  #settle(body: BodyBytes): void {
    const reading = this.#reading;
    this.#isOver = true;
    this.#reading = undefined;
    this.#gathered = new GatheredBytes();
    reading?.settle(body);
  }
}
