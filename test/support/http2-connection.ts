/**
 * An HTTP/2 connection over TLS as a sequence of frames, the only one that tests and benches write by
 * hand. It connects, splits what comes into frames and acknowledges SETTINGS and PING; requests and
 * responses are up to its users. Nothing of the server's own code is in it.
 */
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Frame, flags, frame, frameTypes } from './http2-frames.ts';

export interface Http2Server {
  readonly port: number;
  /** PEM; any certificate is accepted where absent. */
  readonly authorityPem?: string;
}

export interface Http2ConnectionOptions {
  readonly tls?: ConnectionOptions;
  /** Acknowledges neither SETTINGS nor PING. */
  readonly silent?: boolean;
}

/** Settles when the handshake is over; the preface is up to the caller. */
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
  if (socket.alpnProtocol !== 'h2') throw new Error('the server does not speak HTTP/2');
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
    const split = frameSplitter((came) => this.#take(came));
    socket.on('data', split);
    socket.on('error', () => socket.destroy());
  }

  /** Calls for each frame that comes; the last call to this function counts. */
  onFrame(call: (frame: Frame) => void): void {
    this.#onFrame = call;
  }

  /** Sends all in one write, so that small frames share a TLS record. */
  send(...parts: readonly Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  #take(came: Frame): void {
    this.#onFrame(came);
    const { type, flags: bits, payload } = came;
    if (this.#isSilent || (bits & flags.ack) !== 0) return;
    if (type === frameTypes.settings) this.send(frame(type, { flags: flags.ack }));
    if (type === frameTypes.ping) this.send(frame(type, { flags: flags.ack, payload }));
  }
}

/** Bytes in pieces of any size, calls for each frame in them. */
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
