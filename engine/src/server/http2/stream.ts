/** One request of a connection and its answer (RFC 9113, section 5 and 8.1). */
import { Writable } from 'node:stream';
import { allHeaders } from '../../model/header-list.ts';
import type { PeerCertificates } from '../../model/request.ts';
import type { AnswerStream } from '../http/answer.ts';
import type { Reply } from '../http/complete-answer.ts';
import type { BodyBytes, Incoming, RequestHead } from '../http/exchange.ts';
import type { RequestLife } from '../http/request-life.ts';
import { giveBack, type OpenStreams, sendStream } from '../http/send-stream.ts';
import { http2Limits } from '../limits.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { weights } from '../memory/memory-budget.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { type ErrorCode, errorCodes } from './frame.ts';
import type { HeadBlock } from './header-blocks.ts';
import { ReceiveWindow } from './receive-window.ts';
import { ReceivedBody } from './received-body.ts';
import { isTrailer } from './request-headers.ts';
import type { Outgoing, Sender } from './sender.ts';

/** What a stream asks of its connection. */
export interface StreamHost {
  /** Assigns the event loop time of the connection to the user. */
  knownAs(username: string): void;
  readonly clientAddress: string;
  readonly certificates: PeerCertificates | undefined;
  readonly sender: Sender;
  readonly frames: AnswerFrames;
  readonly openStreams: OpenStreams;
  readonly memory: ConnectionMemory;
  /** Bytes of the stream were taken up; the client may send as many again. */
  takenUp(stream: Http2Stream, bytes: number): void;
  /** Ends the stream, which is told nothing. */
  reset(stream: Http2Stream, code: ErrorCode): void;
  /** Both sides have said all. */
  closed(stream: Http2Stream): void;
  /** No new request is taken. */
  goAway(): void;
}

/** What is known of a stream when it opens. */
export interface StreamStart {
  readonly id: number;
  readonly head: RequestHead;
  /** The request has no body, or it has ended. */
  readonly isWhole: boolean;
  readonly bodyBytes: number | undefined;
  /** Bytes of the answer that the client takes at first. */
  readonly window: number;
}

/** A request until it is answered, and its answer until it has left. */
export class Http2Stream implements Incoming, Outgoing {
  readonly id: number;
  readonly head: RequestHead;
  readonly #host: StreamHost;
  readonly #life: RequestLife;
  readonly #body: ReceivedBody;
  readonly receiveWindow = new ReceiveWindow(http2Limits.streamWindow);
  window: number;
  rest: Uint8Array | undefined;
  isLast = false;
  #onSent: (() => void) | undefined;
  #isAnswered = false;
  #hasEnded = false;
  #isGone = false;
  #isServed = false;
  /** What the header fields hold of the memory of the connection. */
  #headerBytes: number;
  #piecewise: AnswerBody | undefined;
  #lingering: NodeJS.Timeout | undefined;

