/**
 * Bytes as they come -> frames. Nothing is kept but the piece of one frame that has not come whole, and
 * it is put together once, however small the pieces are.
 */
import { protocolError, wrongSize } from './connection-error.ts';
import { type FrameHead, frameHeadBytes, mostPayloadBytes, readFrameHead } from './frame.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The payload is good until the next piece is read. */
export type TakeFrame = (head: FrameHead, payload: Buffer) => void;

export class FrameReader {
  readonly #take: TakeFrame;
  #hasPreface = false;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** So many bytes are the next thing that can be read. */
  #needed = preface.length;
  #isStopped = false;

  constructor(take: TakeFrame) {
    this.#take = take;
  }

  /** Has a frame begun and not come to its end? */
  get isInside(): boolean {
    return this.#waitingBytes > 0 || !this.#hasPreface;
  }

  /** Nothing more is read. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  /** Throws a `ConnectionError` for what is no HTTP/2. */
  read(piece: Buffer): void {
    if (this.#waitingBytes + piece.length < this.#needed) {
      if (this.#hasPreface || this.#waitingBytes > 0) this.#keep(piece);
      else this.#keep(asPreface(piece));
      return;
    }
    const bytes = this.#waitingBytes === 0 ? piece : this.#joined(piece);
    let offset = 0;
    if (!this.#hasPreface) {
      asPreface(bytes);
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
    if (!this.#isStopped && offset < bytes.length) this.#keep(bytes.subarray(offset));
  }

  #keep(piece: Buffer): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
  }

  #joined(piece: Buffer): Buffer {
    this.#waiting.push(piece);
    const bytes = Buffer.concat(this.#waiting, this.#waitingBytes + piece.length);
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    return bytes;
  }
}

/** As far as it has come. */
const asPreface = (bytes: Buffer): Buffer => {
  const length = Math.min(bytes.length, preface.length);
  if (!preface.subarray(0, length).equals(bytes.subarray(0, length))) {
    throw protocolError('the connection does not begin as HTTP/2');
  }
  return bytes;
};
