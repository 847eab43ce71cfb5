/** The HTTP client against real sockets that hang, reset, lie, flood and trickle. */
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type NodeHttpClient, nodeHttpClient } from '../../../engine/src/node/http-client.ts';
import { testAuthority } from '../../support/certificates.ts';

const authority = testAuthority();
const good = authority.issue();
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** What a connection does once it is there; the request's text has not been read. */
type Behaviour = (socket: Socket, request: string) => void;

const listen = async (server: Server, sockets: Set<Socket>): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const tlsServer = (
  behaviour: Behaviour,
  options: TlsOptions = { cert: good.pem, key: good.keyPem },
) => {
  const sockets = new Set<Socket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('\r\n\r\n')) return;
      const request = text;
      text = '';
      behaviour(socket, request);
    });
  });
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => sockets.add(socket));
  return listen(server, sockets);
};

const plainServer = (onSocket: (socket: Socket) => void) => {
  const sockets = new Set<Socket>();
  const server = createPlainServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  return listen(server, sockets);
};

const client = (options = {}): NodeHttpClient => {
  const made = nodeHttpClient({ connectTimeoutMs: 15_000, ...options });
  closers.push(() => made.close());
  return made;
};

const ask = (
  url: string,
  more: Partial<Parameters<NodeHttpClient['get']>[0]> = {},
  from = client(),
) =>
  from.get({
    url,
    certificateAuthority: authority.pem,
    timeoutMs: 15_000,
    maxBytes: 1_024 * 1_024,
    ...more,
  });

const failureOf = async (asked: Promise<unknown>): Promise<string> => {
  const outcome = await asked.then(
    () => 'no failure',
    (cause: unknown) => cause,
  );
  return outcome instanceof Error ? outcome.message : String(outcome);
};

const answer = (body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`),
    Buffer.from(body),
  ]);

describe('answers', () => {
  test('status, headers and body come through', async () => {
    const port = await tlsServer((socket) => {
      socket.write(answer('{"keys":[]}', 'Cache-Control: max-age=300\r\nX: 1\r\nX: 2\r\n'));
    });
    const response = await ask(`https://localhost:${port}/jwks`);
    expect(response.status).toBe(200);
    expect(response.statusText).toBe('200 OK');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('x')).toBe('1');
    expect(Buffer.from(response.body).toString()).toBe('{"keys":[]}');
  });

  test('the request carries the headers asked for', async () => {
    let seen = '';
    const port = await tlsServer((socket, request) => {
      seen = request;
      socket.write(answer('x'));
    });
    await ask(`https://localhost:${port}/a?b=c`, {
      headers: new Map([['authorization', 'Bearer t']]),
    });
    expect(seen).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\n/);
    expect(seen).toContain('authorization: Bearer t\r\n');
    expect(seen).toContain('accept-encoding: gzip\r\n');
  });

  test('a packed body is unpacked', async () => {
    const port = await tlsServer((socket) => {
      socket.write(answer(gzipSync('{"a":1}'), 'content-encoding: gzip\r\n'));
    });
    const response = await ask(`https://localhost:${port}/`);
    expect(Buffer.from(response.body).toString()).toBe('{"a":1}');
    expect(response.headers.has('content-encoding')).toBe(false);
  });

  test('a status other than 200 is an answer, with its words', async () => {
    const port = await tlsServer((socket) => {
      socket.write('HTTP/1.1 503 Gone Fishing\r\ncontent-length: 0\r\n\r\n');
    });
    const { status, statusText } = await ask(`https://localhost:${port}/`);
    expect([status, statusText]).toEqual([503, '503 Gone Fishing']);
  });

  test('the given roots count and no others', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const url = `https://localhost:${port}/`;
    const other = testAuthority('another');
    const unknown = `tls: failed to verify certificate: x509: certificate signed by unknown authority`;
    expect(await failureOf(ask(url, { certificateAuthority: other.pem }))).toBe(unknown);
    const system = client();
    const { certificateAuthority: _, ...request } = {
      url,
      certificateAuthority: '',
      timeoutMs: 15_000,
      maxBytes: 100,
    };
    expect(await failureOf(system.get(request))).toBe(unknown);
    const trusting = client({ extraRoots: [authority.pem] });
    expect((await trusting.get(request)).status).toBe(200);
  });

  test('the certificate of the server itself may be the root', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const response = await ask(`https://localhost:${port}/`, { certificateAuthority: good.pem });
    expect(response.status).toBe(200);
  });

  test('redirects are followed; credentials stay with their host', async () => {
    const seen: string[] = [];
    const target = await tlsServer((socket, request) => {
      seen.push(request);
      socket.write(answer('there'));
    });
    const port = await tlsServer((socket, request) => {
      seen.push(request);
      const to = request.startsWith('GET /a ') ? '/b' : `https://localhost:${target}/c`;
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`);
    });
    const response = await ask(`https://localhost:${port}/a`, {
      headers: new Map([['authorization', 'Bearer t']]),
    });
    expect(Buffer.from(response.body).toString()).toBe('there');
    expect(seen.map((request) => request.includes('Bearer t'))).toEqual([true, true, false]);
  });
});

