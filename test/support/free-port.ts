/** Finds a port of this machine on which no process listens. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Another process may use the port in the meantime: call this right before listening. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};
