/** Opens connections, sends one request on each, and keeps them open. */
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { FromCrowd, ToCrowd } from './crowd-messages.ts';

const sockets = new Set<TLSSocket>();
let failed = 0;
/** Concurrent handshakes. */
const atOnce = 20;

const report = (): void => {
  process.send?.({ open: sockets.size, failed } satisfies FromCrowd);
};

const openOne = (port: number, localAddress: string): Promise<void> =>
  new Promise((resolve) => {
    const tcp = connectTcp({ port, host: '127.0.0.1', localAddress });
    const socket = connect({ socket: tcp, rejectUnauthorized: false });
    socket.on('error', () => {
      failed += 1;
      resolve();
    });
    socket.once('close', () => sockets.delete(socket));
    socket.once('secureConnect', () => {
      sockets.add(socket);
      socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    socket.once('data', () => resolve());
  });

const open = async (message: ToCrowd & { readonly kind: 'open' }): Promise<void> => {
  let left = message.count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await openOne(message.port, message.localAddress);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  report();
};

process.on('message', (message) => {
  const request = message as ToCrowd;
  if (request.kind === 'open') void open(request);
  else report();
});
process.on('disconnect', () => process.exit());
