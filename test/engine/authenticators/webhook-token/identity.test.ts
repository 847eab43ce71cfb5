/**
 * How the webhook is verified and how the server authenticates to it: certificates, names, tokens,
 * proxies, with real TLS.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Decision } from '../../../../engine/src/model/decision.ts';
import { makeCert } from '../../../attacks/lib/der.mjs';
import { testAuthority } from '../../../support/certificates.ts';
import { listenOnLoopback } from '../../../support/loopback-server.ts';
import {
  type WebhookClient,
  type WebhookClientOptions,
  webhookClient,
} from '../../../support/webhook-client.ts';
import {
  type WebhookServer,
  type WebhookServerOptions,
  webhookServer,
} from '../../../support/webhook-server.ts';

const script = [{ body: '{"status":{"authenticated":true,"user":{"username":"alice"}}}' }];

const serve = async (options: WebhookServerOptions = {}): Promise<WebhookServer> => {
  const server = await webhookServer({ script, ...options });
  onTestFinished(() => server.close());
  return server;
};

/** The cache is disabled, so that every token causes a call; files are checked before each. */
const connect = async (url: string, options: WebhookClientOptions): Promise<WebhookClient> => {
  const client = await webhookClient(`${url}/authenticate`, {
    cacheTtlMs: 0,
    http: { fileRefreshMs: 0 },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
};

const trusting = (server: WebhookServer): WebhookClientOptions => ({
  files: { 'ca.pem': server.authority.pem },
  cluster: { 'certificate-authority': 'ca.pem' },
});

const messageOf = (decision: Decision): string =>
  decision.kind === 'rejected' ? decision.reason.message : decision.kind;

const clientAuthority = makeCert({ subject: [['CN', 'client authority']], ca: true });
const clientCertificate = (name: string, authority = clientAuthority) =>
  makeCert(
    { subject: [['CN', name]], eku: ['clientAuth'], notBefore: -3600, notAfter: 86_400 },
    authority,
  );
const wantsCertificate = {
  requestCert: true,
  rejectUnauthorized: true,
  ca: clientAuthority.pem,
} as const;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the client certificate', () => {
  test('is read from files and inline data', async () => {
    const server = await serve({ tls: wantsCertificate });
    const { pem, keyPem } = clientCertificate('the-api-server');
    const byFiles = await connect(server.url, {
      cluster: { 'certificate-authority-data': base64(server.authority.pem) },
      files: { 'us.pem': pem, 'us.key': keyPem },
      user: { 'client-certificate': 'us.pem', 'client-key': 'us.key' },
    });
    expect(messageOf(await byFiles.decide('t'))).toBe('accepted');
    const inline = await connect(server.url, {
      ...trusting(server),
      user: { 'client-certificate-data': base64(pem), 'client-key-data': base64(keyPem) },
    });
    expect(messageOf(await inline.decide('t'))).toBe('accepted');
    expect(server.seen.map(({ commonName }) => commonName)).toEqual([
      'the-api-server',
      'the-api-server',
    ]);
    expect(inline.node.credential).toBe('client certificate');
  });

  test('is required by the webhook, and must be of its authority', async () => {
    const server = await serve({ tls: wantsCertificate });
    const without = await connect(server.url, trusting(server));
    expect((await without.decide('t')).kind).toBe('rejected');
    const other = makeCert({ subject: [['CN', 'client authority']], ca: true });
    const { pem, keyPem } = clientCertificate('the-api-server', other);
    const untrusted = await connect(server.url, {
      ...trusting(server),
      user: { 'client-certificate-data': base64(pem), 'client-key-data': base64(keyPem) },
    });
    expect((await untrusted.decide('t')).kind).toBe('rejected');
    expect(server.seen).toEqual([]);
  });

  test('is reloaded for the next request, unless it is invalid', async () => {
    const server = await serve({ tls: wantsCertificate });
    const [old, fresh] = [clientCertificate('old'), clientCertificate('fresh')];
    const client = await connect(server.url, {
      cluster: { 'certificate-authority-data': base64(server.authority.pem) },
      files: { 'us.pem': old.pem, 'us.key': old.keyPem },
      user: { 'client-certificate': 'us.pem', 'client-key': 'us.key' },
    });
    expect(messageOf(await client.decide('1'))).toBe('accepted');
    const at = (name: string) => join(client.directory, name);
    await writeFile(at('us.key'), '');
    await rm(at('us.pem'));
    expect(messageOf(await client.decide('2'))).toBe('accepted');
    await writeFile(at('new.key'), fresh.keyPem);
    await writeFile(at('new.pem'), fresh.pem);
    await rename(at('new.key'), at('us.key'));
    await rename(at('new.pem'), at('us.pem'));
    expect(messageOf(await client.decide('3'))).toBe('accepted');
    expect(server.seen.map(({ commonName }) => commonName)).toEqual(['old', 'old', 'fresh']);
  });
});

