/** Splits received bytes into frames. Only an incomplete frame is retained. */
import { GatheredBytes } from '../http/gathered-bytes.ts';
import { frameSizeError, protocolError } from './connection-error.ts';
import { type FrameHeader, frameHeaderBytes, maxPayloadBytes, readFrameHeader } from './frame.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The payload is part of the received piece, which is not reused. */
export type OnFrame = (header: FrameHeader, payload: Buffer) => void;

/** Reads the frames of a single connection, from the preface on. */
export class FrameReader {
  readonly #onFrame: OnFrame;
  #hasPreface = false;
  #pending = new GatheredBytes();
  /** Bytes that the next item, the preface or a frame, needs. */
  #needed = preface.length;
  #isStopped = false;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** True while a frame, or the preface, is incomplete. */
  get hasPartialFrame(): boolean {
    return this.#pending.size > 0 || !this.#hasPreface;
  }

  /** Stops reading: further bytes are ignored. */
  stop(): void {
    this.#isStopped = true;
    this.#pending = new GatheredBytes();
  }

  /** Reads a piece; throws a `ConnectionError` for bytes that are not HTTP/2. */
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
        throw frameSizeError('frame too large');
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

/** Throws if the bytes that have arrived differ from the preface. */
const checkPreface = (bytes: Buffer): void => {
  const length = Math.min(bytes.length, preface.length);
  if (!preface.subarray(0, length).equals(bytes.subarray(0, length))) {
    throw protocolError('invalid connection preface');
  }
};
