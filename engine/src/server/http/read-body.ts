/** Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. */
import type { Readable } from 'node:stream';
import type { BodyBytes } from './exchange.ts';

/** Reads the stream to its end, until one byte more than the limit has come, or until the signal. */
export const readBody = (
  stream: Readable,
  limit: number,
  signal: AbortSignal,
): Promise<BodyBytes> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (result: BodyBytes): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      signal.removeEventListener('abort', onBroken);
      // Errors after the verdict have nobody else to hear them.
      stream.on('error', () => {});
      resolve(result);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > limit) {
        stream.pause();
        settle({ kind: 'tooLarge' });
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => settle({ kind: 'bytes', bytes: Buffer.concat(chunks, size) });
    const onBroken = (): void => settle({ kind: 'broken' });
    signal.addEventListener('abort', onBroken, { once: true });
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
