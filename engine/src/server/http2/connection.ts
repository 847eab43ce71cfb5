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
import { ResponseFrames } from './response-frames.ts';
import {
  ConnectionError,
  enhanceYourCalm,
  flowControlError,
  protocolError,
  inadequateSecurity,
  frameSizeError,
} from './connection-error.ts';
import {
  type ErrorCode,
  errorCodes,
  type FrameHeader,
  frameFlags,
  frameTypes,
  maxWindow,
  pingAckFrame,
  resetFrame,
  settingsAckFrame,
  windowUpdateFrame,
} from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameTimeout } from './frame-timeout.ts';
import { GracefulShutdown } from './graceful-shutdown.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { contentOf, dependsOnItself } from './payload.ts';
import { hasProhibitedCipher } from './prohibited-cipher.ts';
import { ReadWork } from './read-work.ts';
import { ReceiveWindow } from './receive-window.ts';
import { type Http2ConnectionOptions, Requests } from './requests.ts';
import { initialWindowSize, Sender } from './sender.ts';
import { readSettings, serverSettings } from './settings.ts';
import type { Http2Stream, StreamHost } from './stream.ts';
import { Streams } from './streams.ts';

/** Lives as long as its socket. */
export class Http2Connection implements StreamHost {
  readonly #socket: TLSSocket;
  readonly sender: Sender;
  readonly frames = new ResponseFrames();
  readonly certificates: PeerCertificates | undefined;
  readonly openStreams: OpenStreams;
  readonly memory: ConnectionMemory;
  readonly #reportError: (error: unknown) => void;
  readonly #maxStreams: number;
  readonly #requests: Requests;
  readonly #streams: Streams;
  readonly #reader = new FrameReader((header, payload) => this.#onFrame(header, payload));
  readonly #headerBlocks: HeaderBlocks;
  readonly #frameTimeout = new FrameTimeout();
  readonly #budget: AbuseBudget;
  #hasSettings = false;
  #areSettingsAcknowledged = false;
  /** Of the answer of each new stream. */
  #initialStreamWindow = initialWindowSize;
  readonly #receiveWindow = new ReceiveWindow(http2Limits.connectionWindow);
  readonly #shutdown: GracefulShutdown;
  readonly #work: ReadWork;
  /** Streams whose bodies have grown by the piece that is being read. */
  readonly #fedStreams: Http2Stream[] = [];