describe('bounds', () => {
  const endless =
    (head: string, chunk: Buffer): Behaviour =>
    (socket) => {
      socket.write(head);
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pump);
      pump();
    };

  test('a body of 100 MB is cut off', async () => {
    const port = await tlsServer(
      endless('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n', Buffer.alloc(65_536)),
    );
    const url = `https://localhost:${port}/`;
    expect(await failureOf(ask(url))).toBe(
      `unable to read response body: response body is larger than 1048576 bytes`,
    );
  });

  test('an endless chunked body is cut off', async () => {
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const port = await tlsServer(
      endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', chunk),
    );
    expect(await failureOf(ask(`https://localhost:${port}/`))).toMatch(
      /larger than 1048576 bytes$/,
    );
  });

  test('a small text that unpacks to 200 MB is cut off, and does not take the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const port = await tlsServer((socket) => {
      socket.write(answer(bomb, 'content-encoding: gzip\r\n'));
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await failureOf(ask(`https://localhost:${port}/`))).toMatch(
      /larger than 1048576 bytes$/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  test('exactly the bound is not too large', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x'.repeat(10))));
    const url = `https://localhost:${port}/`;
    expect((await ask(url, { maxBytes: 10 })).body.length).toBe(10);
    expect(await failureOf(ask(url, { maxBytes: 9 }))).toMatch(/larger than 9 bytes$/);
  });

  test('one byte at a time runs into the deadline', async () => {
    const port = await tlsServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const url = `https://localhost:${port}/`;
    expect(await failureOf(ask(url, { timeoutMs: 1_500 }))).toBe(
      `unable to read response body: context deadline exceeded (Client.Timeout or context cancellation while reading body)`,
    );
  });

  test('no answer runs into the deadline', async () => {
    const port = await tlsServer(() => {});
    const url = `https://localhost:${port}/`;
    expect(await failureOf(ask(url, { timeoutMs: 200 }))).toBe(
      `context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
  });

  test('who asked may give up', async () => {
    const controller = new AbortController();
    const port = await tlsServer(() => controller.abort());
    const url = `https://localhost:${port}/`;
    expect(await failureOf(ask(url, { signal: controller.signal }))).toBe(`context canceled`);
  });

  test('a handshake that never comes ends sooner than the deadline', async () => {
    const port = await plainServer(() => {});
    const url = `https://localhost:${port}/`;
    const hasty = client({ connectTimeoutMs: 300 });
    expect(await failureOf(ask(url, { timeoutMs: 60_000 }, hasty))).toBe(
      `dial tcp localhost:${port}: i/o timeout`,
    );
  });

  test('too many headers are refused', async () => {
    const port = await tlsServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300 * 1024)}\r\n\r\n`);
    });
    expect(await failureOf(ask(`https://localhost:${port}/`))).toMatch(/headers are too large$/);
  });
});

describe('redirects that go nowhere', () => {
  const to = (location: string) =>
    tlsServer((socket) => {
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
    });

  test('a loop ends after three', async () => {
    const port = await to('/again');
    expect(await failureOf(ask(`https://localhost:${port}/`))).toBe(
      `Get "https://localhost:${port}/again": stopped after 3 redirects`,
    );
  });

  test.each([
    ['http://localhost/keys', 'unsupported protocol scheme "http"'],
    ['file:///etc/passwd', 'unsupported protocol scheme "file"'],
    ['data:text/plain,x', 'unsupported protocol scheme "data"'],
  ])('%s is not followed', async (location, reason) => {
    const port = await to(location);
    expect(await failureOf(ask(`https://localhost:${port}/`))).toBe(`Get "${location}": ${reason}`);
  });

  test('a place that is no URL is said', async () => {
    const port = await to('https://[broken');
    expect(await failureOf(ask(`https://localhost:${port}/`))).toMatch(/invalid URL$/);
  });
});

