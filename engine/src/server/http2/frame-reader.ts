/**
 * Bytes as they come -> frames. Nothing is kept but the piece of one frame that has not come whole.
 */
import { GatheredBytes } from '../http/gathered-bytes.ts';
import { protocolError, frameSizeError } from './connection-error.ts';
import { type FrameHeader, frameHeaderBytes, maxPayloadBytes, readFrameHeader } from './frame.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The payload is a part of a piece, which is not used again. */
export type OnFrame = (header: FrameHeader, payload: Buffer) => void;

/** Of one connection, from its first byte on. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  #hasPreface = false;
  #pending = new GatheredBytes();
  /** So many bytes are the next thing that can be read. */
  #needed = preface.length;
  #isStopped = false;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Has a frame begun and not come to its end? */
  get hasPartialFrame(): boolean {
    return this.#pending.size > 0 || !this.#hasPreface;
  }

  /** Nothing more is read. */
  stop(): void {
    this.#isStopped = true;
    this.#pending = new GatheredBytes();
  }

  /** Throws a `ConnectionError` for what is no HTTP/2. */
  read(piece: Buffer): void {
    if (this.#pending.size + piece.length < this.#needed) {
      this.#pending.add(piece);
      if (!this.#hasPreface) checkPreface(this.#pending.bytes());
      return;
    }
    const bytes = this.#pending.size === 0 ? piece : this.#joinPending(piece);
    let offset = 0;
    if (!this.#hasPreface) {
      checkPreface(bytes);
      this.#hasPreface = true;
      offset = preface.length;
    }
    while (!this.#isStopped) {
      this.#needed = frameHeaderBytes;
      if (bytes.length - offset < frameHeaderBytes) break;
      const header = readFrameHeader(bytes, offset);
      if (header.length > maxPayloadBytes) {
        throw frameSizeError('a frame is too long');
      }
      this.#needed += header.length;
      if (bytes.length - offset < this.#needed) break;
      const start = offset + frameHeaderBytes;
      offset += this.#needed;
      this.#onFrame(header, bytes.subarray(start, offset));
    }
    if (!this.#isStopped && offset < bytes.length) this.#pending.add(bytes.subarray(offset));
  }

  #joinPending(piece: Buffer): Buffer {
    this.#pending.add(piece);
    const bytes = this.#pending.bytes();
    this.#pending = new GatheredBytes();
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
