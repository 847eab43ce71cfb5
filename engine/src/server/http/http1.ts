/** HTTP/1.1: a request of Node's parser as an `Incoming`, and a reply onto its connection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { firstHeader, headerList } from '../../model/header-list.ts';
import { bodyLimits } from '../limits.ts';
import type { Http1Memory } from '../memory/http1-memory.ts';
import { peerCertificates } from '../tls/peer-certificates.ts';
import type { Reply } from './complete-answer.ts';
import type { Incoming } from './exchange.ts';
import { readBody } from './read-body.ts';
import type { RequestLife } from './request-life.ts';
import { giveBack, type OpenStreams, sendStream } from './send-stream.ts';

/** What a body may have left unread before the connection is given up instead of drained. */
const drainLimit = 256 * 1024;

/** A request of Node's parser, and what its connection holds. */
export interface Http1Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly memory: Http1Memory;
}

export const incomingOfHttp1 = ({
  request,
  response,
  life,
  knownAs,
  memory,
}: Http1Request & Pick<Incoming, 'knownAs'> & { readonly life: RequestLife }): Incoming => {
  const headers = headerList(request.rawHeaders);
  const expectsContinue = firstHeader(headers, 'expect')?.toLowerCase() === '100-continue';
  return {
    head: {
      method: request.method ?? '',
      rawTarget: request.url ?? '',
      headers,
      fieldCount: headers.length,
      httpMajor: 1,
      httpMinor: request.httpVersionMinor,
    },
    connection: request.socket,
    get clientAddress() {
      return request.socket.remoteAddress ?? '';
    },
    certificates: peerCertificates(request.socket),
    get signal() {
      return life.signal;
    },
    get isGivenUp() {
      return life.isCut;
    },
    get isWhole() {
      return request.complete;
    },
    readBody(limit) {
      const announced = Number(firstHeader(headers, 'content-length') ?? '0');
      if (announced > limit) return Promise.resolve({ kind: 'tooLarge' });
      if (expectsContinue && !response.headersSent) response.writeContinue();
      return readBody(request, limit, {
        memory,
        onClosed: (call) => response.once('close', call),
        onBroken(call) {
          life.onCut(call);
          request.on('error', call).on('close', call);
        },
      });
    },
    knownAs,
    giveUp() {
      life.cut();
    },
  };
};

/** Writes the reply; a connection whose body was not read to the end is closed. */
export const replyOnHttp1 = (
  { request, response, memory }: Http1Request,
  reply: Reply,
  { closing, streams }: { readonly closing: boolean; readonly streams: OpenStreams },
): void => {
  const isGone = response.destroyed || response.headersSent;
  const isHead = request.method === 'HEAD';
  if (reply.stream !== undefined && (isGone || isHead)) void giveBack(reply.stream);
  if (isGone) return;
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  response.statusCode = reply.status;
  for (const [name, value] of reply.headers) response.appendHeader(name, value);
  if (reply.stream !== undefined && !isHead) {
    if (reply.close || closing) response.setHeader('Connection', 'close');
    else if (request.headers.connection === undefined) response.removeHeader('Connection');
    response.flushHeaders();
    void sendStream(response, reply.stream, { open: streams, held: memory.connection.answers });
    return;
  }
  if (body.length > 0) holdUntilSent(response, body.length, memory);
  response.setHeader('Content-Length', body.length);
  const lingers = leavesBody(request);
  if (reply.close || closing || lingers) response.setHeader('Connection', 'close');
  // Without this Node tells its keep-alive time, which the real server does not.
  else if (request.headers.connection === undefined) response.removeHeader('Connection');
  if (isHead) response.end();
  else if (lingers) linger({ request, response, memory }, body);
  else response.end(body);
};

/** The response counts until it was handed to the system, or the connection is gone. */
const holdUntilSent = (response: ServerResponse, bytes: number, memory: Http1Memory): void => {
  const { answers } = memory.connection;
  answers.add(bytes);
  response.once('close', () => answers.add(-bytes));
};

const lingerMs = 500;
const lingerBytes = 2 * bodyLimits.bytes;

/**
 * Answers, and only then closes: a client still sending would lose the answer to a reset. What it
 * sends meanwhile is thrown away, for a short time and up to a limit.
 */
const linger = ({ request, response, memory }: Http1Request, body: Uint8Array): void => {
  response.write(body);
  let thrownAway = 0;
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', onData);
    response.end();
  };
  const onData = (chunk: Uint8Array): void => {
    memory.bodyRead();
    thrownAway += chunk.length;
    if (thrownAway > lingerBytes) end();
  };
  const timer = setTimeout(end, lingerMs);
  request.on('data', onData).once('end', end).once('close', end);
  request.resume();
};

const leavesBody = (request: IncomingMessage): boolean => {
  if (request.complete) return false;
  // Somebody read it and could not wait for its end.
  if (request.readableFlowing !== null) return true;
  const headers = headerList(request.rawHeaders);
  const length = firstHeader(headers, 'content-length');
  const isExpected = firstHeader(headers, 'expect') !== undefined;
  return length === undefined || isExpected || Number(length) > drainLimit;
};

const parserAnswers: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

const refused = new WeakSet<Duplex>();

/** Bytes that are no request: one plain line, and the connection is over. */
export const refuseBrokenRequest = (code: string, socket: Duplex): void => {
  // Node tells of each piece that still comes.
  if (refused.has(socket)) return;
  refused.add(socket);
  refuseOnSocket(parserAnswers.get(code) ?? '400 Bad Request', socket);
};

/** `400 Bad Request` and the end of the connection. */
export const refuseOnSocket = (status: string, socket: Duplex): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain; charset=utf-8',
    'Connection: close',
    `Content-Length: ${status.length}`,
  ];
  const answer = `${head.join('\r\n')}\r\n\r\n${status}`;
  if (!status.startsWith('431')) {
    socket.end(answer);
    return;
  }
  socket.write(answer);
  // Who is still sending would lose the answer to a reset.
  const end = (): void => {
    clearTimeout(timer);
    socket.off('data', onData);
    socket.end();
  };
  let thrownAway = 0;
  const onData = (chunk: Uint8Array): void => {
    thrownAway += chunk.length;
    if (thrownAway > lingerBytes) end();
  };
  const timer = setTimeout(end, lingerMs);
  socket.on('data', onData).once('end', end).once('close', end);
  socket.resume();
};
