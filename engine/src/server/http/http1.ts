/** HTTP/1.1: turns requests of Node's parser into `IncomingRequest`s and writes responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { firstHeader, headerList } from '../../model/header-list.ts';
import { bodyLimits } from '../limits.ts';
import type { Http1Memory } from '../memory/http1-memory.ts';
import { peerCertificates } from '../tls/peer-certificates.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
import { readBody } from './read-body.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import { type OpenStreams, releaseStream, sendStream } from './send-stream.ts';

/** Bytes of an unread body up to which the connection is drained and reused instead of closed. */
const drainLimit = 256 * 1024;

/** A request of Node's parser, and the memory that its connection holds. */
export interface Http1Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly memory: Http1Memory;
}

export const incomingFromHttp1 = ({
  request,
  response,
  lifetime,
  setUsername,
  memory,
}: Http1Request &
  Pick<IncomingRequest, 'setUsername'> & {
    readonly lifetime: RequestLifetime;
  }): IncomingRequest => {
  const headers = headerList(request.rawHeaders);
  const expectsContinue = firstHeader(headers, 'expect')?.toLowerCase() === '100-continue';
  return {
    request: {
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
      return lifetime.signal;
    },
    get isCanceled() {
      return lifetime.isCanceled;
    },
    get isComplete() {
      return request.complete;
    },
    readBody(limit) {
      const contentLength = Number(firstHeader(headers, 'content-length') ?? '0');
      if (contentLength > limit) return Promise.resolve({ kind: 'tooLarge' });
      if (expectsContinue && !response.headersSent) response.writeContinue();
      return readBody(request, limit, {
        memory,
        onClosed: (call) => response.once('close', call),
        onBroken(call) {
          lifetime.onCanceled(call);
          request.on('error', call).on('close', call);
        },
      });
    },
    setUsername,
    abandon() {
      lifetime.cancel();
    },
  };
};

/** Writes the response; a connection whose body was not read to the end is closed. */
export const respondOnHttp1 = (
  { request, response, memory }: Http1Request,
  sent: OutgoingResponse,
  { isClosing, streams }: { readonly isClosing: boolean; readonly streams: OpenStreams },
): void => {
  const isGone = response.destroyed || response.headersSent;
  const isHead = request.method === 'HEAD';
  if (sent.stream !== undefined && (isGone || isHead)) void releaseStream(sent.stream);
  if (isGone) return;
  const body = typeof sent.body === 'string' ? Buffer.from(sent.body) : sent.body;
  response.statusCode = sent.status;
  for (const [name, value] of sent.headers) response.appendHeader(name, value);
  if (sent.stream !== undefined && !isHead) {
    if (sent.close || isClosing) response.setHeader('Connection', 'close');
    else if (request.headers.connection === undefined) response.removeHeader('Connection');
    response.flushHeaders();
    void sendStream(response, sent.stream, { open: streams, held: memory.connection.responses });
    return;
  }
  if (body.length > 0) holdUntilSent(response, body.length, memory);
  response.setHeader('Content-Length', body.length);
  const mustLinger = hasUnreadBody(request);
  if (sent.close || isClosing || mustLinger) response.setHeader('Connection', 'close');
  // Otherwise Node announces its keep-alive timeout, which kube-apiserver does not.
  else if (request.headers.connection === undefined) response.removeHeader('Connection');
  if (isHead) response.end();
  else if (mustLinger) linger({ request, response, memory }, body);
  else response.end(body);
};

/**
 * Counts the bytes of the response until they are handed to the system or the connection is gone.
 */
const holdUntilSent = (response: ServerResponse, bytes: number, memory: Http1Memory): void => {
  const { responses } = memory.connection;
  responses.add(bytes);
  response.once('close', () => responses.add(-bytes));
};

const lingerMs = 500;
const lingerBytes = 2 * bodyLimits.bytes;

/**
 * Writes the response and closes the connection later: a client that is still sending would lose
 * the response to a reset. Bytes that arrive meanwhile are discarded, for a limited time and up to
 * a limited number.
 */
const linger = ({ request, response, memory }: Http1Request, body: Uint8Array): void => {
  response.write(body);
  discardInput(
    request,
    () => response.end(),
    () => memory.onBodyRead(),
  );
};

/** Discards what arrives until the end, for a limited time and up to a limited size. */
const discardInput = (source: Readable, onEnd: () => void, onPiece = (): void => {}): void => {
  let discarded = 0;
  const end = (): void => {
    clearTimeout(timer);
    source.off('data', onData);
    onEnd();
  };
  const onData = (chunk: Uint8Array): void => {
    onPiece();
    discarded += chunk.length;
    if (discarded > lingerBytes) end();
  };
  const timer = setTimeout(end, lingerMs);
  source.on('data', onData).once('end', end).once('close', end);
  source.resume();
};

const hasUnreadBody = (request: IncomingMessage): boolean => {
  if (request.complete) return false;
  // Someone began to read the body and stopped before its end.
  if (request.readableFlowing !== null) return true;
  const headers = headerList(request.rawHeaders);
  const length = firstHeader(headers, 'content-length');
  const isExpected = firstHeader(headers, 'expect') !== undefined;
  return length === undefined || isExpected || Number(length) > drainLimit;
};

const statusOfParserError: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

const refusedSockets = new WeakSet<Duplex>();

/** Answers bytes that are not a valid request with a plain-text error and closes the connection. */
export const refuseMalformedRequest = (code: string, socket: Duplex): void => {
  // Node reports every further piece, too.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  refuseOnSocket(statusOfParserError.get(code) ?? '400 Bad Request', socket);
};

/**
 * Writes a status line such as `400 Bad Request` with the same text as the body, and closes the
 * connection.
 */
export const refuseOnSocket = (status: string, socket: Duplex): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain; charset=utf-8',
    'Connection: close',
    `Content-Length: ${status.length}`,
  ];
  const message = `${lines.join('\r\n')}\r\n\r\n${status}`;
  if (!status.startsWith('431')) {
    socket.end(message);
    return;
  }
  socket.write(message);
  // A client that is still sending would lose the response to a reset.
  discardInput(socket, () => socket.end());
};
