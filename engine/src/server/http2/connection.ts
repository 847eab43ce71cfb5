/**
 * A connection that speaks HTTP/2 (RFC 9113), over the socket of its handshake: frames in, requests to
 * the handler, answers out. Our own, since a request costs `node:http2` more time than all that is
 * decided about it; what comes is judged as Go's server does, which the clients of an API server know.
 */
import type { TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../model/request.ts';
import type { OpenStreams } from '../http/send-stream.ts';
import { connectionLimits, http2Limits } from '../limits.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { peerCertificates } from '../tls/peer-certificates.ts';
import { AbuseBudget } from './abuse-budget.ts';
import { AnswerFrames } from './answer-frames.ts';
import {
  ConnectionError,
  calmDown,
  flowControlError,
  protocolError,
  weakCipher,
  wrongSize,
} from './connection-error.ts';
import {
  type ErrorCode,
  errorCodes,
  type FrameHead,
  frameFlags,
  frameTypes,
  mostWindow,
  pongFrame,
  resetFrame,
  settingsAcknowledged,
  windowUpdateFrame,
} from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { Pace } from './frame-timeout.ts';
import { Departure } from './graceful-shutdown.ts';
import { type HeadBlock, HeadBlocks } from './header-blocks.ts';
import { contentOf, dependsOnItself } from './payload.ts';
import { hasProhibitedCipher } from './prohibited-cipher.ts';
import { ReadWork } from './read-work.ts';
import { ReceiveWindow } from './receive-window.ts';
import { type RequestOptions, Requests } from './requests.ts';
import { firstWindow, Sender } from './sender.ts';
import { readSettings, settingsOf } from './settings.ts';
import type { Http2Stream, StreamHost } from './stream.ts';
import { Streams } from './streams.ts';

/** Lives as long as its socket. */
export class Http2Connection implements StreamHost {
  readonly #socket: TLSSocket;
  readonly sender: Sender;
  readonly frames = new AnswerFrames();
  readonly certificates: PeerCertificates | undefined;
  readonly openStreams: OpenStreams;
  readonly memory: ConnectionMemory;
  readonly #tellFault: (error: unknown) => void;
  readonly #maxStreams: number;
  readonly #requests: Requests;
  readonly #streams: Streams;
  readonly #reader = new FrameReader((head, payload) => this.#onFrame(head, payload));
  readonly #blocks: HeadBlocks;
  readonly #pace = new Pace();
  readonly #budget: AbuseBudget;
  #hasSettings = false;
  #isAcknowledged = false;
  /** Of the answer of each new stream. */
  #streamWindow = firstWindow;
  readonly #window = new ReceiveWindow(http2Limits.connectionWindow);
  readonly #departure: Departure;
  readonly #work: ReadWork;
  /** Streams whose bodies have grown by the piece that is being read. */
  readonly #fed: Http2Stream[] = [];

  constructor(socket: TLSSocket, options: RequestOptions) {
    this.#socket = socket;
    this.openStreams = options.streams;
    this.#maxStreams = options.maxStreams;
    this.#streams = new Streams(options);
    this.#budget = new AbuseBudget(options);
    this.#tellFault = options.tellFault;
    this.certificates = peerCertificates(socket);
    this.memory = options.memory;
    this.#blocks = new HeadBlocks(options.memory.headers);
    this.sender = new Sender(socket, (isHeld) => this.#work.hold(isHeld), options.memory.answers);
    this.#departure = new Departure(socket, this.sender);
    this.#requests = new Requests(this, options);
    this.sender.write(settingsOf(options));
    this.sender.write(windowUpdateFrame(0, http2Limits.connectionWindow - firstWindow));
    this.#work = new ReadWork(socket, options.loop, (piece) => this.#onData(piece));
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#onClose());
    socket.on('timeout', () => this.#onSilence());
    socket.setTimeout(connectionLimits.idleMs);
    if (hasProhibitedCipher(socket)) this.#fail(weakCipher());
  }

  get clientAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  knownAs(username: string): void {
    this.#work.knownAs(username);
  }

  /** Takes no new request; the connection ends when those at work are answered. */
  goAway(): void {
    this.#departure.begin(this.#streams.lastId);
    this.#endWhenDone();
  }

  takenUp(stream: Http2Stream, bytes: number): void {
    this.#takenUp(bytes);
    if (stream.isWhole || !this.#streams.isOpen(stream)) return;
    const told = stream.receiveWindow.giveBack(bytes);
    if (told > 0) this.sender.write(windowUpdateFrame(stream.id, told));
  }

  reset(stream: Http2Stream, code: ErrorCode): void {
    this.#reset(stream.id, code);
    stream.cut();
    this.#endWhenDone();
  }

  closed(stream: Http2Stream): void {
    this.#streams.remove(stream);
    this.#endWhenDone();
  }

  #onData(piece: Buffer): void {
    if (this.#departure.hasEnded) return;
    try {
      this.#reader.read(piece);
      this.#checkPace();
    } catch (error) {
      this.#fail(error);
    }
    this.#keepBodies();
    this.#endStuck();
    // Without a request at work, nothing that the client sends keeps the connection.
    const { size, idleSince } = this.#streams;
    if (size === 0 && performance.now() - idleSince >= connectionLimits.idleMs) this.goAway();
  }

  #keepBodies(): void {
    for (const stream of this.#fed) stream.keepBody();
    this.#fed.length = 0;
  }

  #onFrame(head: FrameHead, payload: Buffer): void {
    const { type, flags } = head;
    if (!this.#hasSettings) {
      if (type !== frameTypes.settings || (flags & frameFlags.acknowledge) !== 0) {
        throw protocolError('the settings do not come first');
      }
      this.#hasSettings = true;
    }
    this.#blocks.checkOrder(head);
    if (!this.#blocks.isOpen) this.#pace.unit();
    switch (type) {
      case frameTypes.data:
        this.#onBody(head, payload);
        return;
      case frameTypes.headers:
      case frameTypes.continuation:
        this.#onHeadPart(head, payload);
        return;
      case frameTypes.priority:
        this.#onPriority(head, payload);
        return;
      case frameTypes.resetStream:
        this.#onReset(head, payload);
        return;
      case frameTypes.settings:
        this.#onSettings(head, payload);
        return;
      case frameTypes.pushPromise:
        throw protocolError('a client promises nothing');
      case frameTypes.ping:
        this.#onPing(head, payload);
        return;
      case frameTypes.goAway:
        this.#onGoAway(head, payload);
        return;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(head, payload);
        return;
      default:
        this.#budget.idleFrame();
    }
  }

  #onBody(head: FrameHead, payload: Buffer): void {
    const { streamId } = head;
    const content = contentOf(head, payload);
    const isEnd = (head.flags & frameFlags.endStream) !== 0;
    const found = this.#streams.find(streamId);
    if (found.kind === 'idle') throw protocolError('a body without a head');
    if (!this.#window.take(payload.length)) {
      throw flowControlError('more bytes than the connection takes');
    }
    if (found.kind !== 'open') {
      this.#takenUp(payload.length);
      if (found.kind === 'reset' || this.#departure.isGoing) this.#budget.idleFrame();
      else this.#fault(streamId, errorCodes.streamClosed);
      return;
    }
    const { stream } = found;
    const isTaken = stream.receiveWindow.take(payload.length);
    if (stream.isWhole || !isTaken) {
      this.#takenUp(payload.length);
      this.#fault(streamId, stream.isWhole ? errorCodes.streamClosed : errorCodes.flowControl);
      return;
    }
    if (content.length === 0 && !isEnd) this.#budget.idleFrame();
    const padding = payload.length - content.length;
    if (padding > 0) this.takenUp(stream, padding);
    this.#fed.push(stream);
    const problem = stream.receive(content) ?? (isEnd ? stream.end() : undefined);
    if (problem !== undefined) this.#fault(streamId, problem);
  }

  #onHeadPart(head: FrameHead, payload: Buffer): void {
    const block = this.#blocks.take(head, payload);
    if (block === undefined) return;
    this.#pace.unit();
    this.#budget.headerBlock();
    this.#onHead(block);
  }

  #onHead(block: HeadBlock): void {
    const { streamId, endsStream, fields, isCut } = block;
    const found = this.#streams.find(streamId);
    if (found.kind === 'open') {
      const problem = found.stream.takeTrailers(block);
      if (problem !== undefined) this.#fault(streamId, problem);
      return;
    }
    if (found.kind === 'idle') this.#streams.use(streamId);
    if (found.kind === 'reset' || !this.#departure.isOpen) {
      this.#budget.idleFrame();
      return;
    }
    if (found.kind === 'closed') {
      throw new ConnectionError(errorCodes.streamClosed, 'a stream is used again');
    }
    if (found.kind === 'past') throw protocolError('a stream comes too late');
    const isFull =
      this.#streams.size >= this.#maxStreams || this.sender.waitingBytes > http2Limits.waitingBytes;
    if (isFull || !this.#requests.hasRoom) {
      this.#fault(streamId, errorCodes.refusedStream);
      return;
    }
    const start = { id: streamId, isWhole: endsStream, window: this.#streamWindow };
    const request = block.dependsOnItself ? undefined : this.#requests.read(start, fields);
    if (request === undefined) {
      this.#fault(streamId, errorCodes.protocol);
      return;
    }
    this.#streams.add(request.stream);
    this.#requests.begin(request, { isCut });
  }

  #onPriority(head: FrameHead, payload: Buffer): void {
    if (head.streamId === 0) throw protocolError('the connection has no priority');
    if (payload.length !== 5) throw wrongSize('a payload has the wrong length');
    if (dependsOnItself(head, payload)) this.#fault(head.streamId, errorCodes.protocol);
    else this.#budget.idleFrame();
  }

  #onReset({ streamId }: FrameHead, payload: Buffer): void {
    if (payload.length !== 4) throw wrongSize('a payload has the wrong length');
    const found = this.#streams.find(streamId);
    if (found.kind === 'idle' || streamId === 0) throw protocolError('nothing there to reset');
    if (found.kind !== 'open') {
      this.#budget.idleFrame();
      return;
    }
    this.#budget.fault();
    this.#streams.remove(found.stream);
    found.stream.cut();
    this.#endWhenDone();
  }

  #onSettings({ streamId, flags }: FrameHead, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('settings of a stream');
    if ((flags & frameFlags.acknowledge) !== 0) {
      if (payload.length > 0) throw wrongSize('a payload has the wrong length');
      if (this.#isAcknowledged) throw protocolError('settings acknowledged that were not told');
      this.#isAcknowledged = true;
      return;
    }
    this.#budget.idleFrame();
    const { window, shrinksTable } = readSettings(payload);
    if (shrinksTable) this.frames.giveUpTable();
    // Before anything that is sent by them.
    this.sender.write(settingsAcknowledged);
    if (window !== undefined) this.#setStreamWindow(window);
  }

  /** RFC 9113, 6.9.2: the windows of open streams change as much, also below zero. */
  #setStreamWindow(window: number): void {
    const change = window - this.#streamWindow;
    this.#streamWindow = window;
    const streams = this.#streams.all();
    for (const stream of streams) {
      stream.window += change;
      if (stream.window > mostWindow) throw flowControlError('a window is too wide');
    }
    this.sender.windowsChanged(streams);
  }

  #onPing({ streamId, flags }: FrameHead, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('a ping of a stream');
    if (payload.length !== 8) throw wrongSize('a payload has the wrong length');
    if ((flags & frameFlags.acknowledge) !== 0) return;
    this.#budget.idleFrame();
    this.sender.write(pongFrame(payload));
  }

  #onGoAway({ streamId }: FrameHead, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('a goodbye of a stream');
    if (payload.length < 8) throw wrongSize('a payload has the wrong length');
    this.goAway();
  }

  #onWindowUpdate({ streamId }: FrameHead, payload: Buffer): void {
    if (payload.length !== 4) throw wrongSize('a payload has the wrong length');
    this.#budget.windowUpdate({ dataFramesSent: this.sender.dataFrames });
    const bytes = payload.readUInt32BE(0) & mostWindow;
    if (streamId === 0) {
      if (bytes === 0) throw protocolError('a window that grows by nothing');
      this.sender.widen(bytes);
      return;
    }
    const found = this.#streams.find(streamId);
    if (found.kind === 'idle') throw protocolError('a window of nothing');
    if (bytes === 0) {
      this.#fault(streamId, errorCodes.protocol);
      return;
    }
    // Clients give back what they read after its end, too.
    if (found.kind !== 'open') return;
    found.stream.window += bytes;
    if (found.stream.window > mostWindow) this.#fault(streamId, errorCodes.flowControl);
    else this.sender.windowsChanged([found.stream]);
  }

  /** Bytes that need no room any more, whosever they were. */
  #takenUp(bytes: number): void {
    const told = this.#window.giveBack(bytes);
    if (told > 0) this.sender.write(windowUpdateFrame(0, told));
  }

  /** The client's fault: the stream ends, and with too many of them the connection. */
  #fault(streamId: number, code: ErrorCode): void {
    this.#budget.fault();
    const found = this.#streams.find(streamId);
    if (found.kind === 'open') this.reset(found.stream, code);
    else this.#reset(streamId, code);
  }

  #reset(streamId: number, code: ErrorCode): void {
    this.sender.write(resetFrame(streamId, code));
    this.#streams.wasReset(streamId);
  }

  #checkPace(): void {
    const isInside = this.#reader.isInside || this.#blocks.isOpen;
    if (!this.#pace.isFast(isInside)) throw calmDown('a frame takes too long');
  }

  /** Nothing came and nothing went for a while. */
  #onSilence(): void {
    if (this.#departure.hasEnded || this.#socket.writableLength > 0) {
      this.#socket.destroy();
      return;
    }
    try {
      this.#checkPace();
    } catch (error) {
      this.#fail(error);
    }
    this.#endStuck();
    if (this.#streams.size === 0) this.goAway();
    else this.#socket.setTimeout(connectionLimits.idleMs);
  }

  /** A client that takes nothing of an answer does not get it; its others go on. */
  #endStuck(): void {
    for (const { id } of this.sender.stuck(connectionLimits.idleMs)) {
      const found = this.#streams.find(id);
      if (found.kind === 'open') this.reset(found.stream, errorCodes.cancel);
    }
  }

  #endWhenDone(): void {
    if (!this.#departure.isGoing || this.#streams.size > 0) return;
    this.#reader.stop();
    this.#departure.end();
  }

  /** The client is told why; what was at work is cut off. A fault of ours ends the connection, too. */
  #fail(error: unknown): void {
    if (this.#departure.hasEnded) return;
    const isTheirs = error instanceof ConnectionError;
    if (!isTheirs) this.#tellFault(error);
    const code = isTheirs ? error.code : errorCodes.internal;
    const why = isTheirs ? error.message : 'a fault of the server';
    this.#reader.stop();
    this.#departure.endWith({ lastStreamId: this.#streams.lastId, code, why });
    this.#cutAll();
  }

  #onClose(): void {
    this.#departure.isOver();
    this.#reader.stop();
    this.#cutAll();
  }

  #cutAll(): void {
    for (const stream of this.#streams.all()) {
      this.#streams.remove(stream);
      stream.cut();
    }
  }
}
