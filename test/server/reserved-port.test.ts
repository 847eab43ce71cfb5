/** The port is bound before the server is ready, and connections of that time are answered later. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connectionLimits } from '../../engine/src/server/limits.ts';
import { type ReservedPort, reservePort } from '../../engine/src/server/reserve-port.ts';
import { startFake } from '../support/fake-generation.ts';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';

const reserve = async (securePort: number): Promise<ReservedPort> => {
  const reservation = await reservePort({ bindAddress: '127.0.0.1', securePort });
  if (reservation.kind === 'failed') throw new Error(reservation.problem.message);
  onTestFinished(() => reservation.port.close());
  return reservation.port;
};

test('requests that arrive before the server is ready wait and are answered', async () => {
  const port = await freePort();
  const reservedPort = await reserve(port);
  let answered = 0;
  const early = Array.from({ length: 5 }, async () => {
    const { status, body } = await sendHttps({ port, path: '/livez' });
    answered += 1;
    return { status, body };
  });
  await pause(100);
  expect(answered).toBe(0);
  const server = await startFake({ settings: { reservedPort } });
  onTestFinished(() => server.close(100));
  expect(server.port).toBe(port);
  expect(await Promise.all(early)).toEqual(early.map(() => ({ status: 200, body: 'ok' })));
  expect((await sendHttps({ port, path: '/livez' })).status).toBe(200);
  // The server owns the port now.
  await reservedPort.close();
  expect((await sendHttps({ port, path: '/livez' })).status).toBe(200);
});

test('a port in use is reported in the words of kube-apiserver', async () => {
  const port = await freePort();
  await reserve(port);
  expect(await reservePort({ bindAddress: '127.0.0.1', securePort: port })).toEqual({
    kind: 'failed',
    problem: {
      message: `failed to create listener: failed to listen on 127.0.0.1:${port}: listen tcp 127.0.0.1:${port}: bind: address already in use`,
      help: expect.stringContaining(`Another process listens on port ${port}. Find it with: `),
    },
  });
});

test('an address of another machine is reported', async () => {
  expect(await reservePort({ bindAddress: '192.0.2.1', securePort: 6443 })).toMatchObject({
    problem: {
      message: expect.stringContaining('192.0.2.1:6443: bind: cannot assign requested address'),
    },
  });
});

test('a start that fails closes the port and the waiting connections', async () => {
  const port = await freePort();
  const reservedPort = await reserve(port);
  const waiting = connect(port, '127.0.0.1');
  waiting.on('error', () => {});
  await once(waiting, 'connect');
  const closed = once(waiting, 'close');
  await reservedPort.close();
  await closed;
  const again = await reserve(port);
  await again.close();
});

test('only a limited number of connections waits', async () => {
  const port = await freePort();
  await reserve(port);
  let closed = 0;
  const sockets = Array.from({ length: connectionLimits.waitingAtStart + 10 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.once('close', () => {
      closed += 1;
    });
    return socket;
  });
  while (closed < 10) await pause(10);
  await pause(50);
  expect(closed).toBe(10);
  for (const socket of sockets) socket.destroy();
});
