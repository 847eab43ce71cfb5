/** A minimal HTTP/2 server for a client of node:http2, whose HPACK implementation is nghttp2's. */
import { createServer } from 'node:net';
import { frameSplitter } from '../../support/http2-connection.ts';
import {
  type Frame,
  flags,
  frame,
  frameTypes,
  preface,
  settingIds,
  settingsFrame,
} from '../../support/http2-frames.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

const mostPayload = 16_384;

const answerFrames = (stream: number, block: Buffer): Buffer => {
  const frames: Buffer[] = [];
  for (let at = 0; at === 0 || at < block.length; at += mostPayload) {
    const isLast = at + mostPayload >= block.length;
    frames.push(
      frame(at === 0 ? frameTypes.headers : frameTypes.continuation, {
        flags: (at === 0 ? flags.endStream : 0) | (isLast ? flags.endHeaders : 0),
        stream,
        payload: block.subarray(at, at + mostPayload),
      }),
    );
  }
  return Buffer.concat(frames);
};

export interface Peer {
  readonly origin: string;
  /** The header blocks of all requests, in order. */
  readonly blocks: readonly Buffer[];
  /** Codes of the GOAWAY frames of all clients, in order. */
  readonly goaways: readonly number[];
  /** The number of open connections. */
  readonly open: number;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly headerTableBytes: number;
  /** Returns the header block of the next response. */
  readonly answer: () => Buffer;
}

export const startPeer = async ({ headerTableBytes, answer }: PeerOptions): Promise<Peer> => {
  const blocks: Buffer[] = [];
  const goaways: number[] = [];
  const server = createServer((socket) => {
    let skipped = 0;
    let pieces: Buffer[] = [];
    socket.setNoDelay(true);
    socket.write(settingsFrame([[settingIds.headerTableSize, headerTableBytes]]));
    const take = ({ type, flags: bits, stream, payload }: Frame): void => {
      if (type === frameTypes.settings && (bits & flags.ack) === 0) {
        socket.write(frame(frameTypes.settings, { flags: flags.ack }));
      }
      if (type === frameTypes.goaway) goaways.push(payload.readUInt32BE(4));
      if (type !== frameTypes.headers && type !== frameTypes.continuation) return;
      const isPadded = type === frameTypes.headers && (bits & flags.padded) !== 0;
      const hasPriority = type === frameTypes.headers && (bits & flags.priority) !== 0;
      const start = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0);
      pieces.push(payload.subarray(start, payload.length - (isPadded ? (payload[0] ?? 0) : 0)));
      if ((bits & flags.endHeaders) === 0) return;
      blocks.push(Buffer.concat(pieces));
      pieces = [];
      socket.write(answerFrames(stream, answer()));
    };
    const split = frameSplitter(take);
    socket.on('data', (piece: Buffer) => {
      const start = Math.min(piece.length, preface.length - skipped);
      skipped += start;
      split(piece.subarray(start));
    });
  });
  const { port, sockets, close } = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    blocks,
    goaways,
    get open() {
      return sockets.size;
    },
    close,
  };
};
