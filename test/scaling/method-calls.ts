/** Calls of methods with a hostile string, each on an object of its own. */

import { GraphDrawing } from '../../engine/src/compile/graph-drawing.ts';
import { GatheredBytes } from '../../engine/src/server/http/gathered-bytes.ts';
import { frameFlags, frameTypes } from '../../engine/src/server/http2/frame.ts';
import { FrameReader } from '../../engine/src/server/http2/frame-reader.ts';
import { HeaderBlocks } from '../../engine/src/server/http2/header-blocks.ts';
import { HpackDecoder } from '../../engine/src/server/http2/hpack/decoder.ts';
import { ReceivedBody } from '../../engine/src/server/http2/received-body.ts';
import { RequestHeaderReader } from '../../engine/src/server/http2/request-headers.ts';
import { bytesOf, itemsOf } from './argument-values.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The length of the pieces in which a connection receives bytes. */
const pieceLength = 4;

const piecesOf = (bytes: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, index) =>
    bytes.subarray(index * pieceLength, (index + 1) * pieceLength),
  );

/** Frames of type 0x20, which have no meaning, with up to 16 bytes of the text each. */
const framesOf = (bytes: Buffer): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / 16) }, (_, index) => {
    const payload = bytes.subarray(index * 16, (index + 1) * 16);
    return Buffer.concat([Buffer.from([0, 0, payload.length, 0x20, 0, 0, 0, 0, 1]), payload]);
  });

const requestLine = [
  { name: ':method', value: 'GET' },
  { name: ':scheme', value: 'https' },
  { name: ':authority', value: 'localhost' },
  { name: ':path', value: '/' },
];

const drawing = (): GraphDrawing => new GraphDrawing(undefined, 'file');

const uncounted = { add: () => undefined } as never;

/** How each method is called, by file and name as in the list of readers. */
export const methodCalls: ReadonlyMap<string, (text: string) => unknown> = new Map<
  string,
  (text: string) => unknown
>([
  [
    'server/http2/frame-reader.ts FrameReader.read',
    (text) => {
      const reader = new FrameReader(() => undefined);
      for (const piece of piecesOf(Buffer.concat([preface, ...framesOf(bytesOf(text))])))
        reader.read(piece);
    },
  ],
  [
    'server/http2/hpack/decoder.ts HpackDecoder.decode',
    (text) => new HpackDecoder({ tableBytes: 4096 }).decode(bytesOf(text), 1024 * 1024),
  ],
  [
    'server/http2/header-blocks.ts HeaderBlocks.addFrame',
    (text) => {
      const blocks = new HeaderBlocks(uncounted);
      for (const [index, payload] of piecesOf(bytesOf(text)).entries())
        blocks.addFrame(
          {
            length: payload.length,
            type: index === 0 ? frameTypes.headers : frameTypes.continuation,
            flags: 0,
            streamId: 1,
          },
          payload,
        );
      return blocks.addFrame(
        { length: 0, type: frameTypes.continuation, flags: frameFlags.endHeaders, streamId: 1 },
        Buffer.alloc(0),
      );
    },
  ],
  [
    'server/http2/request-headers.ts RequestHeaderReader.read',
    (text) => {
      const fields = itemsOf(text).map((value, index) => ({ name: `x-${index}`, value }));
      const reader = new RequestHeaderReader();
      reader.read([...requestLine, ...fields]);
      return reader.read([...requestLine, { name: 'a', value: text }, ...fields]);
    },
  ],
  [
    'server/http2/received-body.ts ReceivedBody.add',
    (text) => {
      const body = new ReceivedBody({
        isComplete: false,
        contentLength: undefined,
        release: () => undefined,
        memory: { bodies: uncounted } as never,
      });
      for (const piece of piecesOf(bytesOf(text))) body.add(piece);
    },
  ],
  [
    'server/http/gathered-bytes.ts GatheredBytes.add',
    (text) => {
      const gathered = new GatheredBytes();
      for (const piece of piecesOf(bytesOf(text))) gathered.add(piece);
      return gathered.bytes();
    },
  ],
  [
    'server/http/gathered-bytes.ts GatheredBytes.addTransient',
    (text) => {
      const gathered = new GatheredBytes();
      for (const piece of piecesOf(bytesOf(text))) gathered.addTransient(piece);
      return gathered.bytes();
    },
  ],
  [
    'compile/graph-drawing.ts GraphDrawing.svg',
    (text) => drawing().svg(text, 'across', { width: 100, height: 100 }),
  ],
  ['compile/graph-drawing.ts GraphDrawing.markOf', (text) => drawing().markOf(text)],
  ['compile/graph-drawing.ts GraphDrawing.isOnPath', (text) => drawing().isOnPath(text)],
  ['compile/graph-drawing.ts GraphDrawing.heading', (text) => drawing().heading(0, text)],
]);
