/**
 * A client of one etcd member: calls with a deadline, and watches. The gRPC library keeps a connection
 * through its GOAWAY and its PINGs; this file decides when a new one is made and what a failure means.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { reveal, type Secret } from '../../model/secret.ts';
import {
  KV,
  type RangeRequestSchema,
  type RangeResponse,
  type TxnRequestSchema,
  type TxnResponse,
  Watch,
  WatchRequestSchema,
  type WatchResponse,
} from './etcd_pb.ts';
import {
  etcdPingIntervalMs,
  maxStoreResponseBytes,
  memberCallTimeoutMs,
  storeCallTimeoutMs,
} from './limits.ts';

/** Certificates and key for a TLS connection. */
export interface TlsMaterial {
  /** PEM certificates; the system's roots are trusted if absent. */
  readonly certificateAuthority?: string;
  readonly client?: { readonly certificate: string; readonly key: Secret<string> };
}

export type RangeRequestInit = MessageInitShape<typeof RangeRequestSchema>;
export type TxnRequestInit = MessageInitShape<typeof TxnRequestSchema>;
export type WatchRequestInit = MessageInitShape<typeof WatchRequestSchema>;

/** Every call rejects with an `EtcdCallError` and nothing else. */
export interface EtcdMember {
  range(request: RangeRequestInit, timeoutMs: number): Promise<RangeResponse>;
  txn(request: TxnRequestInit, timeoutMs: number): Promise<TxnResponse>;
  watch(): EtcdStream;
  close(): void;
}

/** A stream of the Watch service, open until it is closed or fails. */
export interface EtcdStream {
  send(request: WatchRequestInit): void;
  /** Rejects with an `EtcdCallError` when the stream ends in any way other than by `close`. */
  readonly responses: AsyncIterable<WatchResponse>;
  close(): void;
}

/** A failed call, with its gRPC status code. */
export class EtcdCallError extends Error {
  readonly code: Code;
  /** Whether the member may have received the request. */
  readonly sent: boolean;
  /** The reason why this call fails in the same way at every member, so that none is at fault. */
  readonly refusal: string | undefined;
  constructor(code: Code, message: string, sent: boolean, refusal?: string) {
    super(message);
    this.name = 'EtcdCallError';
    this.code = code;
    this.sent = sent;
    this.refusal = refusal;
  }
}

/**
 * Returns the message of an error that every member would return; `undefined` for any other error.
 */
const refusalOf = ({ code, rawMessage, metadata }: ConnectError): string | undefined => {
  if (code !== Code.InvalidArgument && code !== Code.ResourceExhausted) return undefined;
  // The library uses the same codes for broken responses. Only a status of the server, and a response
  // over our limit, are about the request.
  const isAnswer = metadata.has('grpc-status')
    ? rawMessage !== memberOverloaded
    : rawMessage.includes('configured readMaxBytes');
  return isAnswer ? rawMessage : undefined;
};

/** A member that applies entries more slowly than they are committed returns this error. */
const memberOverloaded = 'etcdserver: too many requests';

/** Returns a client of the member at `origin`, which connects with the first call. */
export const etcdMember = (origin: string, readTls: () => Promise<TlsMaterial>): EtcdMember => {
  const connect = connector(origin, readTls);
  const failureOf = (cause: unknown, sent: boolean): EtcdCallError => {
    if (cause instanceof EtcdCallError) return cause;
    const error = ConnectError.from(cause);
    const { code, rawMessage } = error;
    // A server that refuses a stream, for example after a GOAWAY, has not processed the request.
    const maybeReceived = sent && !rawMessage.includes('REFUSED_STREAM');
    return new EtcdCallError(
      code,
      `${origin}: ${rawMessage || 'connection failed'}`,
      maybeReceived,
      refusalOf(error),
    );
  };

  const call = async <Response>(
    timeoutMs: number,
    send: (clients: Clients, options: { readonly timeoutMs: number }) => Promise<Response>,
  ): Promise<Response> => {
    const endsAt = performance.now() + timeoutMs;
    const timeoutMessage = `${origin}: no response within ${Math.ceil(timeoutMs)} ms`;
    const clients = await withTimeout(connect.clients(), timeoutMs).catch((cause: unknown) => {
      throw failureOf(cause, false);
    });
    if (clients === undefined)
      throw new EtcdCallError(Code.DeadlineExceeded, timeoutMessage, false);
    try {
      // `grpc-timeout` is an integer, and 0 would mean no deadline.
      const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
      return await send(clients, { timeoutMs: leftMs });
    } catch (cause) {
      const error = failureOf(cause, true);
      if (error.code !== Code.DeadlineExceeded) throw error;
      throw new EtcdCallError(error.code, timeoutMessage, true);
    }
  };

  return {
    range: (request, timeoutMs) => call(timeoutMs, ({ kv }, options) => kv.range(request, options)),
    txn: (request, timeoutMs) => call(timeoutMs, ({ kv }, options) => kv.txn(request, options)),
    watch() {
      const closed = new AbortController();
      const requests = new Readable({ objectMode: true, read: () => {} });
      async function* responses(): AsyncGenerator<WatchResponse> {
        try {
          const { watch } = await connect.clients();
          if (closed.signal.aborted) return;
          yield* watch.watch(requests, { signal: closed.signal });
          throw new EtcdCallError(Code.Unavailable, `${origin}: the stream ended`, true);
        } catch (cause) {
          if (!closed.signal.aborted) throw failureOf(cause, true);
        } finally {
          closed.abort();
          requests.destroy();
        }
      }
      return {
        send(request) {
          if (!requests.destroyed) requests.push(create(WatchRequestSchema, request));
        },
        responses: responses(),
        close() {
          closed.abort();
          requests.destroy();
        },
      };
    },
    close: () => connect.close(),
  };
};

