/**
 * The listener: TLS, HTTP/1.1 and HTTP/2 on one port. Every limit has a name, and all connections
 * are tracked so that they can be shut down gracefully.
 */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../model/request.ts';
import { clientNetwork } from './fairness/client-network.ts';
import { LoopShare } from './fairness/loop-share.ts';
import {
  incomingFromHttp1,
  refuseMalformedRequest,
  refuseOnSocket,
  respondOnHttp1,
} from './http/http1.ts';
import { Http1Connection } from './http/http1-connection.ts';
import { Http1Work } from './http/http1-work.ts';
import type { IncomingRequest } from './http/incoming-request.ts';
import type { OutgoingResponse } from './http/outgoing-response.ts';
import { RequestLifetimes } from './http/request-lifetime.ts';
import { OpenStreams } from './http/send-stream.ts';
import { Http2Connection } from './http2/connection.ts';
import { connectionLimits, headerLimits } from './limits.ts';
import { ConnectionMemory, chainBytes } from './memory/connection-memory.ts';
import { Http1Memory } from './memory/http1-memory.ts';
import type { ServerMemory } from './memory/server-memory.ts';
import { addressOf, type ListenAddress, type ReservedPort } from './reserve-port.ts';
import { peerCertificates } from './tls/peer-certificates.ts';
import type { CertificatePair } from './tls/serving-certificate.ts';

export interface ListenerOptions {
  readonly address: string;
  /** The port; 0 selects any free port. */
  readonly port: number;
  /** The port if it is bound already; address and port are not used then. */
  readonly reservedPort?: ReservedPort | undefined;
  readonly certificate: CertificatePair;
  /** HTTP/2 settings; with `disabled` the server negotiates HTTP/1.1 only. */
  readonly http2: 'disabled' | { readonly maxStreams: number };
  /**
   * PEM certificates of the authorities that are sent in the CertificateRequest; if absent, no
   * client certificate is requested.
   */
  readonly clientAuthorities?: readonly string[];
  /**
   * Returns whether kube-apiserver could parse every certificate. If not, the connection is closed.
   */
  readonly canParseCertificates?: (presented: PeerCertificates) => boolean;
  readonly handle: (incoming: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>;
  /** Counts what connections hold of the memory of the process. */
  readonly memory: ServerMemory;
  /** Reports unexpected errors: a bug costs the request or the connection, never the process. */
  readonly reportError: (error: unknown) => void;
}

export interface Listener {
  readonly address: ListenAddress;
  /** Uses the pair for new handshakes; throws, and changes nothing, if the pair is unusable. */
  useCertificate(pair: CertificatePair): void;
  /** Sends these authorities in new handshakes. */
  useClientAuthorities(pems: readonly string[]): void;
  /** Returns the number of requests without a response, and of open streamed responses. */
  openRequests(): OpenRequests;
  /**
   * Accepts no new connections, waits for requests in progress up to the grace period, then closes
   * the rest. Returns what was closed.
   */
  close(graceMs: number): Promise<CutOff>;
}

export interface OpenRequests {
  readonly requests: number;
  readonly watches: number;
}

/** What was open at the end of the grace period. */
export interface CutOff {
  /** Requests without a response. */
  readonly requests: number;
  readonly connections: number;
}

/** Starts listening; settles once connections are accepted. */
export const listen = async (options: ListenerOptions): Promise<Listener> => {
  const { http2 } = options;
  let serving = { pair: options.certificate, authorities: options.clientAuthorities };
  const server = createServer(serving, options);
  const connections = new Connections(server, options);
  // Node's own listener treats every connection as HTTP/1.1.
  const [beginHttp1] = server.listeners('secureConnection');
  if (beginHttp1 === undefined)
    throw new Error('unreachable: a server without a connection listener');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    // Node reports TLS errors after the handshake, such as a corrupt record, but leaves the
    // connection open.
    socket.on('error', () => socket.destroy());
    try {
      const memory = connections.established(socket);
      if (memory === undefined || !hasParsableCertificates(socket, options)) socket.destroy();
      else if (socket.alpnProtocol === 'h2' && http2 !== 'disabled') {
        connections.beginHttp2(socket, memory, http2);
      } else {
        beginHttp1.call(server, socket);
        connections.beginHttp1(socket, memory);
      }
    } catch (error) {
      options.reportError(error);
      socket.destroy();
    }
  });
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.http1(request.socket);
    connection.begin(request, response, () => {
      void onHttp1({ request, response, connection }, options, connections);
    });
  };
  server.on('request', begin);
  server.on('checkContinue', begin);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node hands over the connection and parses no further requests of it.
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // A previous response is still being sent: the client did not wait for it and loses it.
      socket.destroy();
      return;
    }
    response.once('finish', () => socket.destroySoon());
    begin(request, response);
  });
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    // An error in the middle of a response would become part of it, and after it a second response.
    if (connections.hasBegunResponse(socket)) socket.destroy();
    else refuseMalformedRequest(error.code ?? '', socket);
  });
  const address = await listenOn(server, options);
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
    openRequests: () => connections.openRequests(),
    close: (graceMs) => connections.close(graceMs),
  };
};