  constructor(start: StreamStart, host: StreamHost, life: RequestLife) {
    this.id = start.id;
    this.head = start.head;
    this.window = start.window;
    this.#host = host;
    this.#life = life;
    this.#body = new ReceivedBody({
      isWhole: start.isWhole,
      announced: start.bodyBytes,
      takenUp: (bytes) => host.takenUp(this, bytes),
      memory: host.memory,
    });
    this.#headerBytes = headerWeight(start.head);
    host.memory.headers.add(this.#headerBytes);
  }

  get connection(): object {
    return this.#host;
  }

  get clientAddress(): string {
    return this.#host.clientAddress;
  }

  knownAs(username: string): void {
    this.#host.knownAs(username);
    this.#host.memory.authenticated();
  }

  get certificates(): PeerCertificates | undefined {
    return this.#host.certificates;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get isGivenUp(): boolean {
    return this.#life.isCut;
  }

  get isWhole(): boolean {
    return this.#body.isWhole;
  }

  readBody(limit: number): Promise<BodyBytes> {
    const { sender, frames } = this.#host;
    const isAwaited = !this.#body.hasBegun && expectsContinue(this.head);
    if (isAwaited && !this.#isGone && !this.#isAnswered) sender.write(frames.goOn(this.id));
    const read = this.#body.read(limit);
    this.#life.onCut(() => this.#body.break());
    return read;
  }

  giveUp(): void {
    this.#life.cut();
  }

  /** The request is processed. */
  served(): void {
    this.#isServed = true;
    this.#releaseHeaders();
  }

  /** Keeps what has arrived of the body and was not read in this turn of the event loop. */
  keepBody(): void {
    this.#body.keep();
  }

  /** Bytes of the body, which `keepBody` keeps; an error code where they are not what was announced. */
  receive(bytes: Buffer): ErrorCode | undefined {
    return this.#body.take(bytes);
  }

  /** The body is whole, trailers or not; an error code where it is not what was announced. */
  end(): ErrorCode | undefined {
    const problem = this.#body.end();
    if (problem === undefined && this.#hasEnded) this.#close();
    return problem;
  }

  /** What stands in trailers is nobody's credential: it is looked at and left. */
  takeTrailers({ fields, endsStream, isCut }: HeadBlock): ErrorCode | undefined {
    if (this.#body.isWhole) return errorCodes.streamClosed;
    return endsStream && !isCut && fields.every(isTrailer) ? this.end() : errorCodes.protocol;
  }

  /** The other side is gone, or the stream was reset: nothing of it is waited for or sent. */
  cut(): void {
    this.#isGone = true;
    this.#releaseHeaders();
    clearTimeout(this.#lingering);
    this.#life.cut();
    this.#body.throwAway();
    this.#host.sender.forget(this);
    this.rest = undefined;
    this.#piecewise?.destroy();
  }

  answer(reply: Reply): void {
    this.#life.end();
    this.#isAnswered = true;
    const isHead = this.head.method === 'HEAD';
    if (reply.stream !== undefined && (this.#isGone || isHead)) void giveBack(reply.stream);
    if (this.#isGone) return;
    // Before the answer, so that nobody asks again who has read it.
    if (reply.close) this.#host.goAway();
    const { sender, frames } = this.#host;
    if (reply.stream !== undefined && !isHead) {
      sender.write(frames.answer({ id: this.id, reply }));
      this.#sendPiecewise(reply.stream);
    } else {
      this.#sendWhole(reply, isHead);
    }
    this.#body.throwAway();
  }

  onSent(): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    if (this.isLast) this.#ended();
    onSent?.();
  }

  /** Sends a piece of the answer, or its end; `onSent` once it has left. */
  sendPiece({ piece, isLast, onSent }: AnswerPiece): void {
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
  breakOff(): void {
    if (!this.#hasEnded && !this.#isGone) this.#host.reset(this, errorCodes.internal);
  }

  #sendWhole(reply: Reply, isHead: boolean): void {
    const { sender, frames } = this.#host;
    const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
    const bytes = body.length;
    if (isHead || bytes === 0) {
      sender.write(frames.answer({ id: this.id, reply, bytes, isLast: true }));
      this.#ended();
    } else if (sender.hasRoom(this, bytes)) {
      sender.write(frames.answer({ id: this.id, reply, bytes, body }));
      sender.spend(this, bytes);
      this.#ended();
    } else if (this.head.method === 'GET' && sender.waitingBytes > http2Limits.waitingBytes) {
      // It can be asked for again.
      this.#host.reset(this, errorCodes.refusedStream);
    } else {
      sender.write(frames.answer({ id: this.id, reply, bytes }));
      this.rest = body;
      this.isLast = true;
      sender.send(this);
    }
  }

  #sendPiecewise(stream: AnswerStream): void {
    this.#piecewise = new AnswerBody(this);
    const { openStreams: open, memory } = this.#host;
    void sendStream(this.#piecewise, stream, { open, held: memory.answers });
  }

  /** What is still coming of the body is thrown away for a short time; then the stream is over. */
  #ended(): void {
    this.#hasEnded = true;
    if (this.#body.isWhole) {
      this.#close();
      return;
    }
    this.#lingering = setTimeout(
      () => this.#host.reset(this, errorCodes.none),
      http2Limits.lingerMs,
    );
  }

  #close(): void {
    clearTimeout(this.#lingering);
    this.#isGone = true;
    this.#releaseHeaders();
    this.#host.closed(this);
  }

  /** The header fields are kept while the request is processed, and while the stream is open. */
  #releaseHeaders(): void {
    if (!this.#isServed || !this.#isGone) return;
    this.#host.memory.headers.add(-this.#headerBytes);
    this.#headerBytes = 0;
  }
}

const headerWeight = ({ headers, rawTarget }: RequestHead): number => {
  let bytes = weights.stream + rawTarget.length;
  for (const { name, value } of headers) bytes += weights.field + name.length + value.length;
  return bytes;
};

const expectsContinue = ({ headers }: RequestHead): boolean =>
  allHeaders(headers, 'expect').some((value) =>
    /(?:^|,)[ \t]*100-continue[ \t]*(?:,|$)/i.test(value),
  );

interface AnswerPiece {
  readonly piece: Uint8Array;
  /** Does the answer end behind it? */
  readonly isLast: boolean;
  readonly onSent: () => void;
}

/** An answer that comes piece by piece. */
class AnswerBody extends Writable {
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
    this.#stream.breakOff();
    done();
  }
}
