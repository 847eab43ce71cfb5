/**
 * The listener: TLS, HTTP/1.1 and HTTP/2 on one port, every limit set by name, every session
 * tracked so that it can be asked to go.
 */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
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
import { RequestLives } from './http/request-life.ts';
import { OpenStreams } from './http/send-stream.ts';
import { Http2Connection } from './http2/connection.ts';
import { connectionLimits, headerLimits } from './limits.ts';
import type { Reply } from './reply.ts';
import { peerCertificates } from './tls/peer-certificates.ts';
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
  /** Takes what must not happen: a fault of ours costs the request or the connection, never the process. */
  readonly tellFault: (error: unknown) => void;
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
  const connections = new Connections(server, options);
  // Node's own takes every connection for HTTP/1.1.
  const [beginHttp1] = server.listeners('secureConnection');
  if (beginHttp1 === undefined) throw new Error('unreachable: a server that takes nothing');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    // A wrong record, a handshake too many: Node tells it, and leaves the connection as it is.
    socket.on('error', () => socket.destroy());
    try {
      if (!isUnderstood(socket, options)) socket.destroy();
      else if (socket.alpnProtocol === 'h2') connections.beginHttp2(socket);
      else beginHttp1.call(server, socket);
    } catch (error) {
      options.tellFault(error);
      socket.destroy();
    }
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void onHttp1(request, response, options, connections);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void onHttp1(request, response, options, connections);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node hands the connection over and reads no more requests of it.
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An answer before it is still on its way: the client did not wait for it, and loses it.
      socket.destroy();
      return;
    }
    response.once('finish', () => socket.destroySoon());
    void onHttp1(request, response, options, connections);
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    // In the middle of an answer a refusal would be a part of it, and behind it another answer.
    if (connections.hasBegunAnswer(socket)) socket.destroy();
    else refuseBrokenRequest(error.code ?? '', socket);
  });
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
  ...(authorities === undefined
    ? { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
    : {
        ca: [...authorities],
        // A resumed session would know the leaf of a chain and not the rest: each handshake shows it whole.
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
      }),
});

const isUnderstood = (
  socket: TLSSocket,
  { clientAuthorities, understands }: ListenerOptions,
): boolean => {
  if (clientAuthorities === undefined || understands === undefined) return true;
  const shown = peerCertificates(socket);
  return shown === undefined || understands(shown);
};

const createServer = (context: ServingContext): Server => {
  const server = createHttpsServer({
    ...secureContext(context),
    ALPNProtocols: ['h2', 'http/1.1'],
    // Asked for, never demanded: a bad certificate beside a good token is no refusal.
    requestCert: context.authorities !== undefined,
    rejectUnauthorized: false,
    handshakeTimeout: connectionLimits.handshakeMs,
    // A client that is gone without a word is found out.
    keepAlive: true,
    keepAliveInitialDelay: connectionLimits.keepAliveMs,
    maxHeaderSize: headerLimits.bytes,
    connectionsCheckingInterval: 1000,
    // Looked at with the other fields, so that the refusal has the real text.
    requireHostHeader: false,
    headersTimeout: connectionLimits.headersMs,
    requestTimeout: connectionLimits.requestMs,
    keepAliveTimeout: connectionLimits.idleMs,
  });
  server.maxConnections = connectionLimits.connections;
  // Counting is ours: Node would drop fields without a word.
  server.maxHeadersCount = 0;
  return server;
};

/** Connections that are open. */
class Connections {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  /** Those of handshakes that go on, too. */
  readonly #sockets = new Set<Socket>();
  readonly #http2 = new Set<Http2Connection>();
  /** The last answer of HTTP/1.1 on a connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();
  closing = false;
  /** Watches, for the most part. */
  readonly streams = new OpenStreams();
  readonly lives = new RequestLives();

  constructor(server: Server, options: ListenerOptions) {
    this.#server = server;
    this.#options = options;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  }

  beginHttp2(socket: TLSSocket): void {
    const { handle, tellFault } = this.#options;
    const { lives, streams } = this;
    const connection = new Http2Connection(socket, { handle, tellFault, lives, streams });
    this.#http2.add(connection);
    socket.once('close', () => this.#http2.delete(connection));
    if (this.closing) connection.goAway();
  }

  answers(response: ServerResponse): void {
    if (response.socket !== null) this.#answers.set(response.socket, response);
  }

  /** To a request that is not over: the answer, or the body that it did not wait for, goes on. */
  hasBegunAnswer(socket: Duplex): boolean {
    const answer = this.#answers.get(socket);
    return answer?.headersSent === true && !(answer.writableFinished && answer.req.complete);
  }

  async close(graceMs: number): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    this.streams.end();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const connection of this.#http2) connection.goAway();
    const timer = setTimeout(() => this.#end(), graceMs);
    await closed;
    clearTimeout(timer);
  }

  #end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const onHttp1 = async (
  request: IncomingMessage,
  response: ServerResponse,
  { handle, tellFault }: ListenerOptions,
  connections: Connections,
): Promise<void> => {
  connections.answers(response);
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
  try {
    const reply = await handle(incomingOfHttp1(request, response, life));
    life.end();
    replyOnHttp1(request, response, reply, connections);
  } catch (error) {
    tellFault(error);
    response.destroy();
  }
};
