/** A flood in a process of its own. It reports the statuses of its responses on request. */
import { connect, type TLSSocket } from 'node:tls';
import { flags, frame, frameTypes, preface, settingsFrame } from '../../support/http2-frames.ts';
import type { Flood, FloodKind } from './flood-messages.ts';

const counts = new Map<string, number>();
const count = (status: string, by = 1): void => {
  counts.set(status, (counts.get(status) ?? 0) + by);
};
process.on('message', () => process.send?.(Object.fromEntries(counts)));
process.on('disconnect', () => process.exit());

const text = (value: string): Buffer => {
  const { length } = value;
  const size = length < 127 ? [length] : [127, ((length - 127) % 128) | 128, (length - 127) >> 7];
  return Buffer.concat([Buffer.from(size), Buffer.from(value)]);
};
const headerBlock = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );

interface Shape {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: string;
  /** The body is announced and never sent. */
  readonly withholds?: true;
}

const requestFrames = (stream: number, { method, path, token, body, withholds }: Shape): Buffer => {
  const payload = headerBlock({
    ':method': method,
    ':scheme': 'https',
    ':authority': 'localhost',
    ':path': path,
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });
  const isWhole = body === undefined;
  const bits = flags.endHeaders | (isWhole ? flags.endStream : 0);
  const head = frame(frameTypes.headers, { flags: bits, stream, payload });
  if (isWhole || withholds === true) return head;
  const data = frame(frameTypes.data, {
    flags: flags.endStream,
    stream,
    payload: Buffer.from(body),
  });
  return Buffer.concat([head, data]);
};

const statusOf = (payload: Buffer): string => {
  const [first = 0] = payload;
  const indexed: ReadonlyMap<number, string> = new Map([
    [0x88, '200'],
    [0x89, '204'],
    [0x8a, '206'],
    [0x8b, '304'],
    [0x8c, '400'],
    [0x8d, '404'],
    [0x8e, '500'],
  ]);
  const known = indexed.get(first);
  if (known !== undefined) return known;
  return (
    /\b[1-5]\d\d/.exec(payload.subarray(0, 12).toString('latin1'))?.[0] ??
    `head ${first.toString(16)}`
  );
};

/** Keeps `concurrency` requests open on a connection, and opens another one when it ends. */
const floodHttp2 = (port: number, concurrency: number, shapeOf: () => Shape): void => {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  let stream = 1;
  let rest: Buffer = Buffer.alloc(0);
  let open = 0;
  const fill = (): void => {
    const parts: Buffer[] = [];
    for (; open < concurrency; open += 1) {
      parts.push(requestFrames(stream, shapeOf()));
      stream += 2;
    }
    if (parts.length > 0) socket.write(Buffer.concat(parts));
  };
  socket.on('secureConnect', () => {
    socket.write(
      Buffer.concat([
        preface,
        settingsFrame([[4, 0x7fffffff]]),
        frame(frameTypes.windowUpdate, { payload: Buffer.from([0x7f, 0xff, 0, 0]) }),
      ]),
    );
    fill();
  });
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 9) {
      const length = rest.readUIntBE(at, 3);
      if (rest.length - at < 9 + length) break;
      const type = rest[at + 3];
      const bits = rest[at + 4] ?? 0;
      const payload = rest.subarray(at + 9, at + 9 + length);
      at += 9 + length;
      if (type === frameTypes.headers) count(statusOf(payload));
      if (type === frameTypes.rstStream) count('reset');
      if (type === frameTypes.goaway) count('goaway');
      if (type === frameTypes.settings && (bits & flags.ack) === 0)
        socket.write(frame(frameTypes.settings, { flags: flags.ack }));
      if (type === frameTypes.ping && (bits & flags.ack) === 0)
        socket.write(frame(frameTypes.ping, { flags: flags.ack, payload }));
      const ends =
        (type === frameTypes.headers || type === frameTypes.data) && (bits & flags.endStream) !== 0;
      if (ends || type === frameTypes.rstStream) open -= 1;
    }
    rest = rest.subarray(at);
    fill();
  });
  reopen(socket, () => floodHttp2(port, concurrency, shapeOf));
};

const reopen = (socket: TLSSocket, again: () => void): void => {
  socket.on('error', () => count('broken'));
  socket.on('close', () => setImmediate(again));
};

/** HTTP/1.1 with several requests in one write, again when all are answered. */
const floodHttp1 = (port: number, pipelined: number, head: () => string): void => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  let open = 0;
  const fill = (): void => {
    open = pipelined;
    socket.write(Array.from({ length: pipelined }, head).join(''));
  };
  socket.on('secureConnect', fill);
  socket.on('data', (chunk: Buffer) => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      count(status);
      open -= 1;
    }
    if (open <= 0) fill();
  });
  reopen(socket, () => floodHttp1(port, pipelined, head));
};

const floodHandshakes = (port: number): void => {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  socket.on('secureConnect', () => {
    count('handshake');
    socket.destroy();
  });
  reopen(socket, () => floodHandshakes(port));
};

const review = '/apis/authentication.k8s.io/v1/tokenreviews';
const selfReview = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const roleWatch = '/apis/rbac.authorization.k8s.io/v1/clusterroles?watch=1&resourceVersion=0';
let number = 0;
const unique = (): string => {
  number += 1;
  return `${process.pid}-${number}`;
};

/** A request that creates an object with a new name. */
const creation = (token: string, path: string, object: object, metadata: object = {}): Shape => {
  const name = `flood-${unique()}`;
  const body = JSON.stringify({ ...object, metadata: { name, ...metadata } });
  return { method: 'POST', path, token, body };
};

/** Replaces the key ID of a token by an unknown one. */
const forged = (token: string): string => {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: unique() })).toString('base64url');
  const [, payload = ''] = token.split('.');
  return `${header}.${payload}.${Buffer.alloc(64, 7).toString('base64url')}`;
};

type Http2Kind = Exclude<FloodKind, 'handshakes' | 'bad tokens'>;

const shapes: Readonly<Record<Http2Kind, (token: string) => () => Shape>> = {
  'bodies that never come': (token) => () => ({
    method: 'POST',
    path: selfReview,
    token,
    body: '{}',
    withholds: true,
  }),
  'cached reviews': (token) => {
    const spec = { token };
    const body = JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec,
    });
    return () => ({ method: 'POST', path: review, token, body });
  },
  watches: (token) => () => ({ method: 'GET', path: roleWatch, token }),
  'new namespaces': (token) => () =>
    creation(token, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace' }),
  'new role bindings': (token) => () =>
    creation(token, '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'unused' }],
    }),
  'new token Secrets': (token) => () =>
    creation(
      token,
      '/api/v1/namespaces/default/secrets',
      { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/service-account-token' },
      { annotations: { 'kubernetes.io/service-account.name': 'default' } },
    ),
  'forged tokens': (token) => () => ({
    method: 'POST',
    path: selfReview,
    token: forged(token),
    body: '{}',
  }),
};

const badTokenRequest = (): string =>
  [
    `POST ${selfReview} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer bad-${unique()}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');

const begin = ({ kind, port, token }: Flood): void => {
  if (kind === 'handshakes') floodHandshakes(port);
  else if (kind === 'bad tokens') floodHttp1(port, 20, badTokenRequest);
  else floodHttp2(port, 100, shapes[kind](token));
};

const flood: Flood = JSON.parse(process.argv[2] ?? '{}');
for (let opened = 0; opened < flood.connections; opened += 1) begin(flood);
