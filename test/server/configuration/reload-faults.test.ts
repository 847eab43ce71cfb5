/**
 * A running server receives a configuration with a faulty issuer, over real sockets. The old
 * configuration stays in service, and the reason names the fault.
 */
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import type { ReloadEvent } from '../../../engine/src/server/configuration/reload.ts';
import { startServing } from '../../../engine/src/server/configuration/serving.ts';
import { startDemoIssuer } from '../../../engine/src/server/demo/issuer.ts';
import {
  demoIssuerHost,
  demoIssuerNames,
  demoPeople,
} from '../../../engine/src/server/demo/people.ts';
import { testAuthority } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const authority = testAuthority();
let folder = '';

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
});

/** Starts a server on loopback that lives as long as the test. */
const listen = async (server: ReturnType<typeof createTcp>): Promise<number> => {
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return port;
};

const https = (listener: RequestListener, spec: Parameters<typeof authority.issue>[0] = {}) => {
  const { pem, keyPem } = authority.issue(spec);
  return listen(createHttps({ cert: pem, key: keyPem }, listener));
};

const configuration = (more: readonly number[]): string =>
  [
    'apiVersion: apiserver.config.k8s.io/v1',
    'kind: AuthenticationConfiguration',
    'jwt:',
    '- issuer:',
    '    url: https://team.demo.localhost',
    '    audiences: [authgraph-demo]',
    '    certificateAuthority: |',
    indented(6),
    '  claimMappings: {username: {claim: sub, prefix: ""}}',
    ...more.flatMap((port) => [
      '- issuer:',
      `    url: https://localhost:${port}`,
      '    audiences: [authgraph-demo]',
      '    certificateAuthority: |',
      indented(6),
      '  claimMappings: {username: {claim: sub, prefix: ""}}',
    ]),
    '',
  ].join('\n');

const indented = (columns: number): string =>
  authority.pem.trimEnd().replaceAll(/^/gm, ' '.repeat(columns));

