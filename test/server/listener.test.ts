/** Malformed and hostile HTTP requests, and the lifecycle of connections. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Decision } from '../../engine/src/model/decision.ts';
import { secret } from '../../engine/src/model/secret.ts';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { issueCertificate } from '../../engine/src/server/tls/issue-certificate.ts';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import { watchCertificatePair } from '../../engine/src/server/tls/serving-certificate.ts';
import { type FakeOptions, reach, startFake } from '../support/fake-generation.ts';
import { rawExchange } from '../support/raw-exchange.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const self = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const alice = 'Authorization: Bearer tok-alice';
const json = 'Content-Type: application/json';

const running: RunningServer[] = [];
const start = async (fake: FakeOptions = {}): Promise<RunningServer> => {
  const server = await startFake(fake);
  running.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(100)));
});

const post = (headers: readonly string[], body: string, length = body.length): string => {
  const fixed = [`POST ${self} HTTP/1.1`, 'Host: localhost'];
  return [...fixed, ...headers, `Content-Length: ${length}`, '', body].join('\r\n');
};

describe('framing', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startFake({ anonymousPaths: ['/livez'] });
  });
  afterAll(() => server.close(100));

  const head = `POST ${self} HTTP/1.1\r\nHost: x\r\n${alice}\r\n${json}\r\n`;
  test.each([
    [
      'both length fields',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `, 400],
    ['a signed length', `${head}Content-Length: +2\r\n\r\n{}`, 400],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n{}`, 400],
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    [
      'two codings',
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a coding with a space', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a folded field', `${head}X-Note: a\r\n Authorization: b\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['bare line feeds', `GET /livez HTTP/1.1\nHost: x\n\n`, 400],
    ['a leading blank', `POST ${self} HTTP/1.1\r\n Host: x\r\n${alice}\r\n\r\n`, 400],
    ['no colon', `${head}X-Remote-User boss\r\n\r\n`, 400],
    ['space before colon', `GET /livez HTTP/1.1\r\nHost: x\r\nAuthorization : a\r\n\r\n`, 400],
    ['NUL in a value', `GET /livez HTTP/1.1\r\nHost: x\r\n${alice}\0\r\n\r\n`, 400],
    ['bare CR in a value', `GET /livez HTTP/1.1\r\nHost: x\r\nX: a\rY: b\r\n\r\n`, 400],
    ['no host', `GET /livez HTTP/1.1\r\n\r\n`, 400],
    ['two hosts', `GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n`, 400],
    ['an invalid host', `GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n`, 400],
    ['no version', `GET /livez\r\n\r\n`, 400],
    ['an unsupported version', `GET /livez HTTP/2.0\r\nHost: a\r\n\r\n`, 505],
    ['not HTTP', '\x16\x03\x01\x02\0\x01\0\x01GARBAGE\r\n\r\n', 400],
    ['no path', `GET  HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['backslash', `GET \\livez HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  ])('%s ends the connection', async (_name, request, status) => {
    const answer = await rawExchange(reach(server), request);
    expect(answer.status).toBe(status);
    expect(answer.raw.split('HTTP/1.1 ')).toHaveLength(2);
  });

  test('does not answer a request that is hidden behind contradicting lengths', async () => {
    const hidden = `GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await rawExchange(
      reach(server),
      `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    );
    expect(answer.raw).not.toContain('200 OK');
  });

  test('does not carry an identity over to the next request of a connection', async () => {
    const second = `POST ${self} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
    const answer = await rawExchange(reach(server), post([alice, json], '{}') + second);
    expect(answer.raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 401']);
  });

  test('ignores a credential in a trailer section', async () => {
    const answer = await rawExchange(
      reach(server),
      `POST ${self} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n${alice}\r\n\r\n`,
    );
    expect(answer.status).toBe(401);
  });

  test('rejects more than a thousand fields', async () => {
    const fields = Array.from({ length: 1001 }, (_, index) => `X-${index}: v`);
    const lines = ['GET /livez HTTP/1.1', 'Host: x', ...fields];
    const answer = await rawExchange(reach(server), `${lines.join('\r\n')}\r\n\r\n`);
    expect(answer.status).toBe(431);
  });

  test('rejects more than a mebibyte of fields, and accepts half of it', async () => {
    const request = (count: number): string => {
      const fields = Array.from({ length: count }, () => `X-Pad: ${'a'.repeat(50_000)}\r\n`);
      return `GET /livez HTTP/1.1\r\nHost: x\r\n${fields.join('')}Connection: close\r\n\r\n`;
    };
    expect((await rawExchange(reach(server), request(30))).status).toBe(431);
    expect((await rawExchange(reach(server), request(10))).status).toBe(200);
  });

  test('rejects a field of more than 64 KiB, unless it carries a token', async () => {
    const request = (name: string, size: number): string =>
      `GET /livez HTTP/1.1\r\nHost: x\r\n${name}: ${'a'.repeat(size)}\r\nConnection: close\r\n\r\n`;
    expect((await rawExchange(reach(server), request('Accept', 64 * 1024 + 1))).status).toBe(431);
    expect((await rawExchange(reach(server), request('X-Pad', 64 * 1024))).status).toBe(200);
    expect((await rawExchange(reach(server), request('Authorization', 100_000))).status).toBe(200);
  });

  test('rejects a request target of more than 64 KiB', async () => {
    const request = (size: number): string =>
      `GET /livez?${'a'.repeat(size)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await rawExchange(reach(server), request(64 * 1024))).status).toBe(414);
    expect((await rawExchange(reach(server), request(60_000))).status).toBe(200);
  });

  test('rejects a request without waiting for its body', async () => {
    const answer = await rawExchange(reach(server), post([json], '{', 1_000_000_000));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('connection')).toEqual(['close']);
  });

  test.each([
    ['announced', post([alice, json], ' '.repeat(3_145_729))],
    [
      'in chunks',
      `${head}Transfer-Encoding: chunked\r\n\r\n300001\r\n${' '.repeat(3_145_729)}\r\n0\r\n\r\n`,
    ],
  ])('returns a 413 for a body above three mebibytes, %s', async (_name, request) => {
    const answer = await rawExchange(reach(server), request);
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('Request entity too large: limit is 3145728');
  });

  test('grants Expect: 100-continue only after authorization', async () => {
    const expectation = 'Expect: 100-continue';
    const refused = await rawExchange(reach(server), post([json, expectation], ''));
    expect(refused.raw).toMatch(/^HTTP\/1\.1 401 /);
    const close = 'Connection: close';
    const granted = await rawExchange(reach(server), post([alice, json, expectation, close], '{}'));
    expect(granted.raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });
});

describe('HTTP/2', () => {
  const ask = async (server: RunningServer, headers: Record<string, string>) => {
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    const goaway = new Promise<boolean>((resolve) => {
      session.on('goaway', () => resolve(true));
      session.on('close', () => resolve(false));
    });
    const stream = session.request({
      ':method': 'POST',
      ':path': self,
      'content-type': 'application/json',
      ...headers,
    });
    stream.end('{}');
    const [answer] = await once(stream, 'response');
    let body = '';
    for await (const chunk of stream) body += chunk;
    return { session, goaway, body, status: answer[':status'], headers: answer };
  };

  test('keeps the connection of an authenticated caller open', async () => {
    const server = await start();
    const { session, status, body } = await ask(server, { authorization: 'Bearer tok-alice' });
    expect(status).toBe(201);
    expect(JSON.parse(body).status.userInfo.username).toBe('alice');
    expect(session.closed).toBe(false);
    session.destroy();
  });

  test('authenticates each request of a connection by its own fields', async () => {
    const server = await start();
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    const usernameOf = async (fields: Record<string, string>, text = '{}') => {
      const stream = session.request({
        ':method': 'POST',
        ':path': self,
        'content-type': 'application/json',
        'content-length': String(text.length),
        ...fields,
      });
      stream.on('error', () => {});
      stream.end(text);
      let body = '';
      for await (const chunk of stream) body += chunk;
      return body === '' ? undefined : JSON.parse(body).status?.userInfo?.username;
    };
    const alice = { authorization: 'Bearer tok-alice' };
    const monitor = { authorization: 'Bearer tok-monitor' };
    const asAlice = { authorization: 'Bearer tok-admin', 'impersonate-user': 'alice' };
    expect([
      await usernameOf(alice),
      await usernameOf(alice, '{ "kind": "SelfSubjectReview" }'),
      await usernameOf(monitor),
      await usernameOf(asAlice),
      await usernameOf(alice),
    ]).toEqual(['alice', 'alice', 'monitor', 'alice', 'alice']);
    // The length of a body is not part of what equal requests share: it is compared with each body.
    await expect(usernameOf({ ...alice, 'content-length': '3' })).rejects.toThrow();
    session.destroy();
  });

  test.each([
    ['refused', { authorization: 'Bearer zz' }, 401],
    ['anonymous', {}, 403],
  ])('sends GOAWAY after the response to a caller that is %s', async (_name, headers, code) => {
    const server = await start();
    const { goaway, status, headers: answer } = await ask(server, headers);
    expect(status).toBe(code);
    expect(answer['www-authenticate']).toBeUndefined();
    expect(await goaway).toBe(true);
  });

  test('grants Expect: 100-continue after authorization', async () => {
    const server = await start();
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    const stream = session.request({
      ':method': 'POST',
      ':path': self,
      'content-type': 'application/json',
      authorization: 'Bearer tok-alice',
      expect: '100-continue',
    });
    await once(stream, 'continue');
    stream.end('{}');
    const [answer] = await once(stream, 'response');
    expect(answer[':status']).toBe(201);
    session.destroy();
  });

  test('closes the connection of a rejected caller whose body never ends', async () => {
    const server = await start();
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    session.on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': self });
    stream.on('error', () => {});
    const [answer] = await once(stream, 'response');
    expect(answer[':status']).toBe(403);
    stream.resume().write('{');
    if (!session.closed) await once(session, 'close');
    expect(session.closed).toBe(true);
  });

  test('sends warnings as UTF-8 bytes, one field each', async () => {
    const server = await start();
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    const stream = session.request({
      ':method': 'POST',
      ':path': self,
      'content-type': 'application/json',
      authorization: 'Bearer tok-alice',
    });
    stream.end('{"é":1,"b":2}');
    const raw = await new Promise<readonly string[]>((resolve) => {
      stream.on('response', (_headers, _flags, fields: readonly string[]) => resolve(fields));
    });
    const warnings = raw.filter((_value, index) => raw[index - 1] === 'warning');
    const bytes = warnings.map((value) => Buffer.from(value, 'latin1').toString('utf8'));
    expect(bytes).toEqual(['299 - "unknown field \\"é\\""', '299 - "unknown field \\"b\\""']);
    session.destroy();
  });

  test('ends the session after rapid resets, and serves others', async () => {
    const server = await start();
    const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
    session.on('error', () => {});
    const closed = once(session, 'close');
    await once(session, 'connect');
    for (let count = 0; count < 3000 && !session.destroyed; count += 1) {
      const stream = session.request({ ':method': 'POST', ':path': self });
      stream.on('error', () => {});
      stream.close(constants.NGHTTP2_CANCEL);
      if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(
      (await rawExchange(reach(server), post([alice, json, 'Connection: close'], '{}'))).status,
    ).toBe(201);
  });
});

describe('lifecycle of a server', () => {
  test('answers requests in progress, then stops listening', async () => {
    let decide: (decision: Decision) => void = () => {};
    const called = new Promise<void>((resolve) => {
      decide = () => {};
      running.length = 0;
      void startFake({
        decide: () => {
          resolve();
          return new Promise<Decision>((settle) => {
            decide = settle;
          });
        },
      }).then((server) => running.push(server));
    });
    while (running.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [server] = running.splice(0);
    if (server === undefined) throw new Error('no server');
    const answer = rawExchange(reach(server), post([alice, json], '{}'));
    await called;
    const closed = server.close(5000);
    decide({ kind: 'noOpinion' });
    expect((await answer).status).toBe(401);
    await closed;
    expect((await rawExchange(reach(server), post([alice, json], '{}'))).status).toBeUndefined();
  });

  test('closes connections after the grace period', async () => {
    const server = await start();
    const socket = connectTls({
      port: server.port,
      host: '127.0.0.1',
      ca: server.authorityPem ?? '',
    });
    await once(socket, 'secureConnect');
    const ended = once(socket, 'close');
    await server.close(10);
    await ended;
  });

  test('drops a request that waits for authentication for a client without a waiting request', async () => {
    const waiting: ((decision: Decision) => void)[] = [];
    const server = await start({
      settings: {
        waitingLimits: { waitingForAuthentication: 1, waitingForBody: 1, waitingForReview: 1 },
      },
      decide: () => new Promise((resolve) => waiting.push(resolve)),
    });
    const ask = () => rawExchange(reach(server), post([json, 'Connection: close'], '{}'));
    const older = ask();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const newer = ask();
    const refused = await older;
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toEqual(['1']);
    expect(refused.headers.get('content-type')).toEqual(['text/plain; charset=utf-8']);
    expect(refused.body).toBe('Too many requests, please try again later.\n');
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const decide of waiting) decide({ kind: 'noOpinion' });
    expect((await newer).status).toBe(401);
  });

  test('returns a 401 if a module throws', async () => {
    const server = await start({
      decide: () => {
        throw new Error(`fault with ${secret('tok-alice')}`);
      },
    });
    const answer = await rawExchange(reach(server), post([alice, json, 'Connection: close'], '{}'));
    expect(answer.status).toBe(401);
  });

  test('rejects TLS 1.1', async () => {
    const server = await start();
    const tls = {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    const answer = await rawExchange({ ...reach(server), tls }, 'GET /livez HTTP/1.1\r\n\r\n');
    expect(answer.status).toBeUndefined();
  });
});

describe('the serving certificate', () => {
  const { path: folder } = temporaryFolder();
  const certificateFile = join(folder, 'tls.crt');
  const privateKeyFile = join(folder, 'tls.key');
  const now = Date.now();

  const write = (name: string) => {
    const certificate = createSelfSigned({ hosts: [name, 'localhost'], now });
    writeFileSync(certificateFile, certificate.certificatePem);
    writeFileSync(privateKeyFile, certificate.privateKeyPem);
    return certificate;
  };

  test('uses a new pair, and ignores an invalid one', async () => {
    const first = write('one.example');
    const used: string[] = [];
    const log: string[] = [];
    const watch = watchCertificatePair({ certificateFile, privateKeyFile }, first, {
      use: (pair) => used.push(pair.certificatePem),
      log: { event: (_level, message) => log.push(message) },
    });
    await watch.look();
    expect(used).toEqual([]);
    writeFileSync(privateKeyFile, createSelfSigned({ hosts: ['x'], now }).privateKeyPem);
    await watch.look();
    expect(used).toEqual([]);
    writeFileSync(certificateFile, 'no certificate');
    await watch.look();
    expect(used).toEqual([]);
    expect(log).toContain('serving certificate not reloaded');
    const second = write('two.example');
    await watch.look();
    expect(used).toEqual([second.certificatePem]);
    await watch.close();
  });

  test('logs an unusable pair once, and again after the next change', async () => {
    const first = write('one.example');
    const events: string[] = [];
    const watch = watchCertificatePair({ certificateFile, privateKeyFile }, first, {
      use: () => {},
      log: { event: (level, message) => events.push(`${level} ${message}`) },
    });
    const warning = 'warn serving certificate not reloaded';
    for (const broken of ['no key', 'no key either']) {
      events.length = 0;
      writeFileSync(privateKeyFile, broken);
      await watch.look();
      await watch.look();
      await watch.look();
      expect(events).toEqual([warning]);
    }
    rmSync(privateKeyFile);
    await watch.look();
    await watch.look();
    expect(events).toEqual([warning, warning]);
    writeFileSync(privateKeyFile, first.privateKeyPem);
    await watch.look();
    writeFileSync(privateKeyFile, 'no key either');
    await watch.look();
    expect(events).toEqual([warning, warning, warning]);
    await watch.close();
  });

  test('uses a new pair for new connections', async () => {
    const first = write('one.example');
    const options = { tlsCertFile: certificateFile, tlsPrivateKeyFile: privateKeyFile };
    const server = await start({ options });
    const served = async (): Promise<string> => {
      const socket = connectTls({
        port: server.port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      return raw.toString('base64');
    };
    const leaf = (pem: string): string => new X509Certificate(pem).raw.toString('base64');
    expect(await served()).toBe(leaf(first.certificatePem));
    const second = write('two.example');
    let seen = await served();
    while (seen === leaf(first.certificatePem)) seen = await served();
    expect(seen).toBe(leaf(second.certificatePem));
  });

  test('does not start with files that do not match', async () => {
    write('one.example');
    writeFileSync(privateKeyFile, createSelfSigned({ hosts: ['x'], now }).privateKeyPem);
    const options = { tlsCertFile: certificateFile, tlsPrivateKeyFile: privateKeyFile };
    await expect(startFake({ options })).rejects.toThrow(
      'tls: private key does not match public key',
    );
  });

  test('covers the listener with a certificate that is created at startup', async () => {
    const server = await start();
    const socket = connectTls({
      port: server.port,
      host: '127.0.0.1',
      ca: server.authorityPem ?? '',
    });
    await once(socket, 'secureConnect');
    const certificate: PeerCertificate = socket.getPeerCertificate();
    expect(socket.authorized).toBe(true);
    expect(certificate.subjectaltname).toBe('DNS:localhost, IP Address:127.0.0.1');
    socket.destroy();
  });

  test('ignores an unknown client certificate', async () => {
    const server = await start();
    const stranger = issueCertificate({
      commonName: 'alice',
      organizations: ['system:masters'],
      role: 'client',
      notBefore: now - 1000,
      notAfter: now + 3_600_000,
    });
    const tls = { cert: stranger.certificatePem, key: stranger.privateKeyPem };
    const answer = await rawExchange(
      { ...reach(server), tls },
      post([alice, json, 'Connection: close'], '{}'),
    );
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body).status.userInfo.groups).not.toContain('system:masters');
  });
});