type Clients = ReturnType<typeof clientsOf>;

interface Connection extends Clients {
  readonly manager: Http2SessionManager;
  /** Whether a connection was established at some time. */
  connected: boolean;
}

/** Provides clients on a live connection; opens a new connection if there is none. */
const connector = (origin: string, readTls: () => Promise<TlsMaterial>) => {
  /** The current connection, and earlier ones on which watches still end after a GOAWAY. */
  const connections = new Set<Connection>();
  let last: Promise<Connection> | undefined;
  let isClosed = false;

  const open = async (): Promise<Connection> => {
    const secureContext = contextOf(await readTls());
    for (const old of connections) if (isSessionClosed(old.manager)) connections.delete(old);
    const manager = sessionManager(origin, secureContext);
    const connection = { manager, ...clientsOf(origin, manager), connected: false };
    connections.add(connection);
    return connection;
  };
  return {
    async clients(): Promise<Clients> {
      for (;;) {
        if (isClosed) throw new EtcdCallError(Code.Unavailable, 'closed', false);
        last ??= open();
        const current = last;
        const forget = (): void => {
          if (last === current) last = undefined;
        };
        const connection = await current.catch((cause: unknown) => {
          forget();
          throw cause;
        });
        if ((await connection.manager.connect()) !== 'error') {
          connection.connected = true;
          return connection;
        }
        forget();
        // A connection that was lost is replaced; one that was never established is a failure.
        if (!connection.connected) {
          throw (
            connection.manager.error() ?? new ConnectError('connection failed', Code.Unavailable)
          );
        }
      }
    },
    close(): void {
      isClosed = true;
      for (const { manager } of connections) manager.abort();
    },
  };
};

const clientsOf = (origin: string, manager: Http2SessionManager) => {
  const transport = createGrpcTransport({
    baseUrl: origin,
    sessionManager: manager,
    readMaxBytes: maxStoreResponseBytes,
    acceptCompression: [],
    interceptors: [prepareRequest],
  });
  return { kv: createClient(KV, transport), watch: createClient(Watch, transport) };
};

/**
 * Lets a member without a leader fail the call at once, and resets a stream with CANCEL, as gRPC
 * requires, also after a deadline, where the library would use INTERNAL_ERROR.
 */
const prepareRequest: Interceptor = (next) => (request) => {
  request.header.set('hasleader', 'true');
  const canceled = new AbortController();
  const cancel = (): void => canceled.abort(new ConnectError('canceled', Code.Canceled));
  if (request.signal.aborted) cancel();
  else request.signal.addEventListener('abort', cancel, { once: true });
  return next({ ...request, signal: canceled.signal });
};

/**
 * Returns a manager for a single connection: the TLS files may have changed by the time that
 * another connection is needed, so each connection gets a manager of its own.
 */
const sessionManager = (origin: string, secureContext: SecureContext): Http2SessionManager => {
  let used = false;
  const manager = new Http2SessionManager(
    origin,
    { pingIntervalMs: etcdPingIntervalMs, pingTimeoutMs: memberCallTimeoutMs },
    {
      createConnection: (authority) => {
        if (used) throw new ConnectError('connection lost', Code.Unavailable);
        used = true;
        setTimeout(() => {
          if (manager.state() !== 'connecting') return;
          manager.abort(new ConnectError('connection timed out', Code.Unavailable));
        }, storeCallTimeoutMs).unref();
        return socketTo(authority, secureContext);
      },
    },
  );
  return manager;
};

const contextOf = ({ certificateAuthority, client }: TlsMaterial): SecureContext =>
  createSecureContext({
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
    ...(client === undefined ? {} : { cert: client.certificate, key: reveal(client.key) }),
    minVersion: 'TLSv1.2',
  });

const socketTo = ({ protocol, hostname, port }: URL, secureContext: SecureContext): Socket => {
  const secure = protocol === 'https:';
  // An IPv6 address is in brackets.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const address = { host, port: port === '' ? (secure ? 443 : 80) : Number(port) };
  if (!secure) return connectTcp(address);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ ...address, ...servername, secureContext, ALPNProtocols: ['h2'] });
};

const isSessionClosed = (manager: Http2SessionManager): boolean =>
  manager.state() === 'closed' || manager.state() === 'error';

/** Returns `undefined` if the promise has not settled in time. */
const withTimeout = async <Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
};
