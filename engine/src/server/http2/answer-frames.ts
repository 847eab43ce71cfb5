/** The frames of an answer. Nothing of it enters a table of the client: HPACK has no state here. */

import type { Reply } from '../http/complete-answer.ts';
import { rememberRecent } from '../http/memoize-recent.ts';
import {
  frameFlags,
  frameHeadBytes,
  frameTypes,
  mostPayloadBytes,
  writeFrameHead,
} from './frame.ts';
import { mostBytes, noTable, writeField } from './hpack/encoder.ts';
import { isValue } from './request-headers.ts';

/** What of an answer is written at once. */
export interface AnswerParts {
  readonly id: number;
  readonly reply: Pick<Reply, 'status' | 'headers'>;
  /** What the field of the length says; absent where nobody knows. */
  readonly bytes?: number;
  /** Sent behind the head, and the end of the stream with it. */
  readonly body?: Uint8Array;
  /** Does the stream end with the head? */
  readonly isLast?: boolean;
}

/** Of one connection. */
export class AnswerFrames {
  #table: 'unused' | 'toBeGivenUp' | 'givenUp' = 'unused';

  /** RFC 7541, 4.2: who is allowed less must say so, even of a table that was never used. */
  giveUpTable(): void {
    if (this.#table === 'unused') this.#table = 'toBeGivenUp';
  }

  /** One buffer: a head, and the body where it is given, which must fit into one frame. */
  answer({ id, reply, bytes, body, isLast }: AnswerParts): Buffer {
    const status = String(reply.status);
    const date = httpDate();
    const size = bytes === undefined ? '' : String(bytes);
    let room = mostBytes(':status', status) + mostBytes('date', date);
    room += mostBytes('content-length', size);
    for (const [name, value] of reply.headers) room += mostBytes(name, value);
    if (body !== undefined) room += frameHeadBytes + body.length;
    const buffer = blockWith(room);
    let end = writeField(buffer, this.#begin(buffer), ':status', status);
    for (const [name, value] of reply.headers) {
      // As Go's server: what no field may hold is left out.
      if (isValue(value)) end = writeField(buffer, end, lowerName(name), value);
    }
    end = writeField(buffer, end, 'date', date);
    if (bytes !== undefined) end = writeField(buffer, end, 'content-length', size);
    const length = end - frameHeadBytes;
    const flags = isLast === true ? frameFlags.endStream : 0;
    if (length > mostPayloadBytes) {
      const head = splitHead(buffer.subarray(frameHeadBytes, end), { id, flags });
      return body === undefined ? head : Buffer.concat([head, lastData(id, body)]);
    }
    writeHeadersHead(buffer, { id, length, flags });
    if (body === undefined) return buffer.subarray(0, end);
    const offset = writeDataHead(buffer, end, { id, length: body.length });
    buffer.set(body, offset);
    return buffer.subarray(0, offset + body.length);
  }

  /** `100 Continue`. */
  goOn(id: number): Buffer {
    const buffer = blockWith(mostBytes(':status', '100'));
    const end = writeField(buffer, this.#begin(buffer), ':status', '100');
    writeHeadersHead(buffer, { id, length: end - frameHeadBytes, flags: 0 });
    return buffer.subarray(0, end);
  }

  /** Begins the block of fields behind room for the head of its frame; returns the offset of the first field. */
  #begin(buffer: Buffer): number {
    if (this.#table !== 'toBeGivenUp') return frameHeadBytes;
    // Nothing that the client allows later is less.
    this.#table = 'givenUp';
    return buffer.writeUInt8(noTable, frameHeadBytes);
  }
}

interface HeadFrame {
  readonly id: number;
  readonly length: number;
  readonly flags: number;
}

/** Room for fields behind the head of a frame and what `noTable` takes. */
const blockWith = (room: number): Buffer => Buffer.allocUnsafe(frameHeadBytes + 1 + room);

const writeHeadersHead = (into: Buffer, { id, length, flags }: HeadFrame): void => {
  const { headers: type } = frameTypes;
  writeFrameHead(into, 0, { length, type, flags: flags | frameFlags.endHeaders, streamId: id });
};

const writeDataHead = (
  into: Buffer,
  offset: number,
  { id, length }: { readonly id: number; readonly length: number },
): number => {
  const { data: type } = frameTypes;
  return writeFrameHead(into, offset, { length, type, flags: frameFlags.endStream, streamId: id });
};

const lastData = (id: number, body: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(frameHeadBytes + body.length);
  frame.set(body, writeDataHead(frame, 0, { id, length: body.length }));
  return frame;
};

/** A long head goes on in frames of its own. */
const splitHead = (block: Buffer, { id, flags }: Omit<HeadFrame, 'length'>): Buffer => {
  const frames: Buffer[] = [];
  for (let start = 0; start < block.length; start += mostPayloadBytes) {
    const part = block.subarray(start, start + mostPayloadBytes);
    const isEnd = start + part.length === block.length;
    const head = Buffer.allocUnsafe(frameHeadBytes);
    writeFrameHead(head, 0, {
      length: part.length,
      type: start === 0 ? frameTypes.headers : frameTypes.continuation,
      flags: (start === 0 ? flags : 0) | (isEnd ? frameFlags.endHeaders : 0),
      streamId: id,
    });
    frames.push(head, part);
  }
  return Buffer.concat(frames);
};

const lowerName = rememberRecent((name) => name.toLowerCase());

let lastSecond = 0;
let lastDate = '';

/** RFC 9110, 5.6.7; the same for all answers of a second. */
const httpDate = (): string => {
  const now = Date.now();
  if (now - lastSecond >= 1000 || now < lastSecond) {
    lastSecond = now - (now % 1000);
    lastDate = new Date(now).toUTCString();
  }
  return lastDate;
};
