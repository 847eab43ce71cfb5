/** Blocks of header fields as they come: in one frame mostly, else in several that nothing may part. */
import { headerLimits, http2Limits } from '../limits.ts';
import type { HeldBytes } from '../memory/connection-memory.ts';
import { ConnectionError, enhanceYourCalm, protocolError } from './connection-error.ts';
import { errorCodes, type FrameHeader, frameFlags, frameTypes } from './frame.ts';
import { HpackDecoder, HpackError } from './hpack/decoder.ts';
import type { Field } from './hpack/field.ts';
import { contentOf, dependsOnItself } from './payload.ts';

/** `:method`, `:scheme`, `:authority` and `:path`. */
const pseudoHeaderFields = 4;

/** A whole block of fields, and what its first frame said. */
export interface HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  /** Does the stream say that it waits for itself? */
  readonly dependsOnItself: boolean;
  readonly fields: readonly Field[];
  /** Is there more of it than we read? */
  readonly isTruncated: boolean;
}

/** A block that has begun. */
interface OpenBlock extends Pick<HeaderBlock, 'streamId' | 'endsStream' | 'dependsOnItself'> {
  readonly parts: Buffer[];
  size: number;
}

/** Of one connection, whose table of fields it holds. */
export class HeaderBlocks {
  readonly #decoder = new HpackDecoder({
    tableBytes: http2Limits.tableBytes,
    // One more than a request may have, so that it is refused, and its pseudo-header fields.
    maxFields: headerLimits.fields + 1 + pseudoHeaderFields,
  });
  #open: OpenBlock | undefined;
  readonly #held: HeldBytes;

  /** `held`: what header fields hold of the memory of the connection. */
  constructor(held: HeldBytes) {
    this.#held = held;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Throws a `ConnectionError` for a frame that parts the frames of a block. */
  checkOrder({ type, streamId }: FrameHeader): void {
    const open = this.#open;
    const goesOn = type === frameTypes.continuation;
    if (goesOn ? open?.streamId !== streamId : open !== undefined) {
      throw protocolError('the frames of a head are parted');
    }
  }

  /** Of a frame that begins a block or goes on with it; the block once it is whole. */
  addFrame(header: FrameHeader, payload: Buffer): HeaderBlock | undefined {
    const open = this.#open ?? begin(header, payload);
    const part = this.#open === undefined ? contentOf(header, payload) : payload;
    open.size += part.length;
    open.parts.push(part);
    if (open.size > http2Limits.blockBytes || open.parts.length > http2Limits.blockFrames) {
      throw enhanceYourCalm('a head is too long');
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
      throw new ConnectionError(errorCodes.compression, 'a head can not be read');
    }
  }
}

const begin = (header: FrameHeader, payload: Buffer): OpenBlock => {
  const { streamId, flags } = header;
  if (streamId % 2 === 0) throw protocolError('the streams of a client are odd');
  return {
    streamId,
    endsStream: (flags & frameFlags.endStream) !== 0,
    dependsOnItself: dependsOnItself(header, payload),
    parts: [],
    size: 0,
  };
};
