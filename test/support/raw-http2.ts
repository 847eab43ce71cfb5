/** An HTTP/2 connection that sends what a test passes to it and records all received frames. */
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type Field, hpackReader } from './hpack-reader.ts';
import { connectHttp2, type Http2Connection, type Http2Server } from './http2-connection.ts';
import { type Frame, flags, frame, frameTypes, preface, settingsFrame } from './http2-frames.ts';

/** Everything received on a stream so far. */
export interface StreamAnswer {
  /** The status in the last header block; absent if there is none. */
  readonly status: number | undefined;
  /** All header blocks in order, including pseudo-header fields. */
  readonly headerBlocks: readonly (readonly Field[])[];
  readonly body: string;
  readonly hasEnded: boolean;
  /** The error code of RST_STREAM. */
  readonly reset: number | undefined;
}

export interface ConnectionEnd {
  /** The error codes of all GOAWAY frames, in order. */
  readonly goaways: readonly number[];
  /** The debug data of the last GOAWAY. */
  readonly debug: string;
  /** The last stream ID of the last GOAWAY. */
  readonly lastStream: number | undefined;
}

export interface RawOptions {
  readonly tls?: ConnectionOptions;
  /** Sent instead of the preface and SETTINGS; nothing is acknowledged then. */
  readonly opening?: Uint8Array;
  readonly settings?: readonly (readonly [id: number, value: number])[];
  /** Acknowledges neither SETTINGS nor PING. */
  readonly silent?: true;
  /** Timeout of each wait; its error contains the received frames. */
  readonly waitMs?: number;
}

/**
 * Connects; settles when the server's SETTINGS are acknowledged, so that nothing interrupts the
 * frames of a test, or at once if they are not acknowledged.
 */
export const openRaw = async (server: Http2Server, options: RawOptions = {}): Promise<RawHttp2> => {
  const { tls = {}, opening, silent } = options;
  const isSilent = silent === true || opening !== undefined;
  const frames = await connectHttp2(server, { tls, silent: isSilent });
  const connection = new RawHttp2(frames, options);
  connection.send(opening ?? Buffer.concat([preface, settingsFrame(options.settings)]));
  if (!isSilent) {
    await connection.next(({ type }) => type === frameTypes.settings, 'SETTINGS');
  }
  return connection;
};

interface Waiter {
  /** Returns true once the wait is over. */
  look(): boolean;
}

export class RawHttp2 {
  /** All received frames. */
  readonly frames: Frame[] = [];
  readonly socket: TLSSocket;
  readonly #connection: Http2Connection;
  readonly #waitMs: number;
  readonly #read = hpackReader();
  readonly #waiters = new Set<Waiter>();
  #block: Buffer[] = [];
  #pings = 0;
  isClosed = false;

  constructor(connection: Http2Connection, { waitMs = 5000 }: RawOptions) {
    this.#connection = connection;
    this.#waitMs = waitMs;
    this.socket = connection.socket;
    connection.onFrame((received) => this.#receive(received));
    // Runs after the listener that splits the same piece into frames.
    this.socket.on('data', () => this.#wake());
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  /** Sends all in one write, so that small frames share a TLS record. */
  send(...parts: readonly Uint8Array[]): void {
    this.#connection.send(...parts);
  }

  /** Returns true if everything has been written by then, or the connection has ended. */
  sentWithin(milliseconds: number): Promise<boolean> {
    if (this.socket.destroyed) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isSent: boolean): void => {
        clearTimeout(timer);
        this.socket.off('close', onClose);
        resolve(isSent);
      };
      const onClose = (): void => settle(true);
      const timer = setTimeout(() => settle(false), milliseconds);
      this.socket.once('close', onClose);
      this.socket.write(Buffer.alloc(0), () => settle(true));
    });
  }

  /** Returns the first matching frame, including those received before. */
  async next(fits: (frame: Frame) => boolean, what = 'a frame'): Promise<Frame> {
    let found: Frame | undefined;
    await this.until(() => {
      found = this.frames.find(fits);
      return found !== undefined;
    }, what);
    if (found === undefined) throw new Error('unreachable: waited for a frame');
    return found;
  }

  /** Waits for the condition; rejects if the connection ends first. */
  until(holds: () => boolean, what: string): Promise<void> {
    return this.#wait(holds, what, { endsToo: false });
  }

