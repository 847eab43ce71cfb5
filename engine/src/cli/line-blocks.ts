/** Reads a file, a pipe or standard input as blocks of whole lines. */
import { createReadStream, read } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';

/** The most bytes of a line: more than any token that a server accepts. */
export const maxLineBytes = 4 * 1024 * 1024;

const blockBytes = 256 * 1024;

/** Thrown for a line that is too long. */
export class LongLineError extends Error {}

/**
 * The buffers of blocks, which are used again. Buffers are outside of the heap of V8, which would collect gigabytes of
 * them late.
 */
export class BlockBuffers {
  readonly #unused: ArrayBuffer[] = [];

  take(bytes: number): Uint8Array<ArrayBuffer> {
    const unused = bytes > blockBytes ? undefined : this.#unused.pop();
    return new Uint8Array(unused ?? new ArrayBuffer(Math.max(bytes, blockBytes)));
  }

  /** Takes the buffer of a block that nothing reads any more. */
  recycle({ buffer }: Uint8Array<ArrayBuffer>): void {
    if (buffer.byteLength === blockBytes) this.#unused.push(buffer);
  }
}

/** Reads bytes to the start of a target, and returns their number; 0 at the end. */
export type ReadBytes = (target: Uint8Array) => Promise<number>;

/**
 * Reads the blocks of a decision log, which may be compressed with gzip. A line that is too long is
 * replaced by one that is not JSON.
 */
export async function* logBlocks(
  path: string,
  buffers: BlockBuffers,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!path.endsWith('.gz')) {
    yield* fileBlocks(path, { buffers, onLongLine: 'replace' });
    return;
  }
  const unzip = createGunzip();
  // An error of the file ends the stream, which then throws it.
  pipeline(createReadStream(path), unzip, () => {});
  yield* wholeLines(bytesOfStream(unzip), { buffers, onLongLine: 'replace' });
}

/** Reads the blocks of a file, or of standard input for `-`. */
export const lineBlocks = (
  path: string,
  buffers: BlockBuffers,
): AsyncGenerator<Uint8Array<ArrayBuffer>> => fileBlocks(path, { buffers, onLongLine: 'throw' });

async function* fileBlocks(
  path: string,
  options: BlockOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (path === '-') {
    yield* wholeLines(readStandardInput, options);
    return;
  }
  const file = await open(path);
  try {
    yield* wholeLines(async (target) => (await file.read(target)).bytesRead, options);
  } finally {
    await file.close();
  }
}

const readDescriptor = promisify(read);

/** Its descriptor; `process.stdin` would change it so that reading does not wait. */
const standardInput = 0;

/** The delay before standard input is read again that has no bytes yet and does not wait for them. */
const emptyInputMs = 10;

const readStandardInput: ReadBytes = async (target) => {
  for (;;) {
    try {
      return (await readDescriptor(standardInput, target, 0, target.length, null)).bytesRead;
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw cause;
      await setTimeout(emptyInputMs);
    }
  }
};

/** Reads the chunks of a stream. */
export const bytesOfStream = (stream: AsyncIterable<Uint8Array>): ReadBytes => {
  const chunks = stream[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array();
  return async (target) => {
    while (chunk.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return 0;
      chunk = next.value;
    }
    const part = chunk.subarray(0, target.length);
    target.set(part);
    chunk = chunk.subarray(part.length);
    return part.length;
  };
};

/** Returns the lines of a block, without their ends; `undefined` for a blank one. */
export function* linesOf(block: Uint8Array): Generator<Uint8Array | undefined> {
  for (let start = 0; start < block.length; ) {
    const found = block.indexOf(lineFeed, start);
    const end = found === -1 ? block.length : found;
    const line = block.subarray(start, end);
    yield isBlank(line) ? undefined : line;
    start = end + 1;
  }
}

const isBlank = (line: Uint8Array): boolean =>
  line.length === 0 || (line.length < maxBlank && line.every((byte) => blanks.has(byte)));

const maxBlank = 16;

/** Tabs, carriage returns and spaces. */
const blanks: ReadonlySet<number> = new Set([9, 13, 32]);

interface BlockOptions {
  readonly buffers: BlockBuffers;
  /** Whether a line that is too long throws an error, or is replaced. */
  readonly onLongLine: 'throw' | 'replace';
}

/**
 * Reads blocks of whole lines without a byte order mark at the start; each block has a buffer of its own. The last line
 * needs no line end.
 */
export async function* wholeLines(
  readBytes: ReadBytes,
  { buffers, onLongLine }: BlockOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = buffers.take(blockBytes);
  let size = 0;
  /** The start of the line that is not complete yet. */
  let lineStart = 0;
  let isSkipping = false;
  let isFirst = true;
  const withoutMark = (whole: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const isMarked = isFirst && byteOrderMark.every((byte, at) => whole[at] === byte);
    isFirst = false;
    return isMarked ? whole.subarray(byteOrderMark.length) : whole;
  };
  for (;;) {
    if (size === block.length) {
      const larger = withRest(buffers.take(2 * size), block);
      buffers.recycle(block);
      block = larger;
    }
    let count = await readBytes(block.subarray(size));
    if (count === 0) break;
    if (isSkipping) {
      const next = block.subarray(size, size + count).indexOf(lineFeed);
      if (next === -1) continue;
      isSkipping = false;
      block.copyWithin(size, size + next, size + count);
      count -= next;
    }
    const found = block.subarray(size, size + count).lastIndexOf(lineFeed);
    if (found !== -1) lineStart = size + found + 1;
    size += count;
    if (size - lineStart > maxLineBytes) {
      if (onLongLine === 'throw') {
        throw new LongLineError(`a line is longer than ${maxLineBytes} bytes`);
      }
      isSkipping = true;
      block.set(longLine, lineStart);
      size = lineStart + longLine.length;
    }
    // A pipe has small chunks, so several of them make a block.
    if (lineStart < blockBytes / 2) continue;
    const complete = block.subarray(0, lineStart);
    const rest = block.subarray(lineStart, size);
    block = withRest(buffers.take(2 * rest.length), rest);
    size = rest.length;
    lineStart = 0;
    yield withoutMark(complete);
  }
  if (size > 0) yield withoutMark(block.subarray(0, size));
}

const withRest = (target: Uint8Array<ArrayBuffer>, rest: Uint8Array): Uint8Array<ArrayBuffer> => {
  target.set(rest);
  return target;
};

const lineFeed = 10;

/** The byte order mark of UTF-8. */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** What replaces a line that is too long. */
const longLine: Uint8Array = new TextEncoder().encode('…');
