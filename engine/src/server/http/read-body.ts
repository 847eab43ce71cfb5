/** Reads the body of an HTTP/1.1 request up to a limit. */
import type { IncomingMessage } from 'node:http';
import type { Http1Memory } from '../memory/http1-memory.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import type { BodyBytes } from './incoming-request.ts';

export interface ReadBodyOptions {
  readonly memory: Http1Memory;
  /** Registers a function that is called when the request is over. */
  readonly onClosed: (call: () => void) => void;
  /** Registers a function that is called when the body breaks off. */
  readonly onBroken: (call: () => void) => void;
}

/**
 * Reads to the end of the body (which Node's parser only reports for a complete body), until one
 * byte more than the limit has arrived, or until the body breaks off. The bytes are counted until
 * the request is over.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  { memory, onClosed, onBroken }: ReadBodyOptions,
): Promise<BodyBytes> =>
  new Promise((resolve) => {
    const gathered = new GatheredBytes();
    const { bodies } = memory.connection;
    let held = 0;
    onClosed(() => bodies.add(-held));
    const settle = (body: BodyBytes): void => {
      request.off('data', onData).off('end', onEnd);
      resolve(body);
    };
    const onData = (piece: Buffer): void => {
      memory.onBodyRead();
      if (gathered.size + piece.length <= limit) {
        gathered.add(piece);
        bodies.add(gathered.capacity - held);
        held = gathered.capacity;
        return;
      }
      request.pause();
      settle({ kind: 'tooLarge' });
    };
    const onEnd = (): void => {
      const bytes = gathered.bytes();
      const { connection } = memory;
      settle(connection.canParse(bytes) ? { kind: 'bytes', bytes } : { kind: 'tooLarge' });
    };
    request.on('data', onData).on('end', onEnd);
    onBroken(() => settle({ kind: 'broken' }));
  });
