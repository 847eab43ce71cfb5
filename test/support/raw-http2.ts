/** A connection over HTTP/2 that sends whatever a test wants, and tells each frame that came back. */
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type Field, hpackReader } from './hpack-reader.ts';
import { connectHttp2, type Http2Connection, type Http2Server } from './http2-connection.ts';
import { type Frame, flags, frame, frameTypes, preface, settingsFrame } from './http2-frames.ts';

/** Everything that came on a stream until it ended, or the connection did. */
export interface StreamAnswer {
  /** Of the last head; absent where none came. */
  readonly status: number | undefined;
  /** Of every head in order, pseudo fields included. */
  readonly heads: readonly (readonly Field[])[];
  readonly body: string;
  readonly hasEnded: boolean;
  /** Code of RST_STREAM. */
  readonly reset: number | undefined;
}

export interface ConnectionEnd {
  /** Codes of the GOAWAY frames, in order. */
  readonly goaways: readonly number[];
  /** What the server says beside the last one. */
  readonly debug: string;
  /** The last stream that it has taken, by the last GOAWAY. */
  readonly lastStream: number | undefined;
}

export interface RawOptions {
  readonly tls?: ConnectionOptions;
  /** In place of the preface and SETTINGS; nothing is acknowledged then. */
  readonly opening?: Uint8Array;
  readonly settings?: readonly (readonly [id: number, value: number])[];
  /** Acknowledges neither SETTINGS nor PING. */
  readonly silent?: true;
  /** How long any wait may last; the frames that came are in the error. */
  readonly waitMs?: number;
}

/**
 * Connects; settles when the server's SETTINGS are acknowledged, so that nothing comes between the
 * frames of a test, or at once where they are not to be.
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
  /** True once it has what it waits for. */
  look(): boolean;
}

export class RawHttp2 {
  /** All that came. */
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
    connection.onFrame((came) => this.#keep(came));
    // After the listener that splits the same piece into frames.
    this.socket.on('data', () => this.#wake());
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  /** In one write, so that small ones share a TLS record. */
  send(...parts: readonly Uint8Array[]): void {
    this.#connection.send(...parts);
  }

  /** Has what was sent before left this process by then, or the connection ended? */
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

  /** The first frame that fits, from among those that came too. */
  async next(fits: (frame: Frame) => boolean, what = 'a frame'): Promise<Frame> {
    let found: Frame | undefined;
    await this.until(() => {
      found = this.frames.find(fits);
      return found !== undefined;
    }, what);
    if (found === undefined) throw new Error('unreachable: waited for a frame');
    return found;
  }

  /** Rejects when the connection ends first. */
  until(holds: () => boolean, what: string): Promise<void> {
    return this.#wait(holds, what, { endsToo: false });
  }

  /** What came on the stream once it or the connection has ended. */
  async answer(stream: number): Promise<StreamAnswer> {
    const hasEnded = (): boolean => {
      const { hasEnded: ended, reset } = this.received(stream);
      return ended || reset !== undefined;
    };
    await this.#wait(hasEnded, `the answer of stream ${stream}`, { endsToo: true });
    return this.received(stream);
  }

  /** What has come on the stream by now. */
  received(stream: number): StreamAnswer {
    const its = this.frames.filter((each) => each.stream === stream);
    const heads = its.flatMap(({ fields }) => (fields === undefined ? [] : [fields]));
    const status = heads.flat().findLast(([name]) => name === ':status')?.[1];
    const data = its.filter(({ type }) => type === frameTypes.data);
    const reset = its.find(({ type }) => type === frameTypes.rstStream);
    return {
      status: status === undefined ? undefined : Number(status),
      heads,
      body: Buffer.concat(data.map(({ payload }) => payload)).toString('utf8'),
      hasEnded: its.some(
        ({ type, flags: bits }) =>
          (type === frameTypes.data || type === frameTypes.headers) &&
          (bits & flags.endStream) !== 0,
      ),
      reset: reset?.payload.readUInt32BE(0),
    };
  }

  /** Bytes of DATA that have come, on the stream or on all. */
  dataBytes(stream?: number): number {
    return this.frames
      .filter(({ type }) => type === frameTypes.data)
      .filter((each) => stream === undefined || each.stream === stream)
      .reduce((sum, { payload }) => sum + payload.length, 0);
  }

  /** Settles when the server has answered what was sent before; rejects when it has closed. */
  async alive(): Promise<void> {
    this.#pings += 1;
    const payload = Buffer.alloc(8, this.#pings);
    this.send(frame(frameTypes.ping, { payload }));
    await this.next(
      (each) =>
        each.type === frameTypes.ping &&
        (each.flags & flags.ack) !== 0 &&
        each.payload.equals(payload),
      'the answer of a PING',
    );
  }

  /** Waits until the server has closed the connection. */
  async ended(): Promise<ConnectionEnd> {
    await this.#wait(() => this.isClosed, 'the end of the connection', { endsToo: true });
    return this.farewell();
  }

  /** What the server has said of the end of the connection by now. */
  farewell(): ConnectionEnd {
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
        else reject(new Error(`${error}: ${what}; came: ${this.#told()}`));
        return true;
      };
      const waiter: Waiter = {
        look: () => {
          if (holds() || (this.isClosed && end.endsToo)) return settle();
          return this.isClosed && settle('closed before');
        },
      };
      const timer = setTimeout(() => settle('waited in vain for'), this.#waitMs);
      this.#waiters.add(waiter);
      waiter.look();
    });
  }

  #wake(): void {
    for (const waiter of this.#waiters) waiter.look();
  }

  /** The frames in short, the last twenty. */
  #told(): string {
    return this.frames
      .slice(-20)
      .map(({ type, flags: bits, stream, payload }) => {
        const name = Object.entries(frameTypes).find(([, number]) => number === type)?.[0] ?? type;
        return `${name}(${bits}) of ${stream}, ${payload.length} bytes`;
      })
      .join('; ');
  }

  #keep(came: Frame): void {
    const { type, flags: bits, payload } = came;
    const isHead = type === frameTypes.headers || type === frameTypes.continuation;
    if (isHead) this.#block.push(payload);
    if (isHead && (bits & flags.endHeaders) !== 0) {
      const fields = this.#read(Buffer.concat(this.#block));
      this.#block = [];
      this.frames.push({ ...came, fields });
    } else {
      this.frames.push(came);
    }
  }
}
