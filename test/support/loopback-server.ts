/** Starts servers of any kind on loopback. */
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Closes the server and its open connections. */
  close(): Promise<void>;
}

/** Listens on the port, or on a free one. */
export const listenOnLoopback = async (server: Server, port = 0): Promise<LoopbackServer> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('unreachable: no TCP port');
  return {
    port: address.port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
