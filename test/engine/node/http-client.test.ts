/**
 * The HTTP client against real sockets that hang, reset, send malformed responses, flood and
 * trickle.
 */
import { createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type NodeHttpClient, nodeHttpClient } from '../../../engine/src/node/http-client.ts';
import { testAuthority } from '../../support/certificates.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

const authority = testAuthority();
const good = authority.issue();

/** Responds to a request whose header block has been read. */
type RequestHandler = (socket: Socket, request: string) => void;

const listen = async (server: Server): Promise<number> => {
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return port;
};

const tlsServer = (
  handle: RequestHandler,
  options: TlsOptions = { cert: good.pem, key: good.keyPem },
) => {
  const server = createServer(options, (socket) => {
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('\r\n\r\n')) return;
      const request = text;
      text = '';
      handle(socket, request);
    });
  });
  return listen(server);
};

const plainServer = (onSocket: (socket: Socket) => void) => listen(createPlainServer(onSocket));

const client = (options = {}): NodeHttpClient => {
  const created = nodeHttpClient({ connectTimeoutMs: 15_000, ...options });
  onTestFinished(() => created.close());
  return created;
};

const send = (
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

const failureOf = async (pending: Promise<unknown>): Promise<string> => {
  const outcome = await pending.then(
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

describe('responses', () => {
  test('returns status, headers and body', async () => {
    const port = await tlsServer((socket) => {
      socket.write(answer('{"keys":[]}', 'Cache-Control: max-age=300\r\nX: 1\r\nX: 2\r\n'));
    });
    const response = await send(`https://localhost:${port}/jwks`);
    expect(response.status).toBe(200);
    expect(response.statusText).toBe('200 OK');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('x')).toBe('1');
    expect(Buffer.from(response.body).toString()).toBe('{"keys":[]}');
  });

  test('sends the headers of the request', async () => {
    let seen = '';
    const port = await tlsServer((socket, request) => {
      seen = request;
      socket.write(answer('x'));
    });
    await send(`https://localhost:${port}/a?b=c`, {
      headers: new Map([['authorization', 'Bearer t']]),
    });
    expect(seen).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\n/);
    expect(seen).toContain('authorization: Bearer t\r\n');
    expect(seen).toContain('accept-encoding: gzip\r\n');
  });

  test('decompresses a body', async () => {
    const port = await tlsServer((socket) => {
      socket.write(answer(gzipSync('{"a":1}'), 'content-encoding: gzip\r\n'));
    });
    const response = await send(`https://localhost:${port}/`);
    expect(Buffer.from(response.body).toString()).toBe('{"a":1}');
    expect(response.headers.has('content-encoding')).toBe(false);
  });

  test('returns a status other than 200 with its reason phrase', async () => {
    const port = await tlsServer((socket) => {
      socket.write('HTTP/1.1 503 Gone Fishing\r\ncontent-length: 0\r\n\r\n');
    });
    const { status, statusText } = await send(`https://localhost:${port}/`);
    expect([status, statusText]).toEqual([503, '503 Gone Fishing']);
  });

  test('trusts only the roots of the request', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const url = `https://localhost:${port}/`;
    const other = testAuthority('another');
    const unknown = `tls: failed to verify certificate: x509: certificate signed by unknown authority`;
    expect(await failureOf(send(url, { certificateAuthority: other.pem }))).toBe(unknown);
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

  test('accepts the server certificate itself as the root', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const response = await send(`https://localhost:${port}/`, { certificateAuthority: good.pem });
    expect(response.status).toBe(200);
  });

  test('follows redirects, and sends credentials only to their host', async () => {
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
    const response = await send(`https://localhost:${port}/a`, {
      headers: new Map([['authorization', 'Bearer t']]),
    });
    expect(Buffer.from(response.body).toString()).toBe('there');
    expect(seen.map((request) => request.includes('Bearer t'))).toEqual([true, true, false]);
  });
});

describe('limits', () => {
  const endless =
    (headerBlock: string, chunk: Buffer): RequestHandler =>
    (socket) => {
      socket.write(headerBlock);
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pump);
      pump();
    };

  test('cuts off a body of 100 MB', async () => {
    const port = await tlsServer(
      endless('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n', Buffer.alloc(65_536)),
    );
    const url = `https://localhost:${port}/`;
    expect(await failureOf(send(url))).toBe(
      `unable to read response body: response body is larger than 1048576 bytes`,
    );
  });

  test('cuts off an endless chunked body', async () => {
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const port = await tlsServer(
      endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', chunk),
    );
    expect(await failureOf(send(`https://localhost:${port}/`))).toMatch(
      /larger than 1048576 bytes$/,
    );
  });

  test('cuts off a small body that decompresses to 200 MB, without using the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const port = await tlsServer((socket) => {
      socket.write(answer(bomb, 'content-encoding: gzip\r\n'));
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await failureOf(send(`https://localhost:${port}/`))).toMatch(
      /larger than 1048576 bytes$/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  test('accepts a body of exactly the maximum size', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x'.repeat(10))));
    const url = `https://localhost:${port}/`;
    expect((await send(url, { maxBytes: 10 })).body.length).toBe(10);
    expect(await failureOf(send(url, { maxBytes: 9 }))).toMatch(/larger than 9 bytes$/);
  });

  test('reaches the deadline with one byte at a time', async () => {
    const port = await tlsServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const url = `https://localhost:${port}/`;
    expect(await failureOf(send(url, { timeoutMs: 1_500 }))).toBe(
      `unable to read response body: context deadline exceeded (Client.Timeout or context cancellation while reading body)`,
    );
  });

  test('reaches the deadline without a response', async () => {
    const port = await tlsServer(() => {});
    const url = `https://localhost:${port}/`;
    expect(await failureOf(send(url, { timeoutMs: 200 }))).toBe(
      `context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
  });

  test('lets the caller abort', async () => {
    const controller = new AbortController();
    const port = await tlsServer(() => controller.abort());
    const url = `https://localhost:${port}/`;
    expect(await failureOf(send(url, { signal: controller.signal }))).toBe(`context canceled`);
  });

  test('ends a handshake without progress before the deadline', async () => {
    const port = await plainServer(() => {});
    const url = `https://localhost:${port}/`;
    const hasty = client({ connectTimeoutMs: 300 });
    expect(await failureOf(send(url, { timeoutMs: 60_000 }, hasty))).toBe(
      `dial tcp localhost:${port}: i/o timeout`,
    );
  });

  test('rejects too many headers', async () => {
    const port = await tlsServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300 * 1024)}\r\n\r\n`);
    });
    expect(await failureOf(send(`https://localhost:${port}/`))).toMatch(/headers are too large$/);
  });
});

