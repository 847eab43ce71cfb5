/**
 * The listener: TLS, HTTP/1.1 and HTTP/2 on one port, every limit set by name, every session
 * tracked so that it can be asked to go.
 */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../model/request.ts';
import type { Incoming } from './http/exchange.ts';
import {
  incomingOfHttp1,
  refuseBrokenRequest,
  refuseOnSocket,
  replyOnHttp1,
} from './http/http1.ts';
import { Http2Incoming, letGo, replyOnHttp2, tie } from './http/http2.ts';
import { RequestLives } from './http/request-life.ts';
import type { OpenStreams } from './http/send-stream.ts';
import { connectionLimits, headerLimits } from './limits.ts';
import type { Reply } from './reply.ts';
import { peerCertificates, shareCertificates } from './tls/peer-certificates.ts';
import type { CertificatePair } from './tls/serving-certificate.ts';

export interface ListenerOptions {
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  readonly certificate: CertificatePair;
  /** PEM of the authorities that clients are told; no client is asked for a certificate where absent. */
  readonly clientAuthorities?: readonly string[];
  /** Does the real server understand every certificate? One that it does not ends the handshake. */
  readonly understands?: (shown: PeerCertificates) => boolean;
  readonly handle: (incoming: Incoming) => Reply | Promise<Reply>;
}

export interface Listener {
  readonly address: AddressInfo;
  /** New handshakes use the pair; throws and changes nothing when it can't be used. */
  useCertificate(pair: CertificatePair): void;
  /** New handshakes tell these authorities. */
  useClientAuthorities(pems: readonly string[]): void;
  /** Takes no new connection, lets what is at work end within the grace, then ends the rest. */
  close(graceMs: number): Promise<void>;
}

/** Listens; settles when connections are taken. */
export const listen = async (options: ListenerOptions): Promise<Listener> => {
  let serving = { pair: options.certificate, authorities: options.clientAuthorities };
  const server = createServer(serving);
  // Before anybody reads a request from it.
  let connecting: TLSSocket | undefined;
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    connecting = socket;
    if (!isUnderstood(socket, options)) socket.destroy();
  });
  // Comes before the next connection does.
  server.on('session', (session: ServerHttp2Session) => {
    if (connecting !== undefined) shareCertificates(session, connecting);
  });
  const connections = new Connections(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void onHttp1(request, response, options, connections);
  });
  // The listener for 'request' also made Node wrap each stream; streams are taken as they are below.
  server.removeAllListeners('stream');
  server.on(
    'stream',
    (stream: ServerHttp2Stream, _headers: unknown, _flags: number, raw: readonly string[]) =>
      void onHttp2(stream, raw, options, connections),
  );
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void onHttp1(request, response, options, connections);
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) =>
    refuseBrokenRequest(error.code ?? '', socket),
  );
  server.listen(options.port, options.address);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('unreachable: a TCP listener without an address');
  }
  return {
    address,
    useCertificate(pair) {
      server.setSecureContext(secureContext({ ...serving, pair }));
      serving = { ...serving, pair };
    },
    useClientAuthorities(authorities) {
      server.setSecureContext(secureContext({ ...serving, authorities }));
      serving = { ...serving, authorities };
    },
    close: (graceMs) => connections.close(graceMs),
  };
};

interface ServingContext {
  readonly pair: CertificatePair;
  readonly authorities: readonly string[] | undefined;
}

const secureContext = ({ pair, authorities }: ServingContext): SecureContextOptions => ({
  minVersion: 'TLSv1.2',
  cert: pair.certificatePem,
  key: pair.privateKeyPem,
  // A resumed session would know the leaf of a chain and not the rest: each handshake shows it whole.
  ...(authorities === undefined
    ? {}
    : { ca: [...authorities], secureOptions: constants.SSL_OP_NO_TICKET }),
});

const isUnderstood = (
  socket: TLSSocket,
  { clientAuthorities, understands }: ListenerOptions,
): boolean => {
  if (clientAuthorities === undefined || understands === undefined) return true;
  const shown = peerCertificates(socket, () => socket);
  return shown === undefined || understands(shown);
};