  constructor(socket: TLSSocket, options: Http2ConnectionOptions) {
    this.#socket = socket;
    this.openStreams = options.streams;
    this.#maxStreams = options.maxStreams;
    this.#streams = new Streams(options);
    this.#budget = new AbuseBudget(options);
    this.#reportError = options.reportError;
    this.certificates = peerCertificates(socket);
    this.memory = options.memory;
    this.#headerBlocks = new HeaderBlocks(options.memory.headers);
    this.sender = new Sender(socket, (isHeld) => this.#work.hold(isHeld), options.memory.responses);
    this.#shutdown = new GracefulShutdown(socket, this.sender);
    this.#requests = new Requests(this, options);
    this.sender.write(serverSettings(options));
    this.sender.write(windowUpdateFrame(0, http2Limits.connectionWindow - initialWindowSize));
    this.#work = new ReadWork(socket, options.loop, (piece) => this.#onData(piece));
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#onClose());
    socket.on('timeout', () => this.#onIdleTimeout());
    socket.setTimeout(connectionLimits.idleMs);
    if (hasProhibitedCipher(socket)) this.#fail(inadequateSecurity());
  }

  get clientAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  setUsername(username: string): void {
    this.#work.setUsername(username);
  }

  /** Takes no new request; the connection ends when those at work are answered. */
  goAway(): void {
    this.#shutdown.begin(this.#streams.lastId);
    this.#endWhenDone();
  }

  releaseBytes(stream: Http2Stream, bytes: number): void {
    this.#releaseConnectionBytes(bytes);
    if (stream.isComplete || !this.#streams.isOpen(stream)) return;
    const increment = stream.receiveWindow.release(bytes);
    if (increment > 0) this.sender.write(windowUpdateFrame(stream.id, increment));
  }

  reset(stream: Http2Stream, code: ErrorCode): void {
    this.#reset(stream.id, code);
    stream.cancel();
    this.#endWhenDone();
  }

  onStreamClosed(stream: Http2Stream): void {
    this.#streams.remove(stream);
    this.#endWhenDone();
  }

  #onData(piece: Buffer): void {
    if (this.#shutdown.hasEnded) return;
    try {
      this.#reader.read(piece);
      this.#checkFrameTimeout();
    } catch (error) {
      this.#fail(error);
    }
    this.#retainBodies();
    this.#endStuck();
    // Without a request at work, nothing that the client sends keeps the connection.
    const { size, idleSince } = this.#streams;
    if (size === 0 && performance.now() - idleSince >= connectionLimits.idleMs) this.goAway();
  }

  #retainBodies(): void {
    for (const stream of this.#fedStreams) stream.retainBody();
    this.#fedStreams.length = 0;
  }

  #onFrame(header: FrameHeader, payload: Buffer): void {
    const { type, flags } = header;
    if (!this.#hasSettings) {
      if (type !== frameTypes.settings || (flags & frameFlags.acknowledge) !== 0) {
        throw protocolError('the settings do not come first');
      }
      this.#hasSettings = true;
    }
    this.#headerBlocks.checkOrder(header);
    if (!this.#headerBlocks.isOpen) this.#frameTimeout.reset();
    switch (type) {
      case frameTypes.data:
        this.#onDataFrame(header, payload);
        return;
      case frameTypes.headers:
      case frameTypes.continuation:
        this.#onHeaderFrame(header, payload);
        return;
      case frameTypes.priority:
        this.#onPriority(header, payload);
        return;
      case frameTypes.resetStream:
        this.#onResetStream(header, payload);
        return;
      case frameTypes.settings:
        this.#onSettings(header, payload);
        return;
      case frameTypes.pushPromise:
        throw protocolError('a client promises nothing');
      case frameTypes.ping:
        this.#onPing(header, payload);
        return;
      case frameTypes.goAway:
        this.#onGoAway(header, payload);
        return;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(header, payload);
        return;
      default:
        this.#budget.countIdleFrame();
    }
  }

  #onDataFrame(header: FrameHeader, payload: Buffer): void {
    const { streamId } = header;
    const content = contentOf(header, payload);
    const isEnd = (header.flags & frameFlags.endStream) !== 0;
    const state = this.#streams.find(streamId);
    if (state.kind === 'idle') throw protocolError('a body without a head');
    if (!this.#receiveWindow.consume(payload.length)) {
      throw flowControlError('more bytes than the connection takes');
    }
    if (state.kind !== 'open') {
      this.#releaseConnectionBytes(payload.length);
      if (state.kind === 'reset' || this.#shutdown.isDraining) this.#budget.countIdleFrame();
      else this.#streamError(streamId, errorCodes.streamClosed);
      return;
    }
    const { stream } = state;
    const isTaken = stream.receiveWindow.consume(payload.length);
    if (stream.isComplete || !isTaken) {
      this.#releaseConnectionBytes(payload.length);
      this.#streamError(
        streamId,
        stream.isComplete ? errorCodes.streamClosed : errorCodes.flowControl,
      );
      return;
    }
    if (content.length === 0 && !isEnd) this.#budget.countIdleFrame();
    const padding = payload.length - content.length;
    if (padding > 0) this.releaseBytes(stream, padding);
    this.#fedStreams.push(stream);
    const errorCode = stream.receive(content) ?? (isEnd ? stream.end() : undefined);
    if (errorCode !== undefined) this.#streamError(streamId, errorCode);
  }

  #onHeaderFrame(header: FrameHeader, payload: Buffer): void {
    const block = this.#headerBlocks.addFrame(header, payload);
    if (block === undefined) return;
    this.#frameTimeout.reset();
    this.#budget.countHeaderBlock();
    this.#onHeaderBlock(block);
  }

  #onHeaderBlock(block: HeaderBlock): void {
    const { streamId, endsStream, fields, isTruncated } = block;
    const state = this.#streams.find(streamId);
    if (state.kind === 'open') {
      const errorCode = state.stream.receiveTrailers(block);
      if (errorCode !== undefined) this.#streamError(streamId, errorCode);
      return;
    }
    if (state.kind === 'idle') this.#streams.markUsed(streamId);
    if (state.kind === 'reset' || !this.#shutdown.isOpen) {
      this.#budget.countIdleFrame();
      return;
    }
    if (state.kind === 'closed') {
      throw new ConnectionError(errorCodes.streamClosed, 'a stream is used again');
    }
    if (state.kind === 'past') throw protocolError('a stream comes too late');
    const isFull =
      this.#streams.size >= this.#maxStreams || this.sender.waitingBytes > http2Limits.waitingBytes;
    if (isFull || !this.#requests.hasRoom) {
      this.#streamError(streamId, errorCodes.refusedStream);
      return;
    }
    const streamOptions = {
      id: streamId,
      isComplete: endsStream,
      window: this.#initialStreamWindow,
    };
    const request = block.dependsOnItself ? undefined : this.#requests.read(streamOptions, fields);
    if (request === undefined) {
      this.#streamError(streamId, errorCodes.protocol);
      return;
    }
    this.#streams.add(request.stream);
    this.#requests.begin(request, { isTruncated });
  }

