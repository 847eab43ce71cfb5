/**
 * The certificate chain of the handshake is passed to the decision unmodified, with either
 * protocol.
 */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PeerCertificates } from '../../../engine/src/model/request.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { type Listener, listen } from '../../../engine/src/server/listener.ts';
import { createSelfSigned } from '../../../engine/src/server/tls/self-signed.ts';
import { makeCert } from '../../attacks/lib/der.mjs';
import { serverMemory } from '../../support/server-memory.ts';

const root = makeCert({ subject: [['CN', 'root']], ca: true });
const upper = makeCert({ subject: [['CN', 'upper']], ca: true }, root);
const lower = makeCert({ subject: [['CN', 'lower']], ca: true }, upper);
const leaf = makeCert({ subject: [['CN', 'leaf']], eku: ['clientAuth'] }, lower);
const stranger = makeCert({ subject: [['CN', 'stranger']], ca: true });

const presented: (PeerCertificates | undefined)[] = [];
let listener: Listener;

beforeAll(async () => {
  listener = await listen({
    address: '127.0.0.1',
    port: 0,
    http2: { maxStreams: 100 },
    memory: serverMemory(),
    certificate: createSelfSigned({ hosts: ['localhost'], now: nodePorts().clock.now() }),
    clientAuthorities: [root.pem],
    canParseCertificates: ({ chain }) =>
      chain.every((der) => !Buffer.from(der).equals(derOf(stranger.pem))),
    reportError: (fault) => {
      throw fault;
    },
    handle: (incoming) => {
      presented.push(incoming.certificates);
      return Promise.resolve({ status: 200, headers: [], body: '', close: false });
    },
  });
});
afterAll(() => listener.close(0));

const derOf = (pem: string): Buffer =>
  Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

const presentedChain = (): readonly string[] =>
  (presented.at(-1)?.chain ?? []).map((der) => Buffer.from(der).toString('hex'));
const hexOf = (...pems: readonly string[]) => pems.map((pem) => derOf(pem).toString('hex'));

interface Client {
  readonly chain?: readonly string[];
  readonly protocol?: 'h2' | 'http/1.1';
  readonly version?: 'TLSv1.2' | 'TLSv1.3';
  readonly session?: Buffer;
}

const open = (client: Client): TLSSocket =>
  connect({
    port: listener.address.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: [client.protocol ?? 'http/1.1'],
    maxVersion: client.version ?? 'TLSv1.3',
    ...(client.chain === undefined ? {} : { cert: client.chain.join('\n'), key: leaf.keyPem }),
    ...(client.session === undefined ? {} : { session: client.session }),
  });

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends one request and returns the TLS session that the server offers for resumption. */
const ask = async (client: Client): Promise<{ reused: boolean; session: Buffer | undefined }> => {
  const socket = open(client);
  let session: Buffer | undefined;
  socket.on('session', (offered) => {
    session = offered;
  });
  await once(socket, 'secureConnect');
  if (client.protocol === 'h2') {
    const http2 = connectHttp2('https://localhost', { createConnection: () => socket });
    const stream = http2.request({ ':path': '/' });
    stream.resume();
    await once(stream, 'end');
    http2.close();
  } else {
    socket.write(request);
    await once(socket, 'data');
  }
  const reused = socket.isSessionReused();
  socket.destroy();
  return { reused, session };
};

describe.each(['http/1.1', 'h2'] as const)('%s', (protocol) => {
  describe.each(['TLSv1.2', 'TLSv1.3'] as const)('%s', (version) => {
    test.each([
      ['in order', [leaf.pem, lower.pem, upper.pem]],
      ['in a different order', [leaf.pem, upper.pem, lower.pem]],
      ['with the root', [leaf.pem, lower.pem, upper.pem, root.pem]],
      ['alone', [leaf.pem]],
    ])('passes on a chain %s', async (_name, chain) => {
      await ask({ chain, protocol, version });
      expect(presentedChain()).toEqual(hexOf(...chain));
    });
    test('passes on nothing if the client presents no certificate', async () => {
      await ask({ protocol, version });
      expect(presented.at(-1)).toBeUndefined();
    });
    test('does not resume a session, whose chain would be lost', async () => {
      const chain = [leaf.pem, lower.pem, upper.pem];
      const { session } = await ask({ chain, protocol, version });
      const again = await ask({
        chain,
        protocol,
        version,
        ...(session === undefined ? {} : { session }),
      });
      expect(again.reused).toBe(false);
      expect(presentedChain()).toEqual(hexOf(...chain));
    });
  });
});

test('passes the same value for all requests of a connection', async () => {
  const socket = open({ chain: [leaf.pem] });
  for (let count = 0; count < 2; count += 1) {
    socket.write(request);
    await once(socket, 'data');
  }
  socket.destroy();
  expect(presented.at(-1)).toBe(presented.at(-2));
});

test('closes the connection of a certificate that cannot be parsed before reading a request', async () => {
  const before = presented.length;
  const socket = open({ chain: [leaf.pem, lower.pem, stranger.pem] });
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  expect(presented.length).toBe(before);
});

test('uses new client authorities from the next handshake on', async () => {
  listener.useClientAuthorities([root.pem, stranger.pem]);
  await ask({ chain: [leaf.pem] });
  expect(presentedChain()).toEqual(hexOf(leaf.pem));
});
