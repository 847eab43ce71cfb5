/** One request of a connection and its answer (RFC 9113, section 5 and 8.1). */
import { Writable } from 'node:stream';
import { allHeaders } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import type { ResponseStream } from '../http/handler-response.ts';
import type { SentResponse } from '../http/sent-response.ts';
import type { BodyBytes, IncomingRequest, RawRequest } from '../http/exchange.ts';
import type { RequestLifetime } from '../http/request-lifetime.ts';
import { releaseStream, type OpenStreams, sendStream } from '../http/send-stream.ts';
import { http2Limits } from '../limits.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { weights } from '../memory/memory-budget.ts';
import type { ResponseFrames } from './response-frames.ts';
import { type ErrorCode, errorCodes } from './frame.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { ReceiveWindow } from './receive-window.ts';
import { ReceivedBody } from './received-body.ts';
import { isTrailer } from './request-headers.ts';
import type { Outgoing, Sender } from './sender.ts';

/** What a stream asks of its connection. */
export interface StreamHost {
  /** Assigns the event loop time of the connection to the user. */
  setUsername(username: string): void;
  readonly clientAddress: string;
  readonly certificates: PeerCertificates | undefined;
  readonly sender: Sender;
  readonly frames: ResponseFrames;
  readonly openStreams: OpenStreams;
  readonly memory: ConnectionMemory;
  /** Bytes of the stream were taken up; the client may send as many again. */
  releaseBytes(stream: Http2Stream, bytes: number): void;
  /** Ends the stream, which is told nothing. */
  reset(stream: Http2Stream, code: ErrorCode): void;
  /** Both sides have said all. */
  onStreamClosed(stream: Http2Stream): void;
  /** No new request is taken. */
  goAway(): void;
}

/** What is known of a stream when it opens. */
export interface StreamOptions {
  readonly id: number;
  readonly request: RawRequest;
  /** The request has no body, or it has ended. */
  readonly isComplete: boolean;
  readonly bodyBytes: number | undefined;
  /** Bytes of the answer that the client takes at first. */
  readonly window: number;
}

/** A request until it is answered, and its answer until it has left. */
export class Http2Stream implements IncomingRequest, Outgoing {
  readonly id: number;
  readonly request: RawRequest;
  readonly #host: StreamHost;
  readonly #lifetime: RequestLifetime;
  readonly #body: ReceivedBody;
  readonly receiveWindow = new ReceiveWindow(http2Limits.streamWindow);
  window: number;
  rest: Uint8Array | undefined;
  isLast = false;
  #onSent: (() => void) | undefined;
  #hasResponded = false;
  #hasEnded = false;
  #isGone = false;
  #isServed = false;
  /** What the header fields hold of the memory of the connection. */
  #headerBytes: number;
  #streamedBody: StreamedBody | undefined;
  #lingerTimer: NodeJS.Timeout | undefined;

