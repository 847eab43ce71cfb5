/**
 * An HTTP/2 connection (RFC 9113) on an established TLS socket: it receives frames, passes requests
 * to the handler and sends the responses. It replaces `node:http2`, which takes more time for a
 * request than its authentication and authorization together. Errors are handled as Go's server
 * handles them, which the clients of an API server expect.
 */
import type { TLSSocket } from 'node:tls';
import type { PeerCertificates } from '../../model/request.ts';
import type { OpenStreams } from '../http/send-stream.ts';
import { connectionLimits, http2Limits } from '../limits.ts';
import type { ConnectionMemory } from '../memory/connection-memory.ts';
import { peerCertificates } from '../tls/peer-certificates.ts';
import { AbuseBudget } from './abuse-budget.ts';
import {
  ConnectionError,
  enhanceYourCalm,
  flowControlError,
  frameSizeError,
  inadequateSecurity,
  protocolError,
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
import { ResponseFrames } from './response-frames.ts';
import { initialWindowSize, Sender } from './sender.ts';
import { readSettings, serverSettings } from './settings.ts';
import type { Http2Stream, StreamHost } from './stream.ts';
import { Streams } from './streams.ts';

/** An HTTP/2 connection; it exists as long as its socket. */
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
  /** The window for the response of each new stream. */
  #initialStreamWindow = initialWindowSize;
  readonly #receiveWindow = new ReceiveWindow(http2Limits.connectionWindow);
  readonly #shutdown: GracefulShutdown;
  readonly #work: ReadWork;
  /** Streams with new body data in the piece that is being read. */
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

  /** Accepts no new requests; the connection ends once those in progress are answered. */
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
    // Without requests in progress, no frame of the client prolongs the idle timeout.
    const { size, idleSince } = this.#streams;
    if (size === 0 && performance.now() - idleSince >= connectionLimits.idleMs) this.goAway();
  }

  #retainBodies(): void {
    // Removed one by one, which keeps the memory of the list for the next frames.
    for (let fed = this.#fedStreams.pop(); fed !== undefined; fed = this.#fedStreams.pop()) {
      fed.retainBody();
    }
  }

  #onFrame(header: FrameHeader, payload: Buffer): void {
    const { type, flags } = header;
    if (!this.#hasSettings) {
      if (type !== frameTypes.settings || (flags & frameFlags.acknowledge) !== 0) {
        throw protocolError('first frame is not SETTINGS');
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
        throw protocolError('PUSH_PROMISE from client');
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
    if (state.kind === 'idle') throw protocolError('DATA on idle stream');
    if (!this.#receiveWindow.consume(payload.length)) {
      throw flowControlError('connection flow-control window exceeded');
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
      throw new ConnectionError(errorCodes.streamClosed, 'HEADERS on closed stream');
    }
    if (state.kind === 'past') throw protocolError('stream ID lower than a previous one');
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
    if (header.streamId === 0) throw protocolError('PRIORITY on stream 0');
    if (payload.length !== 5) throw frameSizeError('invalid PRIORITY length');
    if (dependsOnItself(header, payload)) this.#streamError(header.streamId, errorCodes.protocol);
    else this.#budget.countIdleFrame();
  }

  #onResetStream({ streamId }: FrameHeader, payload: Buffer): void {
    if (payload.length !== 4) throw frameSizeError('invalid RST_STREAM length');
    const state = this.#streams.find(streamId);
    if (state.kind === 'idle' || streamId === 0) throw protocolError('RST_STREAM on idle stream');
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
    if (streamId !== 0) throw protocolError('SETTINGS on a stream');
    if ((flags & frameFlags.acknowledge) !== 0) {
      if (payload.length > 0) throw frameSizeError('SETTINGS ACK with a payload');
      if (this.#areSettingsAcknowledged) throw protocolError('unexpected SETTINGS ACK');
      this.#areSettingsAcknowledged = true;
      return;
    }
    this.#budget.countIdleFrame();
    const { window, shrinksTable } = readSettings(payload);
    if (shrinksTable) this.frames.emptyTable();
    // The acknowledgment precedes everything that is sent with the new settings.
    this.sender.write(settingsAckFrame);
    if (window !== undefined) this.#setStreamWindow(window);
  }

  /**
   * Changes the windows of all open streams by the same amount, possibly below zero (RFC 9113,
   * 6.9.2).
   */
  #setStreamWindow(window: number): void {
    const change = window - this.#initialStreamWindow;
    this.#initialStreamWindow = window;
    const streams = this.#streams.all();
    for (const stream of streams) {
      stream.window += change;
      if (stream.window > maxWindow) throw flowControlError('stream flow-control window too large');
    }
    this.sender.windowsChanged(streams);
  }

  #onPing({ streamId, flags }: FrameHeader, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('PING on a stream');
    if (payload.length !== 8) throw frameSizeError('invalid PING length');
    if ((flags & frameFlags.acknowledge) !== 0) return;
    this.#budget.countIdleFrame();
    this.sender.write(pingAckFrame(payload));
  }

  #onGoAway({ streamId }: FrameHeader, payload: Buffer): void {
    if (streamId !== 0) throw protocolError('GOAWAY on a stream');
    if (payload.length < 8) throw frameSizeError('invalid GOAWAY length');
    this.goAway();
  }

  #onWindowUpdate({ streamId }: FrameHeader, payload: Buffer): void {
    if (payload.length !== 4) throw frameSizeError('invalid WINDOW_UPDATE length');
    this.#budget.countWindowUpdate({ dataFramesSent: this.sender.dataFrames });
    const bytes = payload.readUInt32BE(0) & maxWindow;
    if (streamId === 0) {
      if (bytes === 0) throw protocolError('WINDOW_UPDATE with increment 0');
      this.sender.widen(bytes);
      return;
    }
    const state = this.#streams.find(streamId);
    if (state.kind === 'idle') throw protocolError('WINDOW_UPDATE on idle stream');
    if (bytes === 0) {
      this.#streamError(streamId, errorCodes.protocol);
      return;
    }
    // Clients also update windows of streams that have ended, for data that they read late.
    if (state.kind !== 'open') return;
    state.stream.window += bytes;
    if (state.stream.window > maxWindow) this.#streamError(streamId, errorCodes.flowControl);
    else this.sender.windowsChanged([state.stream]);
  }

  /** Releases received bytes of any stream to the window of the connection. */
  #releaseConnectionBytes(bytes: number): void {
    const increment = this.#receiveWindow.release(bytes);
    if (increment > 0) this.sender.write(windowUpdateFrame(0, increment));
  }

  /**
   * Resets a stream because of an error of the client; too many of these errors end the connection.
   */
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
    if (!this.#frameTimeout.checkPiece(isInside))
      throw enhanceYourCalm('timeout while receiving a frame');
  }

  /** Called when nothing was received or sent for the idle timeout. */
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

  /** Resets streams whose response the client does not read; its other streams continue. */
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

  /**
   * Sends GOAWAY and cancels the requests in progress. An internal error ends the connection, too.
   */
  #fail(error: unknown): void {
    if (this.#shutdown.hasEnded) return;
    const isConnectionError = error instanceof ConnectionError;
    if (!isConnectionError) this.#reportError(error);
    const code = isConnectionError ? error.code : errorCodes.internal;
    const debugData = isConnectionError ? error.message : 'internal error';
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
