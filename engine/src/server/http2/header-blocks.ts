/** Assembles header blocks from HEADERS and CONTINUATION frames and decodes them. */
import { headerLimits, http2Limits } from '../limits.ts';
import type { HeldBytes } from '../memory/connection-memory.ts';
import { ConnectionError, enhanceYourCalm, protocolError } from './connection-error.ts';
import { errorCodes, type FrameHeader, frameFlags, frameTypes } from './frame.ts';
import { HpackDecoder, HpackError } from './hpack/decoder.ts';
import type { Field } from './hpack/field.ts';
import { contentOf, dependsOnItself } from './payload.ts';

/** The number of pseudo-header fields: `:method`, `:scheme`, `:authority` and `:path`. */
const pseudoHeaderFields = 4;

/** A complete header block and the properties of its HEADERS frame. */
export interface HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  /** True if the priority makes the stream depend on itself. */
  readonly dependsOnItself: boolean;
  readonly fields: readonly Field[];
  /** True if fields beyond the limit were dropped. */
  readonly isTruncated: boolean;
}

/** A header block that is not complete. */
interface OpenBlock extends Pick<HeaderBlock, 'streamId' | 'endsStream' | 'dependsOnItself'> {
  readonly parts: Buffer[];
  size: number;
}

/** The header blocks of a single connection, with its HPACK decoder. */
export class HeaderBlocks {
  readonly #decoder = new HpackDecoder({
    tableBytes: http2Limits.tableBytes,
    // One field more than allowed, so that the request is rejected, and the pseudo-header fields.
    maxFields: headerLimits.fields + 1 + pseudoHeaderFields,
  });
  #open: OpenBlock | undefined;
  readonly #held: HeldBytes;

  /** `held` counts the memory that header fields of the connection take. */
  constructor(held: HeldBytes) {
    this.#held = held;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Throws a `ConnectionError` for a frame that interrupts a header block or continues none. */
  checkOrder({ type, streamId }: FrameHeader): void {
    const open = this.#open;
    const isContinuation = type === frameTypes.continuation;
    if (isContinuation ? open?.streamId !== streamId : open !== undefined) {
      throw protocolError('HEADERS and CONTINUATION frames out of sequence');
    }
  }

  /** Adds a HEADERS or CONTINUATION frame; returns the header block once it is complete. */
  addFrame(header: FrameHeader, payload: Buffer): HeaderBlock | undefined {
    const open = this.#open ?? begin(header, payload);
    const part = this.#open === undefined ? contentOf(header, payload) : payload;
    open.size += part.length;
    open.parts.push(part);
    if (open.size > http2Limits.blockBytes || open.parts.length > http2Limits.blockFrames) {
      throw enhanceYourCalm('header block too large');
    }
    const isWhole = (header.flags & frameFlags.endHeaders) !== 0;
    this.#open = isWhole ? undefined : open;
    if (!isWhole) this.#held.add(part.length);
    else if (open.size > part.length) this.#held.add(part.length - open.size);
    if (!isWhole) return undefined;
    const { streamId, endsStream, dependsOnItself: isSelfDependent } = open;
    const { fields, isTruncated } = this.#decode(open);
    return { streamId, endsStream, dependsOnItself: isSelfDependent, fields, isTruncated };
  }

  #decode({ parts, size }: OpenBlock): Pick<HeaderBlock, 'fields' | 'isTruncated'> {
    const [single] = parts;
    const block = single !== undefined && parts.length === 1 ? single : Buffer.concat(parts, size);
    try {
      return this.#decoder.decode(block, headerLimits.bytes);
    } catch (error) {
      if (!(error instanceof HpackError)) throw error;
      throw new ConnectionError(errorCodes.compression, 'invalid HPACK header block');
    }
  }
}

const begin = (header: FrameHeader, payload: Buffer): OpenBlock => {
  const { streamId, flags } = header;
  if (streamId % 2 === 0) throw protocolError('even stream ID from client');
  return {
    streamId,
    endsStream: (flags & frameFlags.endStream) !== 0,
    dependsOnItself: dependsOnItself(header, payload),
    parts: [],
    size: 0,
  };
};