  /** Returns what was received on the stream once it or the connection has ended. */
  async answer(stream: number): Promise<StreamAnswer> {
    const hasEnded = (): boolean => {
      const { hasEnded: ended, reset } = this.received(stream);
      return ended || reset !== undefined;
    };
    await this.#wait(hasEnded, `the response on stream ${stream}`, { endsToo: true });
    return this.received(stream);
  }

  /** Returns what has been received on the stream so far. */
  received(stream: number): StreamAnswer {
    const its = this.frames.filter((each) => each.stream === stream);
    const headerBlocks = its.flatMap(({ fields }) => (fields === undefined ? [] : [fields]));
    const status = headerBlocks.flat().findLast(([name]) => name === ':status')?.[1];
    const data = its.filter(({ type }) => type === frameTypes.data);
    const reset = its.find(({ type }) => type === frameTypes.rstStream);
    return {
      status: status === undefined ? undefined : Number(status),
      headerBlocks,
      body: Buffer.concat(data.map(({ payload }) => payload)).toString('utf8'),
      hasEnded: its.some(
        ({ type, flags: bits }) =>
          (type === frameTypes.data || type === frameTypes.headers) &&
          (bits & flags.endStream) !== 0,
      ),
      reset: reset?.payload.readUInt32BE(0),
    };
  }

  /** Returns the number of bytes of DATA received on the stream, or on all streams. */
  dataBytes(stream?: number): number {
    return this.frames
      .filter(({ type }) => type === frameTypes.data)
      .filter((each) => stream === undefined || each.stream === stream)
      .reduce((sum, { payload }) => sum + payload.length, 0);
  }

  /**
   * Settles when the server has processed what was sent before; rejects if it has closed the
   * connection.
   */
  async alive(): Promise<void> {
    this.#pings += 1;
    const payload = Buffer.alloc(8, this.#pings);
    this.send(frame(frameTypes.ping, { payload }));
    await this.next(
      (each) =>
        each.type === frameTypes.ping &&
        (each.flags & flags.ack) !== 0 &&
        each.payload.equals(payload),
      'the PING ACK',
    );
  }

  /** Waits until the server has closed the connection. */
  async ended(): Promise<ConnectionEnd> {
    await this.#wait(() => this.isClosed, 'the end of the connection', { endsToo: true });
    return this.connectionEnd();
  }

  /** Returns the GOAWAY frames received so far. */
  connectionEnd(): ConnectionEnd {
    const goaways = this.frames.filter(({ type }) => type === frameTypes.goaway);
    const last = goaways.at(-1)?.payload;
    return {
      goaways: goaways.map(({ payload }) => payload.readUInt32BE(4)),
      debug: last?.subarray(8).toString('latin1') ?? '',
      lastStream: last?.readUInt32BE(0),
    };
  }

  close(): void {
    this.socket.destroy();
  }

  #wait(holds: () => boolean, what: string, end: { readonly endsToo: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: string): true => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        if (error === undefined) resolve();
        else reject(new Error(`${error}: ${what}; received: ${this.#describeFrames()}`));
        return true;
      };
      const waiter: Waiter = {
        look: () => {
          if (holds() || (this.isClosed && end.endsToo)) return settle();
          return this.isClosed && settle('closed before');
        },
      };
      const timer = setTimeout(() => settle('timed out waiting for'), this.#waitMs);
      this.#waiters.add(waiter);
      waiter.look();
    });
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter.look();
  }

  /** Describes the last twenty frames. */
  #describeFrames(): string {
    return this.frames
      .slice(-20)
      .map(({ type, flags: bits, stream, payload }) => {
        const name = Object.entries(frameTypes).find(([, number]) => number === type)?.[0] ?? type;
        return `${name}(${bits}) of ${stream}, ${payload.length} bytes`;
      })
      .join('; ');
  }

  #receive(received: Frame): void {
    const { type, flags: bits, payload } = received;
    const isHead = type === frameTypes.headers || type === frameTypes.continuation;
    if (isHead) this.#block.push(payload);
    if (isHead && (bits & flags.endHeaders) !== 0) {
      const fields = this.#read(Buffer.concat(this.#block));
      this.#block = [];
      this.frames.push({ ...received, fields });
    } else {
      this.frames.push(received);
    }
  }
}
