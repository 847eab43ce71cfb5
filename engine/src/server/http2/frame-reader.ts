/**
 * Bytes as they come -> frames. Nothing is kept but the piece of one frame that has not come whole.
 */
import { GatheredBytes } from '../http/gathered-bytes.ts';
import { protocolError, wrongSize } from './connection-error.ts';
import { type FrameHead, frameHeadBytes, mostPayloadBytes, readFrameHead } from './frame.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The payload is a part of a piece, which is not used again. */
export type TakeFrame = (head: FrameHead, payload: Buffer) => void;

/** Of one connection, from its first byte on. */
export class FrameReader {
  readonly #take: TakeFrame;
  #hasPreface = false;
  #waiting = new GatheredBytes();
  /** So many bytes are the next thing that can be read. */
  #needed = preface.length;
  #isStopped = false;

  constructor(take: TakeFrame) {
    this.#take = take;
  }

  /** Has a frame begun and not come to its end? */
  get isInside(): boolean {
    return this.#waiting.size > 0 || !this.#hasPreface;
  }

  /** Nothing more is read. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = new GatheredBytes();
  }

  /** Throws a `ConnectionError` for what is no HTTP/2. */
  read(piece: Buffer): void {
    if (this.#waiting.size + piece.length < this.#needed) {
      this.#waiting.add(piece);
      if (!this.#hasPreface) checkPreface(this.#waiting.whole());
      return;
    }
    const bytes = this.#waiting.size === 0 ? piece : this.#joined(piece);
    let offset = 0;
    if (!this.#hasPreface) {
      checkPreface(bytes);
      this.#hasPreface = true;
      offset = preface.length;
    }
    while (!this.#isStopped) {
      this.#needed = frameHeadBytes;
      if (bytes.length - offset < frameHeadBytes) break;
      const head = readFrameHead(bytes, offset);
      if (head.length > mostPayloadBytes) {
        throw wrongSize('a frame is too long');
      }
      this.#needed += head.length;
      if (bytes.length - offset < this.#needed) break;
      const start = offset + frameHeadBytes;
      offset += this.#needed;
      this.#take(head, bytes.subarray(start, offset));
    }
    if (!this.#isStopped && offset < bytes.length) this.#waiting.add(bytes.subarray(offset));
  }

  #joined(piece: Buffer): Buffer {
    this.#waiting.add(piece);
    const bytes = this.#waiting.whole();
    this.#waiting = new GatheredBytes();
    return bytes;
  }
}

/** Throws for bytes that are no preface, as far as they have come. */
const checkPreface = (bytes: Buffer): void => {
  const length = Math.min(bytes.length, preface.length);
  if (!preface.subarray(0, length).equals(bytes.subarray(0, length))) {
    throw protocolError('the connection does not begin as HTTP/2');
  }
};
