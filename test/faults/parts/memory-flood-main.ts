/**
 * Floods a server with requests that need memory, for some seconds: each lane opens a connection,
 * sends its part, holds the connection until the server closes it or the time is over, and starts
 * again.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type Field, hpackReader } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  flags,
  frame,
  frameTypes,
  headerBlock,
  preface,
  prefixed,
  requestFields,
  settingIds,
  settingsFrame,
} from '../../support/http2-frames.ts';
import { reviewPath } from './ask.ts';
import type { FloodKind, FromFlood, Tally, ToFlood } from './memory-flood-messages.ts';

const say = (message: FromFlood): void => {
  process.send?.(message);
};

const tally = { opened: 0, closed: 0, bytes: 0, answers: new Map<string, number>() };
const count = (answer: string): void => {
  tally.answers.set(answer, (tally.answers.get(answer) ?? 0) + 1);
};

interface Flooding {
  readonly port: number;
  readonly token: string;
  readonly until: number;
}

/** The work of a lane on each of its connections. */
interface Lane {
  readonly lanes: number;
  /** `tcp` opens no TLS. */
  readonly protocol: 'tcp' | 'h1' | 'h2';
  /** The maximum time that a connection is held. */
  readonly holdMs: number;
  readonly send: (socket: Socket, flooding: Flooding) => Promise<void> | void;
}

const write = async (socket: Socket, bytes: string | Uint8Array): Promise<void> => {
  if (socket.destroyed) return;
  tally.bytes += bytes.length;
  if (socket.write(bytes)) return;
  await untilSocket(socket, 'drain', 2_000);
};

/** Waits for the event, the end of the connection, or the end of the time. */
const untilSocket = async (socket: Socket, event: string, milliseconds: number): Promise<void> => {
  const listening = new AbortController();
  const { signal } = listening;
  const waits = [
    once(socket, event, { signal }),
    once(socket, 'close', { signal }),
    pause(milliseconds, undefined, { signal }),
  ];
  await Promise.race(waits).catch(() => undefined);
  listening.abort();
  await Promise.allSettled(waits);
};

const headOf = (method: string, path: string, fields: readonly Field[] = []): Buffer =>
  headerBlock(requestFields({ method, path, fields }));

const framePayload = 16_384;

/** A header block of any length; `isEnded: false` leaves it unfinished. */
const headFrames = (stream: number, bytes: Buffer, { isEnded = true, isWhole = true } = {}) => {
  const frames: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += framePayload) {
    const payload = bytes.subarray(start, start + framePayload);
    const isLast = isEnded && start + payload.length === bytes.length;
    const bits = (isLast ? flags.endHeaders : 0) | (start === 0 && isWhole ? flags.endStream : 0);
    const type = start === 0 ? frameTypes.headers : frameTypes.continuation;
    frames.push(frame(type, { flags: bits, stream, payload }));
  }
  return Buffer.concat(frames);
};

/** The preface and SETTINGS; `window: 0` lets no body of a response through. */
const opening = ({ window }: { readonly window?: number } = {}): Buffer =>
  Buffer.concat([
    preface,
    settingsFrame(window === undefined ? [] : [[settingIds.initialWindowSize, window]]),
  ]);

