/**
 * A stream of an HTTP/2 connection: one request and its response (RFC 9113, sections 5 and 8.1).
 */
import { Writable } from 'node:stream';
import { allHeaders } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import type { ResponseStream } from '../http/handler-response.ts';
import type { BodyBytes, IncomingRequest, RawRequest } from '../http/incoming-request.ts';
import type { OutgoingResponse } from '../http/outgoing-response.ts';
import type { RequestLifetime } from '../http/request-lifetime.ts';
import { type OpenStreams, releaseStream, sendStream } from '../http/send-stream.ts';
import { http2Limits } from '../limits.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { weights } from '../memory/memory-budget.ts';
import { type ErrorCode, errorCodes } from './frame.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { ReceiveWindow } from './receive-window.ts';
import { ReceivedBody } from './received-body.ts';
import { isTrailer } from './request-headers.ts';
import type { ResponseFrames } from './response-frames.ts';
import type { Outgoing, Sender } from './sender.ts';

/** The connection of a stream, as the stream uses it. */
export interface StreamHost {
  /** Assigns the event loop time of the connection to the user. */
  setUsername(username: string): void;
  readonly clientAddress: string;
  readonly certificates: PeerCertificates | undefined;
  readonly sender: Sender;
  readonly frames: ResponseFrames;
  readonly openStreams: OpenStreams;
  readonly memory: ConnectionMemory;
  /** Releases bytes of the stream, so that the client may send as many again. */
  releaseBytes(stream: Http2Stream, bytes: number): void;
  /** Resets the stream without calling it. */
  reset(stream: Http2Stream, code: ErrorCode): void;
  /** Called when both sides have ended the stream. */
  onStreamClosed(stream: Http2Stream): void;
  /** Sends GOAWAY: no new requests are accepted. */
  goAway(): void;
}

/** Properties of a new stream. */
export interface StreamOptions {
  readonly id: number;
  readonly request: RawRequest;
  /** True if the request has no body or it has ended. */
  readonly isComplete: boolean;
  readonly bodyBytes: number | undefined;
  /** The initial flow-control window for the response. */
  readonly window: number;
}

/** A request until it is answered, and its response until it is sent. */
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
  /** The memory of the connection that the header fields hold. */
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

  get isCanceled(): boolean {
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

  abandon(): void {
    this.#lifetime.cancel();
  }

  /** Marks the request as processed. */
  markServed(): void {
    this.#isServed = true;
    this.#releaseHeaders();
  }

  /** Buffers body data that was not read in this turn of the event loop. */
  retainBody(): void {
    this.#body.retain();
  }

  /**
   * Adds body data, which `retainBody` buffers; returns an error code if it is not as announced.
   */
  receive(bytes: Buffer): ErrorCode | undefined {
    return this.#body.add(bytes);
  }

  /** Ends the body, with or without trailers; returns an error code if it is not as announced. */
  end(): ErrorCode | undefined {
    const problem = this.#body.end();
    if (problem === undefined && this.#hasEnded) this.#close();
    return problem;
  }

  /** Validates the trailer section and ignores its fields: trailers never carry credentials. */
  receiveTrailers({ fields, endsStream, isTruncated }: HeaderBlock): ErrorCode | undefined {
    if (this.#body.isComplete) return errorCodes.streamClosed;
    return endsStream && !isTruncated && fields.every(isTrailer) ? this.end() : errorCodes.protocol;
  }

  /** Cancels the stream: the client is gone, or the stream was reset. */
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

  respond(response: OutgoingResponse): void {
    this.#lifetime.end();
    this.#hasResponded = true;
    const isHead = this.request.method === 'HEAD';
    if (response.stream !== undefined && (this.#isGone || isHead))
      void releaseStream(response.stream);
    if (this.#isGone) return;
    // Sent before the response, so that a client which has read it does not send another request.
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

  /** Sends a piece of a streamed response or its end; calls `onSent` once it is sent. */
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

  /** Resets the stream of a response that cannot be completed. */
  abort(): void {
    if (!this.#hasEnded && !this.#isGone) this.#host.reset(this, errorCodes.internal);
  }

  #sendWhole(response: OutgoingResponse, isHead: boolean): void {
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
      // The client can retry a GET.
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

  /**
   * Ends the response. The rest of the body is discarded for a limited time; then the stream is
   * reset.
   */
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

  /** Releases the header fields once the request is processed and the stream is closed. */
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
  /** True if the response ends after the piece. */
  readonly isLast: boolean;
  readonly onSent: () => void;
}

/** A writable for the pieces of a streamed response. */
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