describe('connections that fail', () => {
  const check = async (port: number, reason: string | RegExp, host = 'localhost') => {
    const url = `https://${host}:${port}/`;
    const message = await failureOf(ask(url));
    if (typeof reason === 'string') expect(message).toBe(reason);
    else expect(message).toMatch(reason);
  };

  test('plain HTTP is never spoken', async () => {
    expect(await failureOf(ask('http://localhost/'))).toBe('unsupported protocol scheme "http"');
  });

  test('nobody listens', async () => {
    const port = await plainServer(() => {});
    await Promise.all(closers.splice(0).map((close) => close()));
    await check(port, /^dial tcp .*: connect: connection refused$/);
  });

  test('a name that is none', async () => {
    expect(await failureOf(ask('https://nowhere.invalid/'))).toMatch(
      /^dial tcp: lookup nowhere\.invalid: (?:no such host|server misbehaving)$/,
    );
  });

  test('a reset before the answer', async () => {
    const port = await tlsServer((socket) => socket.destroy());
    await check(port, /^(?:EOF|read: connection reset by peer)$/);
  });

  test('a reset in the middle of the body', async () => {
    const port = await tlsServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"keys":', () =>
        socket.destroy(),
      );
    });
    await check(
      port,
      /unable to read response body: (?:unexpected EOF|read: connection reset by peer)$/,
    );
  });

  test('a body that ends early', async () => {
    const port = await tlsServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"keys":');
    });
    await check(port, 'unable to read response body: unexpected EOF');
  });

  test('a packed body that ends early or is none', async () => {
    const whole = gzipSync('{"keys":[]}'.repeat(100));
    const cut = await tlsServer((socket) => {
      socket.write(answer(whole.subarray(0, whole.length - 12), 'content-encoding: gzip\r\n'));
    });
    await check(cut, 'unable to read response body: unexpected EOF');
    const none = await tlsServer((socket) => {
      socket.write(answer('{"keys":[]}', 'content-encoding: gzip\r\n'));
    });
    await check(none, 'unable to read response body: gzip: invalid header or checksum');
  });

  test('an answer that is no HTTP', async () => {
    const port = await tlsServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await check(port, 'net/http: HTTP/1.x transport connection broken: malformed HTTP response');
  });

  test('a plain server on the port', async () => {
    const port = await plainServer((socket) => {
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await check(port, 'http: server gave HTTP response to HTTPS client');
  });

  const withCertificate = (spec: Parameters<typeof authority.issue>[0]) => {
    const certificate = authority.issue(spec);
    return tlsServer((socket) => socket.write(answer('x')), {
      cert: certificate.pem,
      key: certificate.keyPem,
    });
  };
  const refused = 'tls: failed to verify certificate: x509: ';

  test('a certificate for another name', async () => {
    const port = await withCertificate({ names: ['a.example', 'b.example'] });
    await check(port, `${refused}certificate is valid for a.example, b.example, not localhost`);
  });

  test('a certificate for another address', async () => {
    const other = await withCertificate({ addresses: ['127.0.0.2'] });
    await check(other, `${refused}certificate is valid for 127.0.0.2, not 127.0.0.1`, '127.0.0.1');
    const none = await withCertificate({ addresses: [] });
    await check(
      none,
      `${refused}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
      '127.0.0.1',
    );
  });

  test('a certificate with a common name alone', async () => {
    const port = await withCertificate({ names: [], addresses: [] });
    await check(port, `${refused}certificate relies on legacy Common Name field, use SANs instead`);
  });

  test('a certificate that was, and one that is to be', async () => {
    const expired = await withCertificate({ notBeforeSeconds: -7200, notAfterSeconds: -3600 });
    await check(expired, `${refused}certificate has expired or is not yet valid`);
    const early = await withCertificate({ notBeforeSeconds: 3600, notAfterSeconds: 7200 });
    await check(early, `${refused}certificate has expired or is not yet valid`);
  });

  test('a root that is no certificate', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(
      await failureOf(ask(`https://localhost:${port}/`, { certificateAuthority: broken })),
    ).toBe(`tls: failed to verify certificate: x509: certificate signed by unknown authority`);
  });

  test('no failure names a password or a header', async () => {
    const port = await tlsServer((socket) => {
      const to = 'https://user:hunter2@localhost:1/';
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`);
    });
    const headers = new Map([['authorization', 'Bearer t0p']]);
    const message = await failureOf(ask(`https://localhost:${port}/`, { headers }));
    expect(message).toMatch(/^Get "https:\/\/user:\*\*\*@localhost:1\/": dial tcp /);
    expect(message).not.toContain('t0p');
  });
});