  constructor(start: StreamOptions, host: StreamHost, lifetime: RequestLifetime) {
    this.id = start.id;
    this.request = start.request;
    this.window = start.window;
    this.#host = host;
    this.#lifetime = lifetime;
    this.#body = new ReceivedBody({
      isComplete: start.isComplete,
      contentLength: start.bodyBytes,
      release: (bytes) => host.releaseBytes(this, bytes),
      memory: host.memory,
    });
    this.#headerBytes = headerWeight(start.request);
    host.memory.headers.add(this.#headerBytes);
  }

  get connection(): object {
    return this.#host;
  }

  get clientAddress(): string {
    return this.#host.clientAddress;
  }

  setUsername(username: string): void {
    this.#host.setUsername(username);
    this.#host.memory.markAuthenticated();
  }

  get certificates(): PeerCertificates | undefined {
    return this.#host.certificates;
  }

  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  get isGivenUp(): boolean {
    return this.#lifetime.isCanceled;
  }

  get isComplete(): boolean {
    return this.#body.isComplete;
  }

  readBody(limit: number): Promise<BodyBytes> {
    const { sender, frames } = this.#host;
    const isAwaited = !this.#body.hasBegun && expects100Continue(this.request);
    if (isAwaited && !this.#isGone && !this.#hasResponded)
      sender.write(frames.continue100(this.id));
    const read = this.#body.read(limit);
    this.#lifetime.onCanceled(() => this.#body.abort());
    return read;
  }

  giveUp(): void {
    this.#lifetime.cancel();
  }

  /** The request is processed. */
  markServed(): void {
    this.#isServed = true;
    this.#releaseHeaders();
  }

  /** Keeps what has arrived of the body and was not read in this turn of the event loop. */
  retainBody(): void {
    this.#body.retain();
  }

  /** Bytes of the body, which `keepBody` keeps; an error code where they are not what was announced. */
  receive(bytes: Buffer): ErrorCode | undefined {
    return this.#body.add(bytes);
  }

  /** The body is whole, trailers or not; an error code where it is not what was announced. */
  end(): ErrorCode | undefined {
    const problem = this.#body.end();
    if (problem === undefined && this.#hasEnded) this.#close();
    return problem;
  }

  /** What stands in trailers is nobody's credential: it is looked at and left. */
  receiveTrailers({ fields, endsStream, isTruncated }: HeaderBlock): ErrorCode | undefined {
    if (this.#body.isComplete) return errorCodes.streamClosed;
    return endsStream && !isTruncated && fields.every(isTrailer) ? this.end() : errorCodes.protocol;
  }

  /** The other side is gone, or the stream was reset: nothing of it is waited for or sent. */
  cancel(): void {
    this.#isGone = true;
    this.#releaseHeaders();
    clearTimeout(this.#lingerTimer);
    this.#lifetime.cancel();
    this.#body.discard();
    this.#host.sender.forget(this);
    this.rest = undefined;
    this.#streamedBody?.destroy();
  }

  respond(response: SentResponse): void {
    this.#lifetime.end();
    this.#hasResponded = true;
    const isHead = this.request.method === 'HEAD';
    if (response.stream !== undefined && (this.#isGone || isHead))
      void releaseStream(response.stream);
    if (this.#isGone) return;
    // Before the answer, so that nobody asks again who has read it.
    if (response.close) this.#host.goAway();
    const { sender, frames } = this.#host;
    if (response.stream !== undefined && !isHead) {
      sender.write(frames.response({ id: this.id, response }));
      this.#sendStreamed(response.stream);
    } else {
      this.#sendWhole(response, isHead);
    }
    this.#body.discard();
  }

  onSent(): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    if (this.isLast) this.#markEnded();
    onSent?.();
  }

  /** Sends a piece of the answer, or its end; `onSent` once it has left. */
  sendPiece({ piece, isLast, onSent }: ResponsePiece): void {
    if (this.#isGone) {
      onSent();
      return;
    }
    this.rest = piece;
    this.isLast = isLast;
    this.#onSent = onSent;
    this.#host.sender.send(this);
  }

  /** An answer that can't be ended well. */
  abort(): void {
    if (!this.#hasEnded && !this.#isGone) this.#host.reset(this, errorCodes.internal);
  }

  #sendWhole(response: SentResponse, isHead: boolean): void {
    const { sender, frames } = this.#host;
    const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
    const bytes = body.length;
    if (isHead || bytes === 0) {
      sender.write(frames.response({ id: this.id, response, bytes, endsStream: true }));
      this.#markEnded();
    } else if (sender.hasRoom(this, bytes)) {
      sender.write(frames.response({ id: this.id, response, bytes, body }));
      sender.spend(this, bytes);
      this.#markEnded();
    } else if (this.request.method === 'GET' && sender.waitingBytes > http2Limits.waitingBytes) {
      // It can be asked for again.
      this.#host.reset(this, errorCodes.refusedStream);
    } else {
      sender.write(frames.response({ id: this.id, response, bytes }));
      this.rest = body;
      this.isLast = true;
      sender.send(this);
    }
  }

  #sendStreamed(stream: ResponseStream): void {
    this.#streamedBody = new StreamedBody(this);
    const { openStreams: open, memory } = this.#host;
    void sendStream(this.#streamedBody, stream, { open, held: memory.responses });
  }

  /** What is still coming of the body is thrown away for a short time; then the stream is over. */
  #markEnded(): void {
    this.#hasEnded = true;
    if (this.#body.isComplete) {
      this.#close();
      return;
    }
    this.#lingerTimer = setTimeout(
      () => this.#host.reset(this, errorCodes.none),
      http2Limits.lingerMs,
    );
  }

  #close(): void {
    clearTimeout(this.#lingerTimer);
    this.#isGone = true;
    this.#releaseHeaders();
    this.#host.onStreamClosed(this);
  }

  /** The header fields are kept while the request is processed, and while the stream is open. */
  #releaseHeaders(): void {
    if (!this.#isServed || !this.#isGone) return;
    this.#host.memory.headers.add(-this.#headerBytes);
    this.#headerBytes = 0;
  }
}

const headerWeight = ({ headers, rawTarget }: RawRequest): number => {
  let bytes = weights.stream + rawTarget.length;
  for (const { name, value } of headers) bytes += weights.field + name.length + value.length;
  return bytes;
};

const expects100Continue = ({ headers }: RawRequest): boolean =>
  allHeaders(headers, 'expect').some((value) =>
    /(?:^|,)[ \t]*100-continue[ \t]*(?:,|$)/i.test(value),
  );

interface ResponsePiece {
  readonly piece: Uint8Array;
  /** Does the answer end behind it? */
  readonly isLast: boolean;
  readonly onSent: () => void;
}

/** An answer that comes piece by piece. */
class StreamedBody extends Writable {
  readonly #stream: Http2Stream;

  constructor(stream: Http2Stream) {
    super();
    this.#stream = stream;
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.#stream.sendPiece({ piece, isLast: false, onSent: done });
  }

  override _final(done: () => void): void {
    this.#stream.sendPiece({ piece: Buffer.alloc(0), isLast: true, onSent: done });
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#stream.abort();
    done();
  }
}
