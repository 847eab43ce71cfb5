/** HTTP/2: a stream as an `Incoming`, and a reply onto it. */
import { constants, type Http2Session, type ServerHttp2Stream, sensitiveHeaders } from 'node:http2';
import { TLSSocket } from 'node:tls';
import { firstHeader } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import { rememberRecent } from '../remember-recent.ts';
import type { Reply } from '../reply.ts';
import { peerCertificates } from '../tls/peer-certificates.ts';
import type { BodyBytes, Incoming, RequestHead } from './exchange.ts';
import { headOf } from './http2-head.ts';
import { readBody } from './read-body.ts';
import type { RequestLife } from './request-life.ts';
import { type OpenStreams, sendStream } from './send-stream.ts';

/** `raw`: names and values in turn, pseudo fields among them. */
export class Http2Incoming implements Incoming {
  readonly head: RequestHead;
  readonly connection: object;
  readonly certificates: PeerCertificates | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #life: RequestLife;

  constructor(stream: ServerHttp2Stream, raw: readonly string[], life: RequestLife) {
    const { session } = stream;
    this.head = headOf(session ?? stream, raw);
    this.connection = session ?? stream;
    this.certificates = session && peerCertificates(session, () => socketOf(session));
    this.#stream = stream;
    this.#life = life;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  readBody(limit: number): Promise<BodyBytes> {
    const stream = this.#stream;
    if (expectsContinue(this.head) && !stream.destroyed) {
      stream.additionalHeaders({ ':status': 100 });
    }
    return readBody(stream, limit, {
      // A stream also ends when its connection does, or when either side has closed it.
      isWhole: ({ closed }) => !closed,
      onBroken: (call) => this.#life.onCut(call),
    });
  }

  giveUp(): void {
    this.#life.cut();
  }
}

const expectsContinue = ({ headers }: RequestHead): boolean =>
  firstHeader(headers, 'expect')?.toLowerCase() === '100-continue';

const socketOf = (session: Http2Session): TLSSocket | undefined =>
  !session.destroyed && session.socket instanceof TLSSocket ? session.socket : undefined;

const life = Symbol('life');

interface LivingStream extends ServerHttp2Stream {
  [life]?: RequestLife | undefined;
}

/** A stream that closes cuts the life, until `letGo`. */
export const tie = (stream: LivingStream, its: RequestLife): void => {
  stream[life] = its;
  stream.on('error', ignore).on('close', cutLife);
};

/** Node holds a stream long after its end, with all that hangs on it. */
export const letGo = (stream: LivingStream): void => {
  stream[life] = undefined;
};

function cutLife(this: LivingStream): void {
  this[life]?.cut();
}

const ignore = (): void => {};

/** Writes the reply; `close` asks the client to go, with everything at work still answered. */
export const replyOnHttp2 = (
  stream: ServerHttp2Stream,
  reply: Reply,
  { method, streams }: { readonly method: string; readonly streams: OpenStreams },
): void => {
  if (stream.destroyed || stream.closed || stream.headersSent) {
    if (reply.stream !== undefined) void sendStream(stream, reply.stream, streams);
    return;
  }
  const { session } = stream;
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const headers: ReplyHeaders = { ':status': reply.status, [sensitiveHeaders]: unindexed };
  for (const [name, value] of reply.headers) addHeader(headers, lowerName(name), value);
  const isHead = method === 'HEAD';
  if (reply.stream !== undefined && !isHead) {
    stream.respond(headers);
    stream.resume();
    void sendStream(stream, reply.stream, streams);
    return;
  }
  headers['content-length'] = body.length;
  stream.respond(headers, { endStream: isHead });
  if (!isHead) stream.end(body);
  if (!stream.readableEnded) throwAwayRest(stream);
  if (reply.close && session !== undefined && !session.closed) session.close();
};

const lingerMs = 500;

/** What is still coming of the body is thrown away for a short time; then the stream is over. */
const throwAwayRest = (stream: ServerHttp2Stream): void => {
  stream.resume();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs);
  stream.once('close', () => clearTimeout(timer));
};

type ReplyHeaders = Record<string | symbol, string | string[] | number>;

/** No two answers have the same: remembered for a later one it would only push out what comes again. */
const unindexed = ['audit-id'];

const lowerName = rememberRecent((name) => name.toLowerCase());

const addHeader = (headers: ReplyHeaders, name: string, value: string): void => {
  const before = headers[name];
  headers[name] = typeof before === 'string' ? [before, value] : value;
  if (Array.isArray(before)) headers[name] = [...before, value];
};