/** Settings of the HTTP/1.1 parser; the types of HTTP/2 options do not name them. */
const http1Settings = {
  maxHeaderSize: headerLimits.bytes,
  connectionsCheckingInterval: 1000,
  // Looked at with the other fields, so that the refusal has the real text.
  requireHostHeader: false,
};

const createServer = (context: ServingContext): Http2SecureServer => {
  const server = createSecureServer({
    ...secureContext(context),
    allowHTTP1: true,
    // Asked for, never demanded: a bad certificate beside a good token is no refusal.
    requestCert: context.authorities !== undefined,
    rejectUnauthorized: false,
    handshakeTimeout: connectionLimits.handshakeMs,
    ...http1Settings,
    settings: {
      enablePush: false,
      maxConcurrentStreams: connectionLimits.concurrentStreams,
      maxHeaderListSize: headerLimits.bytes,
    },
    // The pseudo fields count too.
    maxHeaderListPairs: headerLimits.fields + 8,
    maxSessionMemory: 32,
    maxSessionInvalidFrames: connectionLimits.invalidFrames,
    maxSessionRejectedStreams: connectionLimits.concurrentStreams,
    streamResetBurst: connectionLimits.resetBurst,
    streamResetRate: connectionLimits.resetRate,
  });
  server.maxConnections = connectionLimits.connections;
  // Node takes these of an HTTP/1.1 parser from the server object alone.
  Object.assign(server, {
    // Node 22 reads the bound of the fields here, newer releases from the options.
    maxHeaderSize: headerLimits.bytes,
    headersTimeout: connectionLimits.headersMs,
    requestTimeout: connectionLimits.requestMs,
    keepAliveTimeout: connectionLimits.idleMs,
    // Counting is ours: Node would drop fields without a word.
    maxHeadersCount: 0,
  });
  return server;
};

/** Sockets and sessions that are open. */
class Connections {
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<TLSSocket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  closing = false;
  /** Answers that would go on by themselves, watches. */
  readonly streams: OpenStreams = new Set();
  readonly lives = new RequestLives();

  constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('secureConnection', (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.on('error', () => {});
      session.once('close', () => this.#sessions.delete(session));
      // Node never ends an idle session by itself.
      session.setTimeout(connectionLimits.idleMs, () => session.close());
      if (this.closing) session.close();
    });
    server.on('sessionError', () => {});
    server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  }

  async close(graceMs: number): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    for (const stream of this.streams) stream.abort();
    const closed = once(this.#server, 'close');
    this.#server.close();
    // Node 22 does not say goodbye by itself.
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => this.#end(), graceMs);
    await closed;
    clearTimeout(timer);
  }

  #end(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const onHttp1 = async (
  request: IncomingMessage,
  response: ServerResponse,
  { handle }: ListenerOptions,
  connections: Connections,
): Promise<void> => {
  request.on('error', () => {});
  // The parser lets other versions through that nobody speaks on this connection.
  if (request.httpVersionMajor !== 1) {
    const status =
      request.httpVersionMajor === 0 ? '400 Bad Request' : '505 HTTP Version Not Supported';
    refuseOnSocket(status, request.socket);
    return;
  }
  const life = connections.lives.begin();
  response.once('close', () => life.cut());
  const reply = await handle(incomingOfHttp1(request, response, life));
  life.end();
  replyOnHttp1(request, response, reply, connections);
};

const onHttp2 = async (
  stream: ServerHttp2Stream,
  raw: readonly string[],
  { handle }: ListenerOptions,
  { lives, streams }: Connections,
): Promise<void> => {
  const life = lives.begin();
  tie(stream, life);
  const incoming = new Http2Incoming(stream, raw, life);
  const reply = await handle(incoming);
  life.end();
  letGo(stream);
  replyOnHttp2(stream, reply, { method: incoming.head.method, streams });
};
