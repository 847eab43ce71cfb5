/** Finds a port of this machine on which no process listens. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports that systems do not assign to outgoing connections and to listeners without a port. */
const [first, last] = [10_000, 32_767];

/** Another process may use the port in the meantime: call this right before listening. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(first, last + 1);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
};