const listenOn = async (
  server: Server,
  { reservedPort, address, port }: ListenerOptions,
): Promise<ListenAddress> => {
  if (reservedPort !== undefined) return reservedPort.handTo(server);
  server.listen(port, address);
  await once(server, 'listening');
  return addressOf(server);
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
        // A resumed session contains the leaf without the rest of its chain, so every handshake has
        // to be a full one.
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
      }),
});

const hasParsableCertificates = (
  socket: TLSSocket,
  { clientAuthorities, canParseCertificates }: ListenerOptions,
): boolean => {
  if (clientAuthorities === undefined || canParseCertificates === undefined) return true;
  const presented = peerCertificates(socket);
  return presented === undefined || canParseCertificates(presented);
};

const createServer = (context: ServingContext, { http2 }: ListenerOptions): Server => {
  const server = createHttpsServer({
    ...secureContext(context),
    ALPNProtocols: http2 === 'disabled' ? ['http/1.1'] : ['h2', 'http/1.1'],
    // Requested, but optional: an invalid certificate does not prevent other credentials from being
    // used.
    requestCert: context.authorities !== undefined,
    rejectUnauthorized: false,
    handshakeTimeout: connectionLimits.handshakeMs,
    // Detects clients that disappeared without closing the connection.
    keepAlive: true,
    keepAliveInitialDelay: connectionLimits.keepAliveMs,
    maxHeaderSize: headerLimits.bytes,
    connectionsCheckingInterval: 1000,
    // Checked together with the other header fields, so that the error has the same text as
    // kube-apiserver's.
    requireHostHeader: false,
    headersTimeout: connectionLimits.headersMs,
    requestTimeout: connectionLimits.requestMs,
    keepAliveTimeout: connectionLimits.idleMs,
  });
  // Node silently drops further fields. One more than the limit shows that there were too many.
  server.maxHeadersCount = headerLimits.fields + 1;
  return server;
};

/** The open connections of the listener. */
class Connections {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  /** All sockets, including those whose handshake is not complete. */
  readonly #sockets = new Map<
    string,
    { readonly socket: Socket; readonly memory: ConnectionMemory }
  >();
  readonly #http1 = new WeakMap<Duplex, Http1Connection>();
  readonly #http2 = new Set<Http2Connection>();
  isClosing = false;
  #onLastClosed = (): void => {};
  /** Streamed responses, mostly watches. */
  readonly streams = new OpenStreams();
  readonly lifetimes = new RequestLifetimes();
  readonly #loop = new LoopShare();

  constructor(server: Server, options: ListenerOptions) {
    this.#server = server;
    this.#options = options;
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  }

  /** Marks the handshake as complete; returns `undefined` if the connection is gone. */
  established(socket: TLSSocket): ConnectionMemory | undefined {
    const memory = this.#sockets.get(connectionKey(socket))?.memory;
    const requestsCertificates = this.#options.clientAuthorities !== undefined;
    memory?.markEstablished(requestsCertificates ? chainBytes(peerCertificates(socket)?.chain) : 0);
    return memory;
  }