const serverWithGoodIssuer = async () => {
  const { pem, keyPem } = authority.issue({ names: demoIssuerNames.map(demoIssuerHost) });
  const issuer = await startDemoIssuer({ certificate: pem, key: keyPem });
  const path = join(folder, 'config.yaml');
  writeFileSync(path, configuration([]));
  const { clock, pass } = manualClock();
  const failures: string[] = [];
  const events: ReloadEvent[] = [];
  let wake: () => void = () => {};
  const ports = {
    ...nodePorts({
      http: { loopbackPorts: new Map([[demoIssuerHost('team'), issuer.port]]) },
      log: {
        event(_level, message, fields) {
          if (message === 'issuer discovery failed') failures.push(String(fields?.error));
          wake();
        },
      },
    }),
    clock: { ...clock, now: () => Date.now() },
  };
  const start = await startServing({
    configuration: { kind: 'file', path },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled', tokenCache: 'off' },
    report(event) {
      events.push(event);
      wake();
    },
  });
  if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
  const { serving } = start;
  onTestFinished(async () => {
    await serving.close();
    await ports.http.close();
    await issuer.close();
  });
  const signal = new AbortController().signal;
  await serving.waitForDiscovery(signal);
  const [ada] = demoPeople;
  if (ada === undefined) throw new Error('no such person');
  return {
    events,
    failures,
    pass,
    reload: serving.reload,
    edit: (text: string) => writeFileSync(path, text),
    async until(condition: () => boolean) {
      while (!condition()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async whoami() {
      const { generation: stage, release } = serving.holder.acquire();
      const request = { path: '/', token: secret(await issuer.tokenFor(ada)), audiences: [] };
      const decision = await stage.authenticate(request, { signal });
      release();
      return decision.kind === 'accepted' ? decision.user.username : decision.kind;
    },
  };
};

const discovery = (issuer: string) => JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` });

const faults: readonly (readonly [string, () => Promise<number>, RegExp])[] = [
  ['refuses connections', freePort, /connection refused$/],
  ['resets', () => https((request) => request.socket.destroy()), /EOF$|reset by peer$/],
  [
    'speaks plain HTTP',
    () =>
      listen(createTcp((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 x\r\n\r\n')))),
    /server gave HTTP response to HTTPS client$/,
  ],
  [
    'has a certificate for another name',
    () => https(() => {}, { names: ['other.example'] }),
    /x509: certificate is valid for other\.example, not localhost$/,
  ],
  [
    'has an expired certificate',
    () => https(() => {}, { notBeforeSeconds: -7200, notAfterSeconds: -3600 }),
    /x509: certificate has expired or is not yet valid$/,
  ],
  [
    'answers 500',
    () => https((_, response) => response.writeHead(500).end('sorry')),
    /^500 Internal Server Error: sorry$/,
  ],
  [
    'sends half a document',
    () =>
      https((_, response) =>
        response.setHeader('content-type', 'application/json').end('{"issuer":"https://loc'),
      ),
    /could not unmarshal as JSON: unexpected end of JSON input$/,
  ],
  [
    'is another issuer',
    () => https((_, response) => response.end(discovery('https://evil.example'))),
    /issuer did not match the issuer returned by provider/,
  ],
  [
    'redirects for ever',
    () => https((_, response) => response.writeHead(302, { location: '/again' }).end()),
    /stopped after 3 redirects$/,
  ],
  [
    'redirects to plain HTTP',
    () => https((_, response) => response.writeHead(302, { location: 'http://localhost/' }).end()),
    /unsupported protocol scheme "http"$/,
  ],
  [
    'sends 100 MB',
    () =>
      https((_, response) => {
        const block = Buffer.alloc(65_536, 0x20);
        const pump = () => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', pump);
        pump();
      }),
    /response body is larger than \d+ bytes$/,
  ],
  [
    'sends a small text that unpacks to 100 MB',
    () => {
      const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x20));
      return https((_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      );
    },
    /response body is larger than \d+ bytes$/,
  ],
];

test.each(faults)('a new issuer that %s', async (_name, start, reason) => {
  const { events, failures, pass, reload, edit, until, whoami } = await serverWithGoodIssuer();
  expect(await whoami()).toBe('1001');
  edit(configuration([await start()]));
  void reload?.checkNow();
  await until(() => failures.length > 0);
  expect(failures[0]).toMatch(reason);
  pass(59_000);
  expect(await whoami()).toBe('1001');
  pass(2_000);
  await until(() => events.some(({ kind }) => kind === 'unhealthy'));
  expect(events.some(({ kind }) => kind === 'reloaded')).toBe(false);
  expect(await whoami()).toBe('1001');
});

test('a new issuer that does not respond does not delay the old ones', async () => {
  const { events, pass, reload, edit, until, whoami } = await serverWithGoodIssuer();
  let asked = 0;
  const port = await https(() => {
    asked += 1;
  });
  edit(configuration([port]));
  void reload?.checkNow();
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await whoami()).toBe('1001');
  pass(61_000);
  await until(() => events.some(({ kind }) => kind === 'unhealthy'));
  expect(await whoami()).toBe('1001');
});

test('uses a new issuer that responds at last', async () => {
  const { events, failures, pass, reload, edit, until } = await serverWithGoodIssuer();
  let healthy = false;
  const port: number = await https((_, response) =>
    healthy ? response.end(discovery(`https://localhost:${port}`)) : response.writeHead(503).end(),
  );
  edit(configuration([port]));
  void reload?.checkNow();
  await until(() => failures.length > 0);
  healthy = true;
  pass(11_500); // The next try of discovery.
  while (!events.some(({ kind }) => kind === 'reloaded')) {
    await new Promise((resolve) => setImmediate(resolve));
    pass(200);
  }
  expect(events.at(-1)?.kind).toBe('reloaded');
});
