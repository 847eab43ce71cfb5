/** Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. */
import type { IncomingMessage } from 'node:http';
import type { BodyBytes } from './exchange.ts';

/**
 * Reads to the end, which Node's parser tells of a body that has come whole and of no other, until one
 * byte more than the limit has come, or until it breaks. `onBroken` takes what is to be called then.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  onBroken: (call: () => void) => void,
): Promise<BodyBytes> =>
  new Promise((resolve) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    const settle = (body: BodyBytes): void => {
      request.off('data', onData).off('end', onEnd);
      pieces.length = 0;
      resolve(body);
    };
    const onData = (piece: Uint8Array): void => {
      size += piece.length;
      if (size <= limit) {
        pieces.push(piece);
        return;
      }
      request.pause();
      settle({ kind: 'tooLarge' });
    };
    const onEnd = (): void => settle({ kind: 'bytes', bytes: joined(pieces, size) });
    request.on('data', onData).on('end', onEnd);
    onBroken(() => settle({ kind: 'broken' }));
  });

/** The pieces of a body as one, `size` bytes in all. Most come in one piece. */
export const joined = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, size);
};