  beginHttp1(socket: TLSSocket, memory: ConnectionMemory): void {
    const http1Memory = new Http1Memory(socket, memory, this.#options.memory);
    this.#http1.set(socket, new Http1Connection(http1Memory, new Http1Work(socket, this.#loop)));
  }

  beginHttp2(
    socket: TLSSocket,
    memory: ConnectionMemory,
    { maxStreams }: { readonly maxStreams: number },
  ): void {
    const { handle, reportError } = this.#options;
    const { lifetimes, streams } = this;
    const loop = this.#loop;
    const connection = new Http2Connection(socket, {
      handle,
      reportError,
      lifetimes,
      streams,
      loop,
      maxStreams,
      memory,
    });
    this.#http2.add(connection);
    socket.once('close', () => this.#http2.delete(connection));
    if (this.isClosing) connection.goAway();
  }

  http1(socket: Duplex): Http1Connection {
    const connection = this.#http1.get(socket);
    if (connection === undefined) throw new Error('unreachable: a request without a connection');
    return connection;
  }

  #opened(socket: Socket): void {
    const key = connectionKey(socket);
    const { memory } = this.#options;
    const client = clientNetwork(socket.remoteAddress ?? '');
    const held = new ConnectionMemory(memory, client, () => socket.destroy());
    this.#sockets.set(key, { socket, memory: held });
    socket.once('close', () => {
      held.markClosed();
      if (this.#sockets.get(key)?.socket === socket) this.#sockets.delete(key);
      if (this.#sockets.size === 0) this.#onLastClosed();
    });
  }

  /** Resolves once no connection is open, those included that the server did not accept itself. */
  #allClosed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#sockets.size === 0) resolve();
      else this.#onLastClosed = resolve;
    });
  }

  hasBegunResponse(socket: Duplex): boolean {
    return this.#http1.get(socket)?.hasBegunResponse === true;
  }

  openRequests(): OpenRequests {
    return { requests: this.lifetimes.count(), watches: this.streams.count };
  }

  async close(graceMs: number): Promise<CutOff> {
    let cutOff: CutOff = { requests: 0, connections: 0 };
    if (this.isClosing) return cutOff;
    this.isClosing = true;
    this.streams.end();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const connection of this.#http2) connection.goAway();
    const timer = setTimeout(() => {
      cutOff = { requests: this.lifetimes.count(), connections: this.#sockets.size };
      for (const { socket } of this.#sockets.values()) socket.destroy();
    }, graceMs);
    await Promise.all([closed, this.#allClosed()]);
    clearTimeout(timer);
    return cutOff;
  }
}

/**
 * Identifies a connection by both endpoints, which its TLS socket shares. The local endpoint
 * matters: a server with two addresses can have two connections from the same port of a client.
 */
const connectionKey = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

interface Http1Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Http1Connection;
}

const onHttp1 = async (
  { request, response, connection: { memory, work } }: Http1Exchange,
  { handle, reportError }: ListenerOptions,
  connections: Connections,
): Promise<void> => {
  request.on('error', () => {});
  // The parser also accepts HTTP versions that this connection does not support.
  if (request.httpVersionMajor !== 1) {
    const status =
      request.httpVersionMajor === 0 ? '400 Bad Request' : '505 HTTP Version Not Supported';
    refuseOnSocket(status, request.socket);
    return;
  }
  const lifetime = connections.lifetimes.begin();
  response.once('close', () => lifetime.cancel());
  try {
    const setUsername = (username: string): void => {
      work.setUsername(username);
      memory.connection.markAuthenticated();
    };
    const sent = await handle(
      incomingFromHttp1({ request, response, lifetime, setUsername, memory }),
    );
    lifetime.end();
    respondOnHttp1({ request, response, memory }, sent, connections);
  } catch (error) {
    reportError(error);
    response.destroy();
  }
};
