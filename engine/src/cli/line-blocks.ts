/** Reads a file, a pipe or standard input as blocks of whole lines. */
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The most bytes of a line: more than any token that a server accepts. */
export const maxLineBytes = 4 * 1024 * 1024;

const blockBytes = 256 * 1024;

/** Thrown for a line that is too long. */
export class LongLineError extends Error {}

/**
 * Reads the blocks of a decision log, which may be compressed with gzip. A line that is too long is
 * replaced by one that is not JSON.
 */
export const logBlocks = (path: string): AsyncIterable<Uint8Array<ArrayBuffer>> => {
  if (!path.endsWith('.gz')) return wholeLines(chunksOf(path), 'replace');
  const unzip = createGunzip();
  // An error of the file ends the stream, which then throws it.
  pipeline(chunksOf(path), unzip, () => {});
  return wholeLines(unzip, 'replace');
};

/** Reads the blocks of a file, or of standard input for `-`. */
export const lineBlocks = (path: string): AsyncIterable<Uint8Array<ArrayBuffer>> =>
  wholeLines(chunksOf(path));

const chunksOf = (path: string): Readable =>
  path === '-' ? process.stdin : createReadStream(path, { highWaterMark: blockBytes });

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

/**
 * Joins chunks to blocks of whole lines; each block has a buffer of its own. The last line needs no line end. A line
 * that is too long throws an error, or is replaced.
 */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array | string>,
  onLongLine: 'throw' | 'replace' = 'throw',
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let isSkipping = false;
  for await (const chunk of chunks) {
    let bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (isSkipping) {
      const next = bytes.indexOf(lineFeed);
      if (next === -1) continue;
      isSkipping = false;
      bytes = bytes.subarray(next);
    }
    const end = bytes.lastIndexOf(lineFeed) + 1;
    // A pipe has small chunks, so several of them make a block.
    if (end === 0 || size + end < blockBytes / 2) {
      parts.push(bytes);
      size += bytes.length;
    } else {
      yield joined([...parts, bytes.subarray(0, end)]);
      parts = [bytes.subarray(end)];
      size = bytes.length - end;
    }
    if (size <= maxLineBytes) continue;
    if (onLongLine === 'throw') {
      throw new LongLineError(`a line is longer than ${maxLineBytes} bytes`);
    }
    isSkipping = true;
    const all = joined(parts);
    const complete = all.subarray(0, all.lastIndexOf(lineFeed) + 1);
    parts = [complete, longLine];
    size = complete.length + longLine.length;
  }
  if (size > 0) yield joined(parts);
}

const lineFeed = 10;

/** What replaces a line that is too long. */
const longLine: Uint8Array = new TextEncoder().encode('…');

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const block = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
};