  #onPriority(header: FrameHeader, payload: Buffer): void {
    if (header.streamId === 0) throw protocolError('the connection has no priority');
    if (payload.length !== 5) throw frameSizeError('a payload has the wrong length');
    if (dependsOnItself(header, payload)) this.#streamError(header.streamId, errorCodes.protocol);
    else this.#budget.countIdleFrame();
  }

  #onResetStream({ streamId }: FrameHeader, payload: Buffer): void {
    if (payload.length !== 4) throw frameSizeError('a payload has the wrong length');
    const state = this.#streams.find(streamId);
    if (state.kind === 'idle' || streamId === 0) throw protocolError('nothing there to reset');
    if (state.kind !== 'open') {
      this.#budget.countIdleFrame();
      return;
    }
    this.#budget.countReset();
    this.#streams.remove(state.stream);
    state.stream.cancel();
    this.#endWhenDone();
  }

  #onSettings({ streamId, flags }: FrameHeader, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('settings of a stream');
    if ((flags & frameFlags.acknowledge) !== 0) {
      if (payload.length > 0) throw frameSizeError('a payload has the wrong length');
      if (this.#areSettingsAcknowledged)
        throw protocolError('settings acknowledged that were not told');
      this.#areSettingsAcknowledged = true;
      return;
    }
    this.#budget.countIdleFrame();
    const { window, shrinksTable } = readSettings(payload);
    if (shrinksTable) this.frames.emptyTable();
    // Before anything that is sent by them.
    this.sender.write(settingsAckFrame);
    if (window !== undefined) this.#setStreamWindow(window);
  }

  /** RFC 9113, 6.9.2: the windows of open streams change as much, also below zero. */
  #setStreamWindow(window: number): void {
    const change = window - this.#initialStreamWindow;
    this.#initialStreamWindow = window;
    const streams = this.#streams.all();
    for (const stream of streams) {
      stream.window += change;
      if (stream.window > maxWindow) throw flowControlError('a window is too wide');
    }
    this.sender.windowsChanged(streams);
  }

  #onPing({ streamId, flags }: FrameHeader, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('a ping of a stream');
    if (payload.length !== 8) throw frameSizeError('a payload has the wrong length');
    if ((flags & frameFlags.acknowledge) !== 0) return;
    this.#budget.countIdleFrame();
    this.sender.write(pingAckFrame(payload));
  }

  #onGoAway({ streamId }: FrameHeader, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('a goodbye of a stream');
    if (payload.length < 8) throw frameSizeError('a payload has the wrong length');
    this.goAway();
  }

  #onWindowUpdate({ streamId }: FrameHeader, payload: Buffer): void {
    if (payload.length !== 4) throw frameSizeError('a payload has the wrong length');
    this.#budget.countWindowUpdate({ dataFramesSent: this.sender.dataFrames });
    const bytes = payload.readUInt32BE(0) & maxWindow;
    if (streamId === 0) {
      if (bytes === 0) throw protocolError('a window that grows by nothing');
      this.sender.widen(bytes);
      return;
    }
    const state = this.#streams.find(streamId);
    if (state.kind === 'idle') throw protocolError('a window of nothing');
    if (bytes === 0) {
      this.#streamError(streamId, errorCodes.protocol);
      return;
    }
    // Clients give back what they read after its end, too.
    if (state.kind !== 'open') return;
    state.stream.window += bytes;
    if (state.stream.window > maxWindow) this.#streamError(streamId, errorCodes.flowControl);
    else this.sender.windowsChanged([state.stream]);
  }

  /** Bytes that need no room any more, whosever they were. */
  #releaseConnectionBytes(bytes: number): void {
    const increment = this.#receiveWindow.release(bytes);
    if (increment > 0) this.sender.write(windowUpdateFrame(0, increment));
  }

  /** The client's fault: the stream ends, and with too many of them the connection. */
  #streamError(streamId: number, code: ErrorCode): void {
    this.#budget.countReset();
    const state = this.#streams.find(streamId);
    if (state.kind === 'open') this.reset(state.stream, code);
    else this.#reset(streamId, code);
  }

  #reset(streamId: number, code: ErrorCode): void {
    this.sender.write(resetFrame(streamId, code));
    this.#streams.markReset(streamId);
  }

  #checkFrameTimeout(): void {
    const isInside = this.#reader.hasPartialFrame || this.#headerBlocks.isOpen;
    if (!this.#frameTimeout.isInTime(isInside)) throw enhanceYourCalm('a frame takes too long');
  }

  /** Nothing came and nothing went for a while. */
  #onIdleTimeout(): void {
    if (this.#shutdown.hasEnded || this.#socket.writableLength > 0) {
      this.#socket.destroy();
      return;
    }
    try {
      this.#checkFrameTimeout();
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
      const state = this.#streams.find(id);
      if (state.kind === 'open') this.reset(state.stream, errorCodes.cancel);
    }
  }

  #endWhenDone(): void {
    if (!this.#shutdown.isDraining || this.#streams.size > 0) return;
    this.#reader.stop();
    this.#shutdown.end();
  }

  /** The client is told why; what was at work is cut off. A fault of ours ends the connection, too. */
  #fail(error: unknown): void {
    if (this.#shutdown.hasEnded) return;
    const isConnectionError = error instanceof ConnectionError;
    if (!isConnectionError) this.#reportError(error);
    const code = isConnectionError ? error.code : errorCodes.internal;
    const debugData = isConnectionError ? error.message : 'a fault of the server';
    this.#reader.stop();
    this.#shutdown.endWithError({ lastStreamId: this.#streams.lastId, code, debugData });
    this.#cancelAll();
  }

  #onClose(): void {
    this.#shutdown.markEnded();
    this.#reader.stop();
    this.#cancelAll();
  }

  #cancelAll(): void {
    for (const stream of this.#streams.all()) {
      this.#streams.remove(stream);
      stream.cancel();
    }
  }
}
