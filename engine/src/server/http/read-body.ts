/** Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. */
import type { Readable } from 'node:stream';
import type { BodyBytes } from './exchange.ts';

export interface BodyLife {
  /** Asked when the stream has ended: has all of the body come? */
  isWhole(): boolean;
  /** Takes what is to be called when the stream breaks. */
  onBroken(call: () => void): void;
}

/**
 * Reads the stream to its end, until one byte more than the limit has come, or until it breaks. The
 * stream stays without a listener for its errors.
 */
export const readBody = (
  stream: Readable,
  limit: number,
  { isWhole, onBroken }: BodyLife,
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
    stream.on('end', () =>
      resolve(isWhole() ? { kind: 'bytes', bytes: joined(chunks, size) } : { kind: 'broken' }),
    );
    onBroken(() => resolve({ kind: 'broken' }));
  });

/** Most bodies come in one piece. */
const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
};