describe('invalid redirects', () => {
  const to = (location: string) =>
    tlsServer((socket) => {
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
    });

  test('ends a loop after three redirects', async () => {
    const port = await to('/again');
    expect(await failureOf(send(`https://localhost:${port}/`))).toBe(
      `Get "https://localhost:${port}/again": stopped after 3 redirects`,
    );
  });

  test.each([
    ['http://localhost/keys', 'unsupported protocol scheme "http"'],
    ['file:///etc/passwd', 'unsupported protocol scheme "file"'],
    ['data:text/plain,x', 'unsupported protocol scheme "data"'],
  ])('%s is not followed', async (location, reason) => {
    const port = await to(location);
    expect(await failureOf(send(`https://localhost:${port}/`))).toBe(
      `Get "${location}": ${reason}`,
    );
  });

  test('reports a location that is not a URL', async () => {
    const port = await to('https://[broken');
    expect(await failureOf(send(`https://localhost:${port}/`))).toMatch(/invalid URL$/);
  });
});

describe('failing connections', () => {
  const check = async (port: number, reason: string | RegExp, host = 'localhost') => {
    const url = `https://${host}:${port}/`;
    const message = await failureOf(send(url));
    if (typeof reason === 'string') expect(message).toBe(reason);
    else expect(message).toMatch(reason);
  };

  test('never uses plain HTTP', async () => {
    expect(await failureOf(send('http://localhost/'))).toBe('unsupported protocol scheme "http"');
  });

  test('reports a closed port', async () => {
    const { port, close } = await listenOnLoopback(createPlainServer());
    await close();
    await check(port, /^dial tcp .*: connect: connection refused$/);
  });

  test('reports an unknown host', async () => {
    expect(await failureOf(send('https://nowhere.invalid/'))).toMatch(
      /^dial tcp: lookup nowhere\.invalid: (?:no such host|server misbehaving)$/,
    );
  });

  test('reports a reset before the response', async () => {
    const port = await tlsServer((socket) => socket.destroy());
    await check(port, /^(?:EOF|read: connection reset by peer)$/);
  });

  test('reports a reset in the middle of the body', async () => {
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

  test('reports a body that ends early', async () => {
    const port = await tlsServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"keys":');
    });
    await check(port, 'unable to read response body: unexpected EOF');
  });

  test('reports a truncated or malformed compressed body', async () => {
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

  test('reports a response that is not HTTP', async () => {
    const port = await tlsServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await check(port, 'net/http: HTTP/1.x transport connection broken: malformed HTTP response');
  });

  test('reports a plain HTTP server', async () => {
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

  test('reports a certificate for another name', async () => {
    const port = await withCertificate({ names: ['a.example', 'b.example'] });
    await check(port, `${refused}certificate is valid for a.example, b.example, not localhost`);
  });

  test('reports a certificate for another address', async () => {
    const other = await withCertificate({ addresses: ['127.0.0.2'] });
    await check(other, `${refused}certificate is valid for 127.0.0.2, not 127.0.0.1`, '127.0.0.1');
    const none = await withCertificate({ addresses: [] });
    await check(
      none,
      `${refused}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
      '127.0.0.1',
    );
  });

  test('reports a certificate with only a common name', async () => {
    const port = await withCertificate({ names: [], addresses: [] });
    await check(port, `${refused}certificate relies on legacy Common Name field, use SANs instead`);
  });

  test('reports certificates that are expired or not yet valid', async () => {
    const expired = await withCertificate({ notBeforeSeconds: -7200, notAfterSeconds: -3600 });
    await check(expired, `${refused}certificate has expired or is not yet valid`);
    const early = await withCertificate({ notBeforeSeconds: 3600, notAfterSeconds: 7200 });
    await check(early, `${refused}certificate has expired or is not yet valid`);
  });

  test('reports a root that is not a certificate', async () => {
    const port = await tlsServer((socket) => socket.write(answer('x')));
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(
      await failureOf(send(`https://localhost:${port}/`, { certificateAuthority: broken })),
    ).toBe(`tls: failed to verify certificate: x509: certificate signed by unknown authority`);
  });

  test('prints no password and no header in errors', async () => {
    const port = await tlsServer((socket) => {
      const to = 'https://user:hunter2@localhost:1/';
      socket.write(`HTTP/1.1 302 Found\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`);
    });
    const headers = new Map([['authorization', 'Bearer t0p']]);
    const message = await failureOf(send(`https://localhost:${port}/`, { headers }));
    expect(message).toMatch(/^Get "https:\/\/user:\*\*\*@localhost:1\/": dial tcp /);
    expect(message).not.toContain('t0p');
  });
});
