/** Reading a body that was asked for, up to a limit; nobody waits for bytes beyond it. */
import type { IncomingMessage } from 'node:http';
import type { BodyBytes } from './exchange.ts';
import { GatheredBytes } from './gathered-bytes.ts';

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
    const gathered = new GatheredBytes();
    const settle = (body: BodyBytes): void => {
      request.off('data', onData).off('end', onEnd);
      resolve(body);
    };
    const onData = (piece: Buffer): void => {
      if (gathered.size + piece.length <= limit) {
        gathered.add(piece);
        return;
      }
      request.pause();
      settle({ kind: 'tooLarge' });
    };
    const onEnd = (): void => settle({ kind: 'bytes', bytes: gathered.whole() });
    request.on('data', onData).on('end', onEnd);
    onBroken(() => settle({ kind: 'broken' }));
  });
