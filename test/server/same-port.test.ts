/**
 * A client can have connections to several addresses of the server from the same port; all are
 * closed after the grace period.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { reach, startFake } from '../support/fake-generation.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

const open = async (host: string, port: number, localPort: number): Promise<Socket> => {
  const socket = connect({ host, port, localAddress: '127.0.0.1', localPort });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

// A connection that is left open would end after its handshake timeout of 10 s.
test('closes both connections from one port', { timeout: 8_000 }, async () => {
  const server = await startFake({ options: { bindAddress: '0.0.0.0' } });
  const { port } = reach(server);
  const first = await open('127.0.0.1', port, 0);
  const second = await open('127.0.0.2', port, first.localPort ?? 0);
  const ended = Promise.all([once(first, 'close'), once(second, 'close')]);
  await server.close(50);
  await ended;
  expect(first.localPort).toBe(second.localPort);
});
