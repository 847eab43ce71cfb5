/** `--disable-http2-serving` and `--http2-max-streams-per-connection` in a server process. */
import { get } from 'node:https';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';
import { startAnswering } from '../../support/answering-listener.ts';
import {
  errorCodes,
  frameTypes,
  headersFrame,
  requestFields,
  rstStream,
} from '../../support/http2-frames.ts';
import { openRaw } from '../../support/raw-http2.ts';
import { serveProcess } from '../../support/serve-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const serve = async (...flags: readonly string[]) => {
  const { path: folder } = temporaryFolder(onTestFinished);
  // A server without an authenticator does not start.
  const server = await serveProcess(folder, ['--anonymous-auth=true', ...flags]);
  onTestFinished(() => server.stop());
  return server;
};

/** Returns the negotiated protocol, or the code of the error that ends the handshake. */
const chosenProtocol = (port: number, offered: readonly string[]): Promise<unknown> =>
  new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      rejectUnauthorized: false,
      ALPNProtocols: [...offered],
    });
    socket.once('secureConnect', () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.once('error', (error: Error & { readonly code?: string }) => resolve(error.code));
  });

test('--disable-http2-serving offers HTTP/1.1 only', async () => {
  const server = await serve('--disable-http2-serving');
  expect(server.output()).toContain('Forcing use of http/1.1 only');
  expect(await chosenProtocol(server.port, ['h2', 'http/1.1'])).toBe('http/1.1');
  expect(await chosenProtocol(server.port, ['http/1.1'])).toBe('http/1.1');
  // Go's TLS does the same without a common protocol.
  expect(await chosenProtocol(server.port, ['h2'])).toBe(
    'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  );
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    get(`${server.url}/livez`, { rejectUnauthorized: false }, ({ statusCode, httpVersion }) => {
      expect(httpVersion).toBe('1.1');
      resolve(statusCode);
    }).on('error', reject);
  });
  expect(answer).toBe(200);
});

test('--http2-max-streams-per-connection is announced and enforced', async () => {
  const server = await serve('--http2-max-streams-per-connection=3');
  const client = await openRaw({ port: server.port });
  onTestFinished(() => client.close());
  const settings = client.frames.find(({ type }) => type === frameTypes.settings);
  // SETTINGS_MAX_CONCURRENT_STREAMS comes first.
  expect(settings?.payload.subarray(0, 6).toString('hex')).toBe('000300000003');
  const open = requestFields({ method: 'POST', path: '/livez' });
  const streams = [1, 3, 5, 7];
  client.send(...streams.map((stream) => headersFrame(stream, open, { more: true })));
  await client.alive();
  const refused = streams.filter(
    (stream) => client.received(stream).reset === errorCodes.refusedStream,
  );
  expect(refused).toEqual([7]);
});

test('allows all open streams to be reset at once', async () => {
  const listener = await startAnswering({ maxStreams: 500 });
  onTestFinished(async () => {
    await listener.close(100);
  });
  const client = await openRaw(listener.reach);
  onTestFinished(() => client.close());
  const open = requestFields({ method: 'POST', path: '/wait' });
  const streams = Array.from({ length: 400 }, (_, index) => index * 2 + 1);
  client.send(...streams.map((stream) => headersFrame(stream, open, { more: true })));
  client.send(...streams.map((stream) => rstStream(stream)));
  await client.alive();
});

test.each([
  [[], { maxStreams: 100 }],
  [['--http2-max-streams-per-connection=0'], { maxStreams: 100 }],
  [['--http2-max-streams-per-connection=-1'], { maxStreams: 100 }],
  [['--http2-max-streams-per-connection=1000'], { maxStreams: 1000 }],
  [['--disable-http2-serving', '--http2-max-streams-per-connection=7'], 'disabled'],
  [['--disable-http2-serving=false'], { maxStreams: 100 }],
] as const)('parses %j', (flags, expected) => {
  const read = readServeOptions(flags);
  expect(read.kind === 'options' && read.options.http2).toEqual(expected);
});
