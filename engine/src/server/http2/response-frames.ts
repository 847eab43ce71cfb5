/**
 * Creates the frames of responses. The dynamic table of the client is not used, so that HPACK has
 * no state here.
 */

import { memoizeRecent } from '../http/memoize-recent.ts';
import type { OutgoingResponse } from '../http/outgoing-response.ts';
import {
  frameFlags,
  frameHeaderBytes,
  frameTypes,
  maxPayloadBytes,
  writeFrameHeader,
} from './frame.ts';
import { emptyTableUpdate, maxEncodedBytes, writeField } from './hpack/encoder.ts';
import { isFieldValue } from './request-headers.ts';

/** The parts of a response that are written together. */
export interface ResponseParts {
  readonly id: number;
  readonly response: Pick<OutgoingResponse, 'status' | 'headers'>;
  /** The value of Content-Length; absent if it is unknown. */
  readonly bytes?: number;
  /** A body that is sent after the header block and ends the stream. */
  readonly body?: Uint8Array;
  /** True if the header block ends the stream. */
  readonly endsStream?: boolean;
}

/** The response frames of a single connection. */
export class ResponseFrames {
  #table: 'unused' | 'pendingUpdate' | 'updated' = 'unused';

  /**
   * Announces an empty table. A lower limit has to be acknowledged even if the table was never used
   * (RFC 7541, 4.2).
   */
  emptyTable(): void {
    if (this.#table === 'unused') this.#table = 'pendingUpdate';
  }

  /**
   * Returns a HEADERS frame and, if a body is given, a DATA frame. The body must fit into one
   * frame.
   */
  response({ id, response, bytes, body, endsStream }: ResponseParts): Buffer {
    const status = String(response.status);
    const date = httpDate();
    const size = bytes === undefined ? '' : String(bytes);
    let room = maxEncodedBytes(':status', status) + maxEncodedBytes('date', date);
    room += maxEncodedBytes('content-length', size);
    for (const [name, value] of response.headers) room += maxEncodedBytes(name, value);
    if (body !== undefined) room += frameHeaderBytes + body.length;
    const buffer = allocateBlock(room);
    let end = writeField(buffer, this.#begin(buffer), ':status', status);
    for (const [name, value] of response.headers) {
      // Go's server omits invalid values, too.
      if (isFieldValue(value)) end = writeField(buffer, end, lowercaseName(name), value);
    }
    end = writeField(buffer, end, 'date', date);
    if (bytes !== undefined) end = writeField(buffer, end, 'content-length', size);
    const length = end - frameHeaderBytes;
    const flags = endsStream === true ? frameFlags.endStream : 0;
    if (length > maxPayloadBytes) {
      const headers = splitBlock(buffer.subarray(frameHeaderBytes, end), { id, flags });
      return body === undefined ? headers : Buffer.concat([headers, lastData(id, body)]);
    }
    writeHeadersFrameHeader(buffer, { id, length, flags });
    if (body === undefined) return buffer.subarray(0, end);
    const offset = writeDataFrameHeader(buffer, end, { id, length: body.length });
    buffer.set(body, offset);
    return buffer.subarray(0, offset + body.length);
  }

  /** Returns a `100 Continue` response. */
  continue100(id: number): Buffer {
    const buffer = allocateBlock(maxEncodedBytes(':status', '100'));
    const end = writeField(buffer, this.#begin(buffer), ':status', '100');
    writeHeadersFrameHeader(buffer, { id, length: end - frameHeaderBytes, flags: 0 });
    return buffer.subarray(0, end);
  }

  /**
   * Begins a header block after the space for its frame header; returns the offset of the first
   * field.
   */
  #begin(buffer: Buffer): number {
    if (this.#table !== 'pendingUpdate') return frameHeaderBytes;
    // The table is empty already, so no later limit is lower.
    this.#table = 'updated';
    return buffer.writeUInt8(emptyTableUpdate, frameHeaderBytes);
  }
}

interface HeadersFrame {
  readonly id: number;
  readonly length: number;
  readonly flags: number;
}

/** Allocates space for a frame header, a table size update and fields. */
const allocateBlock = (room: number): Buffer => Buffer.allocUnsafe(frameHeaderBytes + 1 + room);

const writeHeadersFrameHeader = (into: Buffer, { id, length, flags }: HeadersFrame): void => {
  const { headers: type } = frameTypes;
  writeFrameHeader(into, 0, { length, type, flags: flags | frameFlags.endHeaders, streamId: id });
};

const writeDataFrameHeader = (
  into: Buffer,
  offset: number,
  { id, length }: { readonly id: number; readonly length: number },
): number => {
  const { data: type } = frameTypes;
  return writeFrameHeader(into, offset, {
    length,
    type,
    flags: frameFlags.endStream,
    streamId: id,
  });
};

const lastData = (id: number, body: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + body.length);
  frame.set(body, writeDataFrameHeader(frame, 0, { id, length: body.length }));
  return frame;
};

/** Splits a long header block into a HEADERS frame and CONTINUATION frames. */
const splitBlock = (block: Buffer, { id, flags }: Omit<HeadersFrame, 'length'>): Buffer => {
  const frames: Buffer[] = [];
  for (let start = 0; start < block.length; start += maxPayloadBytes) {
    const part = block.subarray(start, start + maxPayloadBytes);
    const isEnd = start + part.length === block.length;
    const headers = Buffer.allocUnsafe(frameHeaderBytes);
    writeFrameHeader(headers, 0, {
      length: part.length,
      type: start === 0 ? frameTypes.headers : frameTypes.continuation,
      flags: (start === 0 ? flags : 0) | (isEnd ? frameFlags.endHeaders : 0),
      streamId: id,
    });
    frames.push(headers, part);
  }
  return Buffer.concat(frames);
};

const lowercaseName = memoizeRecent((name) => name.toLowerCase());

let lastSecond = 0;
let lastDate = '';

/** Returns the date (RFC 9110, 5.6.7), formatted once per second. */
const httpDate = (): string => {
  const now = Date.now();
  if (now - lastSecond >= 1000 || now < lastSecond) {
    lastSecond = now - (now % 1000);
    lastDate = new Date(now).toUTCString();
  }
  return lastDate;
};
