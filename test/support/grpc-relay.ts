/**
 * An HTTP/2 server that relays gRPC streams to another server, can send GOAWAY, and records what a
 * client does with connections and streams.
 */
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { listenOnLoopback } from './loopback-server.ts';

export interface RelayedStream {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The error code of the client's RST_STREAM; 0 where the stream ended by itself. */
  resetCode: number;
  closed: boolean;
}

export interface GrpcRelay {
  readonly endpoint: string;
  readonly streams: readonly RelayedStream[];
  /** Connections made until now. */
  connections(): number;
  openConnections(): number;
  /** Sends GOAWAY with NO_ERROR on every open connection; streams go on. */
  goAway(): void;
  stop(): Promise<void>;
}

const hopHeaders = new Set([':authority', ':scheme', 'connection', 'date']);

export const grpcRelay = async (target: string): Promise<GrpcRelay> => {
  const sessions = new Set<ServerHttp2Session>();
  const streams: RelayedStream[] = [];
  let connections = 0;
  let upstream: ClientHttp2Session | undefined;
  const server = createServer();
  server.on('session', (session) => {
    connections += 1;
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const record: RelayedStream = {
      path: String(headers[':path']),
      headers,
      resetCode: 0,
      closed: false,
    };
    streams.push(record);
    if (upstream === undefined || upstream.destroyed) {
      upstream = connect(target);
      upstream.on('error', () => {});
    }
    const sent = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !hopHeaders.has(name)),
    );
    const onward = upstream.request(sent);
    onward.on('error', () => stream.close());
    stream.on('error', () => {});
    let trailers: IncomingHttpHeaders = {};
    onward.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    onward.on('response', (received, flags) => {
      const answered = Object.fromEntries(
        Object.entries(received).filter(([name]) => !hopHeaders.has(name)),
      );
      if (stream.destroyed) return;
      // A response without a body ends with its header block: END_STREAM is flag 1.
      const endStream = (flags & 1) !== 0;
      stream.respond(answered, { endStream, waitForTrailers: !endStream });
      if (!endStream) onward.pipe(stream);
    });
    stream.pipe(onward);
    stream.once('close', () => {
      record.resetCode = stream.rstCode ?? 0;
      record.closed = true;
      onward.close();
    });
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    streams,
    connections: () => connections,
    openConnections: () => sessions.size,
    goAway() {
      for (const session of sessions) session.goaway(0);
    },
    async stop() {
      upstream?.destroy();
      await close();
    },
  };
};
