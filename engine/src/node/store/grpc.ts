/**
 * gRPC over HTTP/2 towards one server, as far as etcd needs it: calls with a deadline, and streams both
 * ways. A connection is made when it is first needed, and again after it was lost.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type Http2Session,
  type IncomingHttpHeaders,
} from 'node:http2';
import { reveal, type Secret } from '../../model/secret.ts';
import { maxStoreAnswerBytes, memberCallMs, storeCallMs } from './limits.ts';

export interface TlsMaterial {
  /** PEM; the system's roots where absent. */
  readonly certificateAuthority?: string;
  readonly client?: { readonly certificate: string; readonly key: Secret<string> };
}

export interface GrpcServer {
  /** Rejects with a `GrpcError`. */
  call(method: string, message: Uint8Array, timeoutMs: number): Promise<Uint8Array>;
  /** Open until it is closed, or fails. */
  open(method: string): GrpcStream;
  close(): void;
}

export interface GrpcStream {
  send(message: Uint8Array): void;
  /** Rejects with a `GrpcError` when the stream ends in any way but by `close`. */
  readonly messages: AsyncIterable<Uint8Array>;
  close(): void;
}

/** A call that failed, with its code. */
export class GrpcError extends Error {
  /** As gRPC numbers them: 4 deadline, 11 out of range, 14 unavailable. */
  readonly code: number;
  /** May the server have got the message? */
  readonly sent: boolean;
  constructor(code: number, message: string, sent: boolean) {
    super(message);
    this.name = 'GrpcError';
    this.code = code;
    this.sent = sent;
  }
}

const prefixLength = 5;

/** `readTls` is asked for each new connection: files may have changed. */
export const grpcServer = (origin: string, readTls: () => Promise<TlsMaterial>): GrpcServer => {
  let session: Promise<ClientHttp2Session> | undefined;
  let closed = false;

  const connected = (): Promise<ClientHttp2Session> => {
    session ??= connectTo(origin, readTls, () => {
      session = undefined;
    });
    return session;
  };
  const request = async (method: string): Promise<ClientHttp2Stream> => {
    if (closed) throw new GrpcError(14, 'closed', false);
    const open = await connected().catch((cause: unknown) => {
      session = undefined;
      throw new GrpcError(14, `${origin}: ${reasonOf(cause)}`, false);
    });
    return open.request(
      {
        ':method': 'POST',
        ':path': method,
        'content-type': 'application/grpc',
        te: 'trailers',
        // A member that has no leader refuses at once rather than wait for one.
        hasleader: 'true',
      },
      { endStream: false },
    );
  };

  return {
    async call(method, message, timeoutMs) {
      const late = new GrpcError(4, `${origin}: no answer within ${Math.ceil(timeoutMs)} ms`, true);
      let stream: ClientHttp2Stream | undefined;
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          // Nothing was sent where there is no stream yet.
          reject(stream === undefined ? new GrpcError(4, late.message, false) : late);
          stream?.close();
          if (stream?.session !== undefined) endUnlessAlive(stream.session);
        }, timeoutMs);
      });
      const answer = async (): Promise<Uint8Array> => {
        stream = await request(method);
        stream.end(framed(message));
        let last: Uint8Array | undefined;
        for await (const piece of messagesOf(stream, origin)) last = piece;
        if (last === undefined) throw new GrpcError(14, `${origin}: empty answer`, true);
        return last;
      };
      try {
        const answered = answer();
        answered.catch(() => {});
        return await Promise.race([answered, deadline]);
      } finally {
        clearTimeout(timer);
      }
    },
    open(method) {
      const waiting: Uint8Array[] = [];
      let stream: ClientHttp2Stream | undefined;
      let done = false;
      async function* messages(): AsyncGenerator<Uint8Array> {
        try {
          stream = await request(method);
          if (done) return;
          for (const message of waiting.splice(0)) stream.write(framed(message));
          yield* messagesOf(stream, origin);
          throw new GrpcError(14, `${origin}: the stream ended`, true);
        } catch (cause) {
          if (!done) throw cause;
        } finally {
          stream?.close();
        }
      }
      return {
        send(message) {
          if (stream === undefined) waiting.push(message);
          else if (stream.writable) stream.write(framed(message));
        },
        messages: messages(),
        close() {
          done = true;
          stream?.close();
        },
      };
    },
    close() {
      closed = true;
      session?.then(
        (open) => open.destroy(),
        () => {},
      );
    },
  };
};

const connectTo = async (
  origin: string,
  readTls: () => Promise<TlsMaterial>,
  onEnd: () => void,
): Promise<ClientHttp2Session> => {
  const { certificateAuthority, client } = await readTls();
  const session = connect(origin, {
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
    ...(client === undefined ? {} : { cert: client.certificate, key: reveal(client.key) }),
    minVersion: 'TLSv1.2',
  });
  session.on('close', onEnd);
  session.on('goaway', onEnd);
  const timer = setTimeout(() => session.destroy(new Error('connection timed out')), storeCallMs);
  session.once('close', () => clearTimeout(timer));
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    session.once('close', () => reject(new Error('connection closed')));
    session.once('connect', () => {
      clearTimeout(timer);
      resolve(session);
    });
  });
};

/** A connection on which a call got no answer may be dead without knowing it. */
const endUnlessAlive = (session: Http2Session): void => {
  if (session.destroyed) return;
  const timer = setTimeout(() => session.destroy(), memberCallMs);
  session.ping(() => clearTimeout(timer));
};

/** A byte that says "not packed", the length, the message. */
const framed = (message: Uint8Array): Buffer => {
  const frame = Buffer.alloc(prefixLength + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, prefixLength);
  return frame;
};

/** Messages as they come; rejects unless the server says that all is well. */
async function* messagesOf(stream: ClientHttp2Stream, origin: string): AsyncGenerator<Uint8Array> {
  let status: IncomingHttpHeaders | undefined;
  stream.on('response', (headers) => {
    if (headers[':status'] !== 200)
      status = { 'grpc-status': '14', 'grpc-message': `HTTP status ${headers[':status']}` };
    // An answer without a message has its status here.
    else if (headers['grpc-status'] !== undefined) status = headers;
  });
  stream.on('trailers', (headers) => {
    status ??= headers;
  });
  try {
    let held = Buffer.alloc(0);
    for await (const chunk of stream) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      while (held.length >= prefixLength) {
        const length = held.readUInt32BE(1);
        if (held[0] !== 0 || length > maxStoreAnswerBytes) {
          throw new GrpcError(14, `${origin}: an answer that cannot be read`, true);
        }
        if (held.length < prefixLength + length) break;
        yield held.subarray(prefixLength, prefixLength + length);
        held = held.subarray(prefixLength + length);
      }
    }
  } catch (cause) {
    if (cause instanceof GrpcError) throw cause;
    throw new GrpcError(14, `${origin}: ${reasonOf(cause)}`, true);
  }
  const code = Number(status?.['grpc-status'] ?? 14);
  if (code === 0) return;
  const words = String(status?.['grpc-message'] ?? 'connection lost');
  throw new GrpcError(code, `${origin}: ${unescaped(words)}`, true);
}

/** Messages come percent-encoded. */
const unescaped = (words: string): string => {
  try {
    return decodeURIComponent(words);
  } catch {
    return words;
  }
};

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && cause.message !== '' ? cause.message : 'connection failed';
