/** The proxy of a request, as Go's net/http selects it, and a real proxy. */
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nodeHttpClient } from '../../../engine/src/node/http-client.ts';
import { proxyFor } from '../../../engine/src/node/proxy.ts';
import { testAuthority } from '../../support/certificates.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

interface Row {
  readonly url: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
  readonly proxy: string;
}

const variables = (values: Readonly<Record<string, string>>) => (name: string) => values[name];

test('selects the recorded proxy', () => {
  const rows = readFileSync(join(import.meta.dirname, 'proxy.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Row => JSON.parse(line));
  expect(rows.length).toBeGreaterThan(300);
  for (const row of rows) {
    const { url, httpsProxy, noProxy, proxy } = row;
    const variable = variables({ HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy });
    expect(proxyFor(new URL(url), variable) ?? '', JSON.stringify(row)).toBe(proxy);
  }
});

test('reads lower-case variables if the upper-case ones are absent', () => {
  const url = new URL('https://a.example');
  expect(proxyFor(url, variables({ https_proxy: 'http://p' }))).toBe('http://p');
  expect(proxyFor(url, variables({ https_proxy: 'http://p', no_proxy: 'a.example' }))).toBe(
    undefined,
  );
  expect(proxyFor(url, variables({ https_proxy: 'http://p', HTTPS_PROXY: 'http://q' }))).toBe(
    'http://q',
  );
  expect(proxyFor(url, variables({ HTTP_PROXY: 'http://p' }))).toBe(undefined);
});

const listen = async (server: Server): Promise<number> => {
  const listening = await listenOnLoopback(server);
  onTestFinished(() => listening.close());
  return listening.port;
};

const authority = testAuthority();

/** Starts a proxy that connects every name to one port on loopback. */
const startProxy = async (targetPort: number) => {
  const proxyRequests: string[] = [];
  const proxy = createHttp();
  proxy.on('connect', (request, socket) => {
    proxyRequests.push(`${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    const onward = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { proxyRequests, port: await listen(proxy) };
};

const getThroughProxy = async (proxyUrl: string, certificateAuthority: string) => {
  const client = nodeHttpClient({ readVariable: variables({ HTTPS_PROXY: proxyUrl }) });
  try {
    const { body } = await client.get({
      url: 'https://issuer.example/keys',
      certificateAuthority,
      timeoutMs: 5_000,
      maxBytes: 1_000,
    });
    return new TextDecoder().decode(body);
  } catch (cause) {
    return cause instanceof Error ? cause.message : 'no error';
  } finally {
    await client.close();
  }
};

test('reaches an issuer through a proxy, and verifies its certificate', async () => {
  const { pem, keyPem } = authority.issue({ names: ['issuer.example'] });
  const target = await listen(
    createHttps({ cert: pem, key: keyPem }, (_, response) => response.end('keys')),
  );
  const { proxyRequests, port } = await startProxy(target);
  expect(await getThroughProxy(`http://user:pass@127.0.0.1:${port}`, authority.pem)).toBe('keys');
  expect(proxyRequests).toEqual([`issuer.example:443 Basic ${btoa('user:pass')}`]);
  expect(await getThroughProxy(`127.0.0.1:${port}`, testAuthority('another').pem)).toBe(
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  );
});

test('reports an unreachable or refusing proxy without its password', async () => {
  const refusing = createHttp();
  refusing.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  const port = await listen(refusing);
  expect(await getThroughProxy(`http://user:hunter2@127.0.0.1:${port}`, authority.pem)).toBe(
    'Forbidden',
  );
  expect(await getThroughProxy('http://user:hunter2@127.0.0.1:1', authority.pem)).toBe(
    'dial tcp 127.0.0.1:1: connect: connection refused',
  );
});
