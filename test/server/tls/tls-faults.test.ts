/** TLS errors after the handshake end the connection, with either protocol. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AnsweringListener, startAnswering } from '../../support/answering-listener.ts';
import { headersFrame, preface, requestFields, settingsFrame } from '../../support/http2-frames.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

let listener: AnsweringListener;
beforeAll(async () => {
  listener = await startAnswering();
});
afterAll(() => listener.close(100));

interface Tls {
  readonly protocol: 'h2' | 'http/1.1';
  readonly version: SecureVersion;
}

const handshake = async (port: number, { protocol, version }: Tls): Promise<TLSSocket> => {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    ca: listener.reach.authorityPem,
    ALPNProtocols: [protocol],
    minVersion: version,
    maxVersion: version,
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.on('error', () => {}).resume();
  return socket;
};

const waitOn = (socket: TLSSocket, { protocol }: Tls): void => {
  const frames = [preface, settingsFrame(), headersFrame(1, requestFields({ path: '/wait' }))];
  socket.write(
    protocol === 'h2' ? Buffer.concat(frames) : 'GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n',
  );
};

/** Proxies a connection to the listener, so that a test can insert bytes. */
const inTheMiddle = async (): Promise<{ port: number; upstream: Promise<Socket> }> => {
  const connected = Promise.withResolvers<Socket>();
  const middle = createServer((client) => {
    const upstream = connect(listener.reach.port, '127.0.0.1');
    onTestFinished(() => void upstream.destroy());
    upstream.on('error', () => {});
    client.pipe(upstream).pipe(client);
    connected.resolve(upstream);
    middle.close();
  });
  const { port } = await listenOnLoopback(middle);
  return { port, upstream: connected.promise };
};

describe.each<Tls>([
  { protocol: 'h2', version: 'TLSv1.3' },
  { protocol: 'h2', version: 'TLSv1.2' },
  { protocol: 'http/1.1', version: 'TLSv1.3' },
  { protocol: 'http/1.1', version: 'TLSv1.2' },
])('$protocol on $version', (tls) => {
  test('closes the connection of a modified record and cancels its requests', async () => {
    const { port, upstream } = await inTheMiddle();
    waitOn(await handshake(port, tls), tls);
    await expect.poll(() => listener.events.at(-1)).toBe('/wait begun');
    const socket = await upstream;
    const closed = once(socket, 'close');
    socket.write(Buffer.concat([Buffer.from([0x17, 3, 3, 0, 40]), Buffer.alloc(40, 7)]));
    await closed;
    await expect.poll(() => listener.events.at(-1)).toBe('/wait cut');
  });
});

test.each<Tls['protocol']>(['h2', 'http/1.1'])('does not renegotiate on %s', async (protocol) => {
  const tls: Tls = { protocol, version: 'TLSv1.2' };
  const socket = await handshake(listener.reach.port, tls);
  const outcome = await new Promise<string>((resolve) => {
    socket.on('error', () => resolve('refused'));
    socket.renegotiate({}, (error) => resolve(error === null ? 'done' : 'refused'));
  });
  expect(outcome).toBe('refused');
  const again = await handshake(listener.reach.port, tls);
  expect(again.getProtocol()).toBe('TLSv1.2');
});
