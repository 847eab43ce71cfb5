/**
 * Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. Node holds a
 * stream long after its end, with all that its listeners hold: they are the same for all streams, and
 * what they work on is let go when the body is settled.
 */
import type { Readable } from 'node:stream';
import type { BodyBytes } from './exchange.ts';

export interface BodyLife<Stream> {
  /** Asked when the stream has ended: has all of the body come? */
  isWhole(stream: Stream): boolean;
  /** Takes what is to be called when the stream breaks. */
  onBroken(call: () => void): void;
}

/**
 * Reads the stream to its end, until one byte more than the limit has come, or until it breaks. The
 * stream stays without a listener for its errors.
 */
export const readBody = <Stream extends Readable>(
  stream: Stream,
  limit: number,
  { isWhole, onBroken }: BodyLife<Stream>,
): Promise<BodyBytes> =>
  new Promise((resolve) => {
    const read: ReadStream = stream;
    const body: BodyReading = {
      limit,
      chunks: [],
      size: 0,
      isWhole: () => isWhole(stream),
      settle(bytes) {
        read[reading] = undefined;
        resolve(bytes);
      },
    };
    read[reading] = body;
    stream.on('data', takeChunk).on('end', takeEnd);
    onBroken(() => body.settle({ kind: 'broken' }));
  });

interface BodyReading {
  readonly limit: number;
  readonly chunks: Uint8Array[];
  size: number;
  isWhole(): boolean;
  settle(bytes: BodyBytes): void;
}

const reading = Symbol('reading');

interface ReadStream extends Readable {
  [reading]?: BodyReading | undefined;
}

/** Once the body is settled, whoever throws the rest away reads on. */
function takeChunk(this: ReadStream, chunk: Uint8Array): void {
  const body = this[reading];
  if (body === undefined) return;
  body.size += chunk.length;
  if (body.size <= body.limit) {
    body.chunks.push(chunk);
    return;
  }
  this.pause();
  body.settle({ kind: 'tooLarge' });
}

function takeEnd(this: ReadStream): void {
  const body = this[reading];
  if (body === undefined) return;
  const isWhole = body.isWhole();
  body.settle(
    isWhole ? { kind: 'bytes', bytes: joined(body.chunks, body.size) } : { kind: 'broken' },
  );
}

/** Most bodies come in one piece. */
const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
};
