/**
 * An HTTP/2 connection over TLS as a sequence of frames, shared by tests and benchmarks. It
 * connects, splits received bytes into frames and acknowledges SETTINGS and PING; requests and
 * responses are up to its users. It uses no code of the server.
 */
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Frame, flags, frame, frameTypes } from './http2-frames.ts';

export interface Http2Server {
  readonly port: number;
  /** PEM; if absent, any certificate is accepted. */
  readonly authorityPem?: string;
}

export interface Http2ConnectionOptions {
  readonly tls?: ConnectionOptions;
  /** Acknowledges neither SETTINGS nor PING if true. */
  readonly silent?: boolean;
}

/** Settles when the handshake is complete; the caller sends the preface. */
export const connectHttp2 = async (
  { port, authorityPem }: Http2Server,
  options: Http2ConnectionOptions = {},
): Promise<Http2Connection> => {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    ...(authorityPem === undefined ? { rejectUnauthorized: false } : { ca: authorityPem }),
    ALPNProtocols: ['h2'],
    ...options.tls,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve).once('error', reject);
  });
  if (socket.alpnProtocol !== 'h2') throw new Error('the server does not support HTTP/2');
  socket.setNoDelay(true);
  return new Http2Connection(socket, options);
};

export class Http2Connection {
  readonly socket: TLSSocket;
  readonly #isSilent: boolean;
  #onFrame: (frame: Frame) => void = () => {};

  constructor(socket: TLSSocket, { silent = false }: Http2ConnectionOptions) {
    this.socket = socket;
    this.#isSilent = silent;
    const split = frameSplitter((received) => this.#receive(received));
    socket.on('data', split);
    socket.on('error', () => socket.destroy());
  }

  /** Sets the function that is called for each received frame. */
  onFrame(call: (frame: Frame) => void): void {
    this.#onFrame = call;
  }

  /** Sends all in one write, so that small frames share a TLS record. */
  send(...parts: readonly Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  #receive(received: Frame): void {
    this.#onFrame(received);
    const { type, flags: bits, payload } = received;
    if (this.#isSilent || (bits & flags.ack) !== 0) return;
    if (type === frameTypes.settings) this.send(frame(type, { flags: flags.ack }));
    if (type === frameTypes.ping) this.send(frame(type, { flags: flags.ack, payload }));
  }
}

/**
 * Returns a function that accepts bytes in pieces of any size and calls `onFrame` for each frame in
 * them.
 */
export const frameSplitter = (onFrame: (frame: Frame) => void): ((piece: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    while (rest.length - at >= 9) {
      const start = at + 9;
      const end = start + rest.readUIntBE(at, 3);
      if (rest.length < end) break;
      const [type = 0, bits = 0] = rest.subarray(at + 3, at + 5);
      const stream = rest.readUInt32BE(at + 5) & 0x7fffffff;
      at = end;
      onFrame({ type, flags: bits, stream, payload: rest.subarray(start, end) });
    }
    rest = rest.subarray(at);
  };
};
