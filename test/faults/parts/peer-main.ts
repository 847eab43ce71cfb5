/** An issuer and a webhook in one process, honest until the test requests otherwise. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Behavior, CertificateFiles, FromPeer, PeerCounts, ToPeer } from './peer-messages.ts';

let certificate: CertificateFiles = { pem: '', keyPem: '' };
let server: Server | undefined;
let port = 0;
let shownPort: number | undefined;
let behavior: Behavior = 'honest';
let misdeeds = Number.POSITIVE_INFINITY;
let keySet: unknown = { keys: [] };
let people: ReadonlyMap<string, unknown> = new Map();
const sockets = new Set<Socket>();
const counts = { discovery: 0, keys: 0, reviews: 0, strays: 0 };
const keysAt: number[] = [];
const reviewsAt: number[] = [];

const say = (message: FromPeer): void => {
  process.send?.(message);
};

const self = () => `https://localhost:${shownPort ?? port}`;

/** Misbehaves a given number of times; returns true if that was the whole response. */
const misbehave = (request: IncomingMessage, response: ServerResponse, honest: string): boolean => {
  if (behavior === 'honest' || misdeeds <= 0) return false;
  misdeeds -= 1;
  const json = { 'content-type': 'application/json' };
  switch (behavior) {
    case 'hang':
      return true;
    case 'hang-up':
      request.socket.destroy();
      return true;
    case 'reset':
      for (const socket of sockets) {
        if (socket.remotePort === request.socket.remotePort) socket.resetAndDestroy();
      }
      return true;
    case 'error500':
      response.writeHead(500).end('out of order');
      return true;
    case 'redirect-loop':
      response.writeHead(307, { location: `${self()}${request.url}` }).end();
      return true;
    case 'redirect-away':
      response.writeHead(307, { location: `${self()}/elsewhere` }).end();
      return true;
    case 'drip':
      return drip(response, honest);
    case 'truncated':
      response.writeHead(200, json).end(honest.slice(0, honest.length / 2));
      return true;
    case 'no-json':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in first</html>');
      return true;
    case 'huge-body':
      return flood(response);
    case 'gzip-bomb':
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb());
      return true;
    default:
      return false;
  }
};

/** Sends one byte per second. */
const drip = (response: ServerResponse, honest: string): true => {
  response.writeHead(200, { 'content-type': 'application/json' });
  let at = 0;
  const timer = setInterval(() => {
    response.write(honest.slice(at, at + 1));
    at += 1;
  }, 1000);
  response.once('close', () => clearInterval(timer));
  return true;
};

/** Sends a hundred megabytes as fast as they are accepted. */
const flood = (response: ServerResponse): true => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(1 << 20, ' ');
  let left = 100;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
  return true;
};

let madeBomb: Buffer | undefined;
const bomb = (): Buffer => {
  madeBomb ??= gzipSync(Buffer.alloc(100 << 20, ' '));
  return madeBomb;
};

const discoveryDocument = (): string => {
  const issuer = behavior === 'wrong-issuer' && misdeeds > 0 ? 'https://other.example' : self();
  return JSON.stringify({ issuer, jwks_uri: `${self()}/keys` });
};

const review = (body: string): string => {
  const lying = misdeeds > 0 ? behavior : 'honest';
  const review: { apiVersion?: string; spec?: { token?: string; audiences?: readonly string[] } } =
    JSON.parse(body);
  const user = people.get(review.spec?.token ?? '');
  const apiVersion = lying === 'other-version' ? 'authentication.k8s.io/v9' : review.apiVersion;
  const base = { apiVersion, kind: 'TokenReview' };
  if (lying === 'no-user') return JSON.stringify({ ...base, status: { authenticated: true } });
  if (lying === 'other-audience') {
    const status = { authenticated: true, user: { username: 'x' }, audiences: ['another'] };
    return JSON.stringify({ ...base, status });
  }
  const status = user === undefined ? { authenticated: false } : { authenticated: true, user };
  return JSON.stringify({ ...base, status });
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  response.on('error', () => {});
  const [path = ''] = (request.url ?? '').split('?');
  const honest = await honestAnswer(path, request);
  if (honest === undefined) {
    counts.strays += 1;
    response.writeHead(404).end();
    return;
  }
  if (misbehave(request, response, honest)) return;
  response.writeHead(200, { 'content-type': 'application/json' }).end(honest);
  if (behavior !== 'honest') misdeeds -= 1;
};

const honestAnswer = async (
  path: string,
  request: IncomingMessage,
): Promise<string | undefined> => {
  switch (path) {
    case '/.well-known/openid-configuration':
      counts.discovery += 1;
      return discoveryDocument();
    case '/keys':
      counts.keys += 1;
      keysAt.push(Date.now());
      return JSON.stringify(keySet);
    case '/authenticate':
      counts.reviews += 1;
      reviewsAt.push(Date.now());
      return review(await bodyOf(request));
    default:
      return undefined;
  }
};

const open = (): Promise<void> =>
  new Promise((resolve) => {
    const made = createServer(
      { cert: certificate.pem, key: certificate.keyPem },
      (asked, reply) => {
        answer(asked, reply).catch(() => reply.destroy());
      },
    );
    made.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    });
    made.on('tlsClientError', () => {});
    made.listen(port, '127.0.0.1', () => {
      const bound = made.address();
      if (bound !== null && typeof bound === 'object') port = bound.port;
      resolve();
    });
    server = made;
  });

/** Open connections are cut as well. */
const cut = (): void => {
  for (const socket of sockets) socket.destroy();
};

const obey = async (message: ToPeer): Promise<void> => {
  switch (message.kind) {
    case 'start':
      certificate = message.certificate;
      shownPort = message.shownPort;
      await open();
      say({ kind: 'listening', port });
      return;
    case 'behave':
      behavior = message.behavior;
      misdeeds = message.times ?? Number.POSITIVE_INFINITY;
      break;
    case 'certificate':
      certificate = message.certificate;
      server?.setSecureContext({ cert: certificate.pem, key: certificate.keyPem });
      cut();
      break;
    case 'keys':
      keySet = message.keySet;
      break;
    case 'people':
      people = new Map(Object.entries(message.people));
      break;
    case 'close':
      server?.close();
      cut();
      break;
    case 'open':
      await open();
      break;
    case 'count': {
      const snapshot: PeerCounts = { ...counts, keysAt, reviewsAt };
      say({ kind: 'counts', counts: snapshot });
      return;
    }
  }
  say({ kind: 'done' });
};

process.on('message', (message) => void obey(message as ToPeer));
process.on('disconnect', () => process.exit());
