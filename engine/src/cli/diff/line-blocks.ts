/** Reads a file, a pipe or standard input as blocks of whole lines. */
import { createReadStream } from 'node:fs';

/** The most bytes of a line: more than any token that a server accepts. */
export const maxLineBytes = 4 * 1024 * 1024;

const blockBytes = 256 * 1024;

/** Thrown for a line that is too long. */
export class LongLineError extends Error {}

/** Reads the blocks of a file, or of standard input for `-`. */
export const lineBlocks = (path: string): AsyncIterable<Uint8Array<ArrayBuffer>> =>
  wholeLines(path === '-' ? process.stdin : createReadStream(path, { highWaterMark: blockBytes }));

/** Joins chunks to blocks of whole lines; each block has a buffer of its own. The last line needs no line end. */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
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
    if (size > maxLineBytes) throw new LongLineError(`a line is longer than ${maxLineBytes} bytes`);
  }
  if (size > 0) yield joined(parts);
}

const lineFeed = 10;

const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const block = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
};
