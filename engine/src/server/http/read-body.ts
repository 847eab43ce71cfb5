/** Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. */
import type { Readable } from 'node:stream';
import type { BodyBytes } from './exchange.ts';

/**
 * Reads the stream to its end, until one byte more than the limit has come, or until it breaks:
 * `onBroken` takes what is to be called then. The stream stays without a listener for its errors.
 */
export const readBody = (
  stream: Readable,
  limit: number,
  onBroken: (call: () => void) => void,
): Promise<BodyBytes> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    stream.on('data', (chunk: Uint8Array) => {
      // Whoever throws the rest away reads on.
      if (size > limit) return;
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      stream.pause();
      resolve({ kind: 'tooLarge' });
    });
    stream.on('end', () => resolve({ kind: 'bytes', bytes: joined(chunks, size) }));
    onBroken(() => resolve({ kind: 'broken' }));
  });

/** Most bodies come in one piece. */
const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
};