const h1 = (method: string, path: string, fields: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');

const objects = [
  '/api/v1/namespaces',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
];

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const naming = { alg: 'ES256', kid: `flood-${process.pid}` };
const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
let issuer = '';
let minted = 0;

/** Returns a new valid token; its groups make its decision a large one. */
const goodToken = (groups: number): string => {
  minted += 1;
  const claims = {
    iss: issuer,
    aud: 'app',
    sub: `visitor-${process.pid}-${minted}`,
    exp: Math.floor(Date.now() / 1_000) + 3_600,
    groups: Array.from({ length: groups }, (_, at) => `group-${at}-of-visitor-${minted}`),
    padding: 'x'.repeat(groups * 8),
  };
  const signed = `${base64url(naming)}.${base64url(claims)}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

/** Returns a token in the form of the issuer's, with an unknown key ID. */
const badToken = (bytes: number): string =>
  `${base64url({ alg: 'ES256', kid: randomBytes(8).toString('hex') })}.${base64url({
    iss: issuer,
    aud: 'app',
    sub: 'x'.repeat(bytes),
    exp: 4_000_000_000,
  })}.${randomBytes(64).toString('base64url')}`;

/** Sends one request after another on one connection, until it is closed. */
const askOn = async (
  socket: Socket,
  { until }: Flooding,
  request: () => string | Uint8Array,
): Promise<void> => {
  while (!socket.destroyed && Date.now() < until) {
    await write(socket, request());
    await untilSocket(socket, 'data', 3_000);
  }
};

const partialHello = Buffer.concat([
  // A record of 16 KiB, of a ClientHello that announces 128 KiB.
  Buffer.from('1603014000', 'hex'),
  Buffer.from('010200000303', 'hex'),
  Buffer.alloc(15_000),
]);

const lanes: Readonly<Record<FloodKind, readonly Lane[]>> = {
  connections: [
    { lanes: 300, protocol: 'tcp', holdMs: 12_000, send: () => {} },
    { lanes: 500, protocol: 'tcp', holdMs: 12_000, send: (to) => write(to, partialHello) },
    { lanes: 800, protocol: 'h1', holdMs: 60_000, send: () => {} },
    { lanes: 200, protocol: 'h2', holdMs: 60_000, send: (to) => write(to, opening()) },
    {
      lanes: 100,
      protocol: 'h1',
      holdMs: 60_000,
      async send(socket, { until }) {
        await write(socket, 'GET / HTTP/1.1\r\nHost: localhost\r\nSlow: ');
        while (!socket.destroyed && Date.now() < until) {
          await write(socket, 'x');
          await pause(1_000);
        }
      },
    },
    {
      lanes: 200,
      protocol: 'h1',
      holdMs: 60_000,
      send: (to, { token }) =>
        write(to, h1('POST', reviewPath, [`Authorization: Bearer ${token}`, 'Content-Length: 9'])),
    },
  ],
  headers: [
    {
      lanes: 150,
      protocol: 'h1',
      holdMs: 40_000,
      // Headers that never end.
      async send(socket) {
        await write(socket, 'GET / HTTP/1.1\r\nHost: localhost\r\n');
        for (let part = 0; part < 20; part += 1) await write(socket, 'a:b\r\n'.repeat(10_000));
      },
    },
    {
      lanes: 150,
      protocol: 'h1',
      holdMs: 40_000,
      // One header that never ends.
      async send(socket) {
        await write(socket, 'GET / HTTP/1.1\r\nHost: localhost\r\nLarge: ');
        for (let part = 0; part < 15; part += 1) await write(socket, 'x'.repeat(65_536));
      },
    },
    {
      lanes: 150,
      protocol: 'h1',
      holdMs: 40_000,
      // As many headers as are allowed, and a large one: pipelined requests with unknown tokens.
      async send(socket) {
        const many = Array.from({ length: 900 }, (_, at) => `f-${at}: ${'v'.repeat(40)}`);
        const request = h1('GET', '/', [...many, `Authorization: Bearer ${badToken(100_000)}`]);
        for (let part = 0; part < 8; part += 1) await write(socket, request);
      },
    },
    {
      lanes: 100,
      protocol: 'h2',
      holdMs: 40_000,
      async send(socket) {
        await write(socket, opening());
        const bytes = headOf('GET', '/', [['large', 'x'.repeat(1_000_000)]]);
        await write(socket, headFrames(1, bytes, { isEnded: false }));
      },
    },
    {
      lanes: 100,
      protocol: 'h2',
      holdMs: 40_000,
      // Small blocks that expand: 4,000 bytes of the table, 4,000 times.
      async send(socket) {
        await write(socket, opening({ window: 0 }));
        const insert = Buffer.concat([
          Buffer.from([0x40]),
          prefixed(0, 7, 1),
          Buffer.from('a'),
          prefixed(0, 7, 4_000),
          Buffer.alloc(4_000, 0x78),
        ]);
        const bomb = Buffer.concat([headOf('GET', '/livez'), insert, Buffer.alloc(250, 0xbe)]);
        for (let stream = 1; stream < 200; stream += 2) {
          await write(socket, headFrames(stream, bomb));
        }
      },
    },
    {
      lanes: 100,
      protocol: 'h2',
      holdMs: 40_000,
      // Whole blocks that are held while their responses wait for a window.
      async send(socket) {
        await write(socket, opening({ window: 0 }));
        for (let stream = 1; stream < 200; stream += 2) {
          const large = [['large', `${stream} ${'x'.repeat(200_000)}`]] as const;
          await write(socket, headFrames(stream, headOf('GET', '/livez', large)));
        }
      },
    },
  ],
  bodies: [
    {
      lanes: 100,
      protocol: 'h1',
      holdMs: 40_000,
      async send(socket, { token }) {
        const fields = [`Authorization: Bearer ${token}`, 'Content-Length: 3000000'];
        await write(socket, h1('POST', reviewPath, [...fields, 'Content-Type: application/json']));
        for (let part = 0; part < 45; part += 1) await write(socket, ' '.repeat(65_536));
      },
    },
    {
      lanes: 50,
      protocol: 'h1',
      holdMs: 40_000,
      // Chunks of one byte.
      async send(socket, { token }) {
        const fields = [`Authorization: Bearer ${token}`, 'Transfer-Encoding: chunked'];
        await write(socket, h1('POST', reviewPath, [...fields, 'Content-Type: application/json']));
        for (let part = 0; part < 60; part += 1) await write(socket, '1\r\n \r\n'.repeat(10_000));
      },
    },
    {
      lanes: 50,
      protocol: 'h1',
      holdMs: 40_000,
      // A client without a known token.
      async send(socket) {
        await write(socket, h1('POST', reviewPath, ['Content-Length: 3000000']));
        for (let part = 0; part < 45; part += 1) await write(socket, ' '.repeat(65_536));
      },
    },
    ...[true, false].map(
      (isKnown): Lane => ({
        lanes: 60,
        protocol: 'h2',
        holdMs: 40_000,
        async send(socket, { token }) {
          await write(socket, opening());
          const credential = isKnown ? token : badToken(1_000);
          const fields = [
            ['authorization', `Bearer ${credential}`],
            ['content-type', 'application/json'],
          ] as const;
          for (let stream = 1; stream < 200; stream += 2) {
            const bytes = headOf('POST', reviewPath, fields);
            await write(socket, headFrames(stream, bytes, { isWhole: false }));
            await write(socket, dataFrame(stream, ' '.repeat(10_000), { more: true }));
          }
        },
      }),
    ),
    {
      lanes: 4,
      protocol: 'h1',
      holdMs: 40_000,
      // Whole bodies that take most memory when they are parsed.
      send: (socket, flooding) =>
        askOn(socket, flooding, () => {
          const body = `{"spec":[${'[],'.repeat(700_000)}[]]}`;
          const fields = [`Content-Length: ${body.length}`, 'Content-Type: application/json'];
          const known = `Authorization: Bearer ${flooding.token}`;
          return h1('POST', reviewPath, [known, ...fields]) + body;
        }),
    },
  ],
  watches: [
    ...objects.map(
      (path): Lane => ({
        lanes: 80,
        protocol: 'h1',
        holdMs: 60_000,
        async send(socket, { token }) {
          socket.pause();
          await write(socket, h1('GET', `${path}?watch=1`, [`Authorization: Bearer ${token}`]));
        },
      }),
    ),
    {
      lanes: 40,
      protocol: 'h2',
      holdMs: 60_000,
      async send(socket, { token }) {
        await write(socket, opening({ window: 0 }));
        for (let stream = 1; stream < 200; stream += 2) {
          const path = `${objects[stream % objects.length]}${stream % 4 === 1 ? '?watch=1' : ''}`;
          const bytes = headOf('GET', path, [['authorization', `Bearer ${token}`]]);
          await write(socket, headFrames(stream, bytes));
        }
      },
    },
    {
      lanes: 60,
      protocol: 'h1',
      holdMs: 60_000,
      // Lists that are requested and not read.
      async send(socket, { token }) {
        socket.pause();
        const [, , , roles = ''] = objects;
        const request = h1('GET', `${roles}?pretty=1`, [`Authorization: Bearer ${token}`]);
        for (let part = 0; part < 100; part += 1) await write(socket, request);
      },
    },
    {
      lanes: 4,
      protocol: 'h1',
      holdMs: 60_000,
      // Open watches.
      send(socket, flooding) {
        let at = 0;
        return askOn(socket, flooding, () => {
          at += 1;
          const body = JSON.stringify({
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { generateName: 'flood-', annotations: { note: 'x'.repeat(2_000) } },
          });
          const fields = [`Content-Length: ${body.length}`, 'Content-Type: application/json'];
          const known = `Authorization: Bearer ${flooding.token}`;
          // Only a few, so that the store itself stays small.
          return at % 20 === 1
            ? h1('POST', '/api/v1/namespaces', [known, ...fields]) + body
            : h1('GET', '/livez', []);
        });
      },
    },
  ],
  tokens: [
    ...[10, 200, 2_000].map(
      (groups): Lane => ({
        lanes: 8,
        protocol: 'h1',
        holdMs: 60_000,
        send: (socket, flooding) =>
          askOn(socket, flooding, () =>
            h1('GET', '/version', [`Authorization: Bearer ${goodToken(groups)}`]),
          ),
      }),
    ),
    ...[100, 100_000].map(
      (bytes): Lane => ({
        lanes: 30,
        protocol: 'h1',
        holdMs: 60_000,
        send: (socket, flooding) =>
          askOn(socket, flooding, () =>
            h1('GET', '/version', [`Authorization: Bearer ${badToken(bytes)}`]),
          ),
      }),
    ),
    {
      lanes: 200,
      protocol: 'h1',
      holdMs: 60_000,
      // Unknown to every module, so the webhook is called.
      send: (socket, flooding) =>
        askOn(socket, flooding, () =>
          h1('GET', '/version', [`Authorization: Bearer ${randomBytes(90_000).toString('hex')}`]),
        ),
    },
  ],
};

/** Counts statuses of HTTP/1.1, and frames of HTTP/2. */
const listen = (socket: Socket, protocol: Lane['protocol']): void => {
  if (protocol === 'h1') {
    socket.on('data', (piece: Buffer) => {
      for (const [, status] of piece.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        count(status ?? '');
      }
    });
  }
  if (protocol !== 'h2') return;
  let rest = Buffer.alloc(0);
  const readFields = hpackReader();
  socket.on('data', (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const length = rest.readUIntBE(0, 3);
      const payload = rest.subarray(9, 9 + length);
      const type = rest[3] ?? 0;
      if (type === frameTypes.headers) {
        const status = readFields(payload).find(([name]) => name === ':status')?.[1];
        count(status ?? '');
      }
      if (type === frameTypes.rstStream) count(`RST_STREAM ${payload.readUInt32BE(0)}`);
      if (type === frameTypes.goaway) count(`GOAWAY ${payload.readUInt32BE(4)}`);
      rest = rest.subarray(9 + length);
    }
  });
};

/**
 * Another address of this machine for every few lanes, because the server distinguishes clients by
 * address.
 */
const addressOf = (lane: number): string => `127.0.${1 + (lane % 3)}.${2 + (lane % 5)}`;

const openOne = (
  { protocol, holdMs, send }: Lane,
  flooding: Flooding,
  at: number,
): Promise<void> => {
  const leftMs = Math.min(holdMs, flooding.until - Date.now());
  return new Promise((resolve) => {
    const tcp = connectTcp({
      port: flooding.port,
      host: '127.0.0.1',
      localAddress: addressOf(at),
    });
    const socket =
      protocol === 'tcp'
        ? tcp
        : connect({
            socket: tcp,
            rejectUnauthorized: false,
            ALPNProtocols: [protocol === 'h2' ? 'h2' : 'http/1.1'],
          });
    let hasOpened = false;
    const timer = setTimeout(() => socket.destroy(), leftMs);
    tcp.on('error', () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(timer);
      tcp.destroy();
      if (hasOpened && Date.now() < flooding.until) tally.closed += 1;
      resolve();
    });
    socket.once(protocol === 'tcp' ? 'connect' : 'secureConnect', () => {
      hasOpened = true;
      tally.opened += 1;
      listen(socket, protocol);
      void Promise.resolve(send(socket, flooding)).catch(() => {});
    });
  });
};

const flood = async (kinds: readonly FloodKind[], flooding: Flooding): Promise<Tally> => {
  let at = 0;
  // A few of each in a mix, since the mix is tested, not this process.
  const share = (count: number) => Math.ceil(count / kinds.length);
  await Promise.all(
    kinds.flatMap((kind) =>
      lanes[kind].flatMap((lane) =>
        Array.from({ length: share(lane.lanes) }, async () => {
          at += 1;
          const mine = at;
          while (Date.now() < flooding.until) {
            await openOne(lane, flooding, mine);
            await pause(20 + (mine % 50));
          }
        }),
      ),
    ),
  );
  return {
    opened: tally.opened,
    closed: tally.closed,
    megabytesSent: Math.round(tally.bytes / 2 ** 20),
    answers: Object.fromEntries([...tally.answers].toSorted()),
  };
};

process.on('message', (message) => {
  const command = message as ToFlood;
  if (command.kind === 'start') {
    ({ issuer } = command);
    const publicJwk = { ...publicKey.export({ format: 'jwk' }), ...naming, use: 'sig' };
    say({ kind: 'key', publicJwk });
    return;
  }
  const { floods, port, seconds, token } = command;
  void flood(floods, { port, token, until: Date.now() + seconds * 1_000 }).then((result) =>
    say({ kind: 'flooded', tally: result }),
  );
});
process.on('disconnect', () => process.exit());
