/** A port of this machine that nobody listens on. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** It may be taken by another before it is used: ask for it right before. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};
