/** INV-X5 with real TLS, files, and connections that stay open while authorities are removed. */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  loadCertificatePool,
  type ReloadablePool,
} from '../../../engine/src/certificates/certificate-pool.ts';
import { watchCertificatePool } from '../../../engine/src/node/certificate-pool.ts';
import type { FileWatch } from '../../../engine/src/node/files.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { type Listener, listen } from '../../../engine/src/server/listener.ts';
import { createSelfSigned } from '../../../engine/src/server/tls/self-signed.ts';
import { type MadeCertificate, makeCert } from '../../attacks/lib/der.mjs';
import { askModule, authorityNamed, clientModule } from '../../support/certificate-fixtures.ts';
import { serverMemory } from '../../support/server-memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ca = authorityNamed('ca');
const other = authorityNamed('other');
const between = makeCert({ subject: [['CN', 'between']], ca: true }, ca);
const ada = makeCert({ subject: [['CN', 'ada']] }, between);
const chain = [ada, between];

const { path: folder } = temporaryFolder();
const file = join(folder, 'ca.crt');
const replace = (...authorities: readonly MadeCertificate[]): void => {
  writeFileSync(join(folder, 'next'), authorities.map(({ pem }) => pem).join(''));
  renameSync(join(folder, 'next'), file);
};

const ports = nodePorts();
let pool: ReloadablePool;
let watch: FileWatch;
let listener: Listener;

beforeAll(async () => {
  replace(ca);
  const loaded = loadCertificatePool('client-ca-bundle::ca.crt', new TextEncoder().encode(ca.pem));
  if (typeof loaded === 'string') throw new Error(loaded);
  pool = loaded;
  watch = watchCertificatePool(pool, file, { ...ports, debounceMs: 1 });
  const module = clientModule(pool);
  listener = await listen({
    address: '127.0.0.1',
    port: 0,
    http2: { maxStreams: 100 },
    memory: serverMemory(),
    certificate: createSelfSigned({ hosts: ['localhost'], now: ports.clock.now() }),
    clientAuthorities: [ca.pem],
    reportError: (fault) => {
      throw fault;
    },
    handle: async ({ certificates }) => ({
      status: 200,
      headers: [],
      body: await askModule(module, certificates === undefined ? {} : { certificates }),
      close: false,
    }),
  });
});
afterAll(async () => {
  await listener.close(0);
  await watch.close();
});

const open = async (protocol: string, version: 'TLSv1.2' | 'TLSv1.3'): Promise<TLSSocket> => {
  const socket = connect({
    port: listener.address.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: [protocol],
    minVersion: version,
    maxVersion: version,
    cert: chain.map(({ pem }) => pem).join(''),
    key: ada.keyPem,
  });
  await once(socket, 'secureConnect');
  return socket;
};

const askHttp1 = async (socket: TLSSocket): Promise<string> => {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let answer = '';
  for (;;) {
    answer += String((await once(socket, 'data'))[0]);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    if (length !== undefined && body.length >= Number(length)) return body;
  }
};

const askHttp2 = async (
  session: ClientHttp2Session,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const stream = session.request({ ':path': '/', ...fields });
  let body = '';
  stream.setEncoding('utf8');
  stream.on('data', (part: string) => {
    body += part;
  });
  await once(stream, 'end');
  return body;
};

describe.each(['http/1.1', 'h2'] as const)('INV-X5 %s', (protocol) => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    '%s: an open connection follows the file',
    async (version) => {
      const socket = await open(protocol, version);
      const session =
        protocol === 'h2'
          ? connectHttp2('https://localhost', { createConnection: () => socket })
          : undefined;
      const ask = () => (session === undefined ? askHttp1(socket) : askHttp2(session));
      const follow = async (...authorities: readonly MadeCertificate[]) => {
        replace(...authorities);
        await watch.checkNow();
      };
      expect(await ask()).toBe('accepted ada');
      await follow(other);
      expect(await ask()).toMatch(
        /^verifying certificate SN=.* failed: x509: certificate signed by unknown authority/,
      );
      await follow(other, ca);
      expect(await ask()).toBe('accepted ada');
      writeFileSync(file, 'half a certif');
      await watch.checkNow();
      expect(await ask()).toBe('accepted ada');
      await follow(ca);
      session?.destroy();
      socket.destroy();
    },
  );
});

test('presents the certificate for a request with the scheme http, as kube-apiserver does', async () => {
  const socket = await open('h2', 'TLSv1.3');
  const session = connectHttp2('https://localhost', { createConnection: () => socket });
  expect(await askHttp2(session, { ':scheme': 'http' })).toBe('accepted ada');
  session.destroy();
  socket.destroy();
});
