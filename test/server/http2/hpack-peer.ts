/** A server that knows frames and no more, for a client of node:http2: its HPACK is nghttp2's. */
import { createServer, type Socket } from 'node:net';

const prefaceBytes = 24;
const headBytes = 9;
const mostPayload = 16_384;
const types = { headers: 1, settings: 4, continuation: 9 } as const;
const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

const frame = (type: number, flag: number, stream: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

const answerFrames = (stream: number, block: Buffer): Buffer => {
  const first = block.subarray(0, mostPayload);
  const frames = [frame(types.headers, flags.endStream, stream, first)];
  for (let at = mostPayload; at < block.length; at += mostPayload) {
    frames.push(frame(types.continuation, 0, stream, block.subarray(at, at + mostPayload)));
  }
  const last = frames.at(-1);
  if (last !== undefined) last[4] = (last[4] ?? 0) | flags.endHeaders;
  return Buffer.concat(frames);
};

export interface Peer {
  readonly origin: string;
  /** The header blocks of all requests, in order. */
  readonly blocks: readonly Buffer[];
  close(): void;
}

export interface PeerOptions {
  readonly headerTableBytes: number;
  /** The block of the next answer. */
  readonly answer: () => Buffer;
}

export const startPeer = async ({ headerTableBytes, answer }: PeerOptions): Promise<Peer> => {
  const blocks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const setting = Buffer.alloc(6);
  setting.writeUInt16BE(1, 0);
  setting.writeUInt32BE(headerTableBytes, 2);
  const server = createServer((socket) => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    let skipped = prefaceBytes;
    let pieces: Buffer[] = [];
    socket.setNoDelay(true);
    socket.write(frame(types.settings, 0, 0, setting));
    const take = (type: number, flag: number, stream: number, payload: Buffer): void => {
      if (type === types.settings && (flag & flags.ack) === 0) {
        socket.write(frame(types.settings, flags.ack, 0, Buffer.alloc(0)));
      }
      if (type !== types.headers && type !== types.continuation) return;
      const isPadded = type === types.headers && (flag & flags.padded) !== 0;
      const hasPriority = type === types.headers && (flag & flags.priority) !== 0;
      const start = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0);
      pieces.push(payload.subarray(start, payload.length - (isPadded ? (payload[0] ?? 0) : 0)));
      if ((flag & flags.endHeaders) === 0) return;
      blocks.push(Buffer.concat(pieces));
      pieces = [];
      socket.write(answerFrames(stream, answer()));
    };
    socket.on('data', (piece: Buffer) => {
      waiting = Buffer.concat([waiting, piece]);
      for (;;) {
        const start = skipped + headBytes;
        if (waiting.length < start) return;
        const end = start + waiting.readUIntBE(skipped, 3);
        if (waiting.length < end) return;
        const [type = 0, flag = 0] = waiting.subarray(skipped + 3);
        take(type, flag, waiting.readUInt32BE(skipped + 5), waiting.subarray(start, end));
        waiting = waiting.subarray(end);
        skipped = 0;
      }
    });
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    blocks,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