describe("the webhook's certificate", () => {
  test('of another authority is rejected, and nothing is sent', async () => {
    const server = await serve();
    const client = await connect(server.url, {
      files: { 'ca.pem': testAuthority('another').pem },
      cluster: { 'certificate-authority': 'ca.pem' },
    });
    expect(messageOf(await client.decide('t'))).toBe(
      `Post "${server.url}/authenticate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
    expect(server.seen).toEqual([]);
  });

  test('is verified with the system’s authorities if there is no file', async () => {
    const server = await serve();
    const client = await connect(server.url, {});
    expect(messageOf(await client.decide('t'))).toContain('unknown authority');
  });

  test('is not verified with insecure-skip-tls-verify, with a warning at startup', async () => {
    const server = await serve();
    const client = await connect(server.url, { cluster: { 'insecure-skip-tls-verify': true } });
    expect(messageOf(await client.decide('t'))).toBe('accepted');
    expect(client.warnings).toEqual([expect.stringContaining('is not verified')]);
  });

  test('must match tls-server-name, which is sent as SNI', async () => {
    const server = await serve({ names: ['tokens.example'] });
    const named = (name: string) =>
      connect(server.url, {
        files: { 'ca.pem': server.authority.pem },
        cluster: { 'certificate-authority': 'ca.pem', 'tls-server-name': name },
      });
    expect(messageOf(await (await named('tokens.example')).decide('t'))).toBe('accepted');
    expect(messageOf(await (await named('127.0.0.1')).decide('t'))).toBe('accepted');
    const address = await connect(server.url.replace('127.0.0.1', 'localhost'), {
      files: { 'ca.pem': server.authority.pem },
      cluster: { 'certificate-authority': 'ca.pem', 'tls-server-name': '127.0.0.1' },
    });
    expect(messageOf(await address.decide('t'))).toBe('accepted');
    expect(messageOf(await (await named('other.example')).decide('t'))).toBe(
      `Post "${server.url}/authenticate?timeout=30s": tls: failed to verify certificate: x509: certificate is valid for tokens.example, not other.example`,
    );
  });

  test('is verified with a new authority for the next request', async () => {
    const server = await serve();
    const client = await connect(server.url, trusting(server));
    expect(messageOf(await client.decide('1'))).toBe('accepted');
    await writeFile(join(client.directory, 'ca.pem'), testAuthority('another').pem);
    expect(messageOf(await client.decide('2'))).toContain('unknown authority');
    await writeFile(join(client.directory, 'ca.pem'), server.authority.pem);
    expect(messageOf(await client.decide('3'))).toBe('accepted');
  });
});

describe('the bearer token', () => {
  const authorizations = (server: WebhookServer) =>
    server.seen.map(({ headers }) => headers.authorization);

  test('is read from its file again; if the file is gone the last one is used', async () => {
    const server = await serve();
    const client = await connect(server.url, {
      cluster: { 'certificate-authority-data': base64(server.authority.pem) },
      files: { token: ' first\n' },
      user: { tokenFile: 'token' },
    });
    await client.decide('1');
    await writeFile(join(client.directory, 'token'), 'second\n');
    await client.decide('2');
    await writeFile(join(client.directory, 'token'), ' \n');
    await client.decide('3');
    await rm(join(client.directory, 'token'));
    await client.decide('4');
    expect(authorizations(server)).toEqual([
      'Bearer first',
      'Bearer second',
      'Bearer second',
      'Bearer second',
    ]);
  });

  test('is read again after one minute', async () => {
    const server = await serve();
    const client = await connect(server.url, {
      cluster: { 'certificate-authority-data': base64(server.authority.pem) },
      files: { token: 'first' },
      user: { tokenFile: 'token' },
      http: {},
    });
    await writeFile(join(client.directory, 'token'), 'second');
    await client.decide('1');
    expect(authorizations(server)).toEqual(['Bearer first']);
  });

  test('basic credentials and impersonation headers are sent', async () => {
    const server = await serve();
    const client = await connect(server.url, {
      ...trusting(server),
      user: {
        username: 'us',
        password: 'a:ü',
        as: 'zoë',
        'as-groups': ['a', 'b'],
        'as-uid': 'u',
        'as-user-extra': { 'Acme.com/team': ['x'] },
      },
    });
    await client.decide('1');
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: `Basic ${base64('us:a:ü')}`,
      'impersonate-user': Buffer.from('zoë').toString('latin1'),
      'impersonate-group': 'a, b',
      'impersonate-uid': 'u',
      'impersonate-extra-acme.com%2fteam': 'x',
    });
  });
});

describe('proxies', () => {
  const listen = async (server: ReturnType<typeof createPlainServer>): Promise<number> => {
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    return port;
  };

  const tunnel = async () => {
    const asked: string[] = [];
    const proxy = createPlainServer();
    proxy.on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      const [host, port] = (request.url ?? '').split(':');
      const onward = connectSocket(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket);
        socket.pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    return { port: await listen(proxy), asked };
  };

  test('proxy-url: uses a tunnel whose certificate is verified', async () => {
    const server = await serve();
    const proxy = await tunnel();
    const through = (authority: string) =>
      connect(server.url, {
        cluster: {
          'certificate-authority-data': base64(authority),
          'proxy-url': `http://me:secret@127.0.0.1:${proxy.port}`,
        },
      });
    expect(messageOf(await (await through(server.authority.pem)).decide('t'))).toBe('accepted');
    const { host } = new URL(server.url);
    expect(proxy.asked).toEqual([`${host} Basic ${base64('me:secret')}`]);
    const untrusted = await through(testAuthority('another').pem);
    expect(messageOf(await untrusted.decide('t'))).toContain('unknown authority');
  });

  test('an unavailable proxy is named in the error', async () => {
    const server = await serve();
    const client = await connect(server.url, {
      cluster: {
        'certificate-authority-data': base64(server.authority.pem),
        'proxy-url': 'http://127.0.0.1:1',
      },
    });
    expect(messageOf(await client.decide('t'))).toBe(
      `Post "${server.url}/authenticate?timeout=30s": proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused`,
    );
    expect(server.seen).toEqual([]);
  });

  test('no credential is sent over plain HTTP, with a warning at startup', async () => {
    const seen: (string | undefined)[] = [];
    const port = await listen(
      createPlainServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end(script[0]?.body);
      }),
    );
    const client = await connect(`http://127.0.0.1:${port}`, { user: { token: 'ours' } });
    expect(messageOf(await client.decide('t'))).toBe('accepted');
    expect(seen).toEqual([undefined]);
    expect(client.warnings).toEqual([expect.stringContaining('plain HTTP')]);
  });
});
