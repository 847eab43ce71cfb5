/** Blocks of header fields as they come: in one frame mostly, else in several that nothing may part. */
import { headerLimits, http2Limits } from '../limits.ts';
import type { HeldBytes } from '../memory/connection-memory.ts';
import { ConnectionError, calmDown, protocolError } from './connection-error.ts';
import { errorCodes, type FrameHead, frameFlags, frameTypes } from './frame.ts';
import { HpackDecoder, HpackError } from './hpack/decoder.ts';
import type { Field } from './hpack/field.ts';
import { contentOf, dependsOnItself } from './payload.ts';

/** `:method`, `:scheme`, `:authority` and `:path`. */
const pseudoFields = 4;

/** A whole block of fields, and what its first frame said. */
export interface HeadBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  /** Does the stream say that it waits for itself? */
  readonly dependsOnItself: boolean;
  readonly fields: readonly Field[];
  /** Is there more of it than we read? */
  readonly isCut: boolean;
}

/** A block that has begun. */
interface OpenBlock extends Pick<HeadBlock, 'streamId' | 'endsStream' | 'dependsOnItself'> {
  readonly parts: Buffer[];
  size: number;
}

/** Of one connection, whose table of fields it holds. */
export class HeadBlocks {
  readonly #decoder = new HpackDecoder({
    tableBytes: http2Limits.tableBytes,
    // One more than a request may have, so that it is refused, and its pseudo-header fields.
    mostFields: headerLimits.fields + 1 + pseudoFields,
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
  checkOrder({ type, streamId }: FrameHead): void {
    const open = this.#open;
    const goesOn = type === frameTypes.continuation;
    if (goesOn ? open?.streamId !== streamId : open !== undefined) {
      throw protocolError('the frames of a head are parted');
    }
  }

  /** Of a frame that begins a block or goes on with it; the block once it is whole. */
  take(head: FrameHead, payload: Buffer): HeadBlock | undefined {
    const open = this.#open ?? begin(head, payload);
    const part = this.#open === undefined ? contentOf(head, payload) : payload;
    open.size += part.length;
    open.parts.push(part);
    if (open.size > http2Limits.blockBytes || open.parts.length > http2Limits.blockFrames) {
      throw calmDown('a head is too long');
    }
    const isWhole = (head.flags & frameFlags.endHeaders) !== 0;
    this.#open = isWhole ? undefined : open;
    if (!isWhole) this.#held.add(part.length);
    else if (open.size > part.length) this.#held.add(part.length - open.size);
    if (!isWhole) return undefined;
    const { streamId, endsStream, dependsOnItself: isOwn } = open;
    const { fields, isCut } = this.#decode(open);
    return { streamId, endsStream, dependsOnItself: isOwn, fields, isCut };
  }

  #decode({ parts, size }: OpenBlock): Pick<HeadBlock, 'fields' | 'isCut'> {
    const [only] = parts;
    const block = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts, size);
    try {
      return this.#decoder.decode(block, headerLimits.bytes);
    } catch (error) {
      if (!(error instanceof HpackError)) throw error;
      throw new ConnectionError(errorCodes.compression, 'a head can not be read');
    }
  }
}

const begin = (head: FrameHead, payload: Buffer): OpenBlock => {
  const { streamId, flags } = head;
  if (streamId % 2 === 0) throw protocolError('the streams of a client are odd');
  return {
    streamId,
    endsStream: (flags & frameFlags.endStream) !== 0,
    dependsOnItself: dependsOnItself(head, payload),
    parts: [],
    size: 0,
  };
};
