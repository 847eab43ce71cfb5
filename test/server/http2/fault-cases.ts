/**
 * What a client must not send, as bytes, and what Go's server does about it: the connection ends with a
 * code, or the stream does. Each case follows the opening and the first SETTINGS of both sides.
 */
import type { Field } from '../../support/hpack-reader.ts';
import {
  dataFrame,
  errorCodes,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headersFrame,
  preface,
  prefixed,
  requestFields,
  rstStream,
  settingIds,
  settingsFrame,
  windowUpdate,
  word,
} from '../../support/http2-frames.ts';

export interface FaultCase {
  readonly name: string;
  readonly sent: readonly Buffer[];
  /** Of GOAWAY, or of RST_STREAM of stream 1. */
  readonly code: number;
}

const { protocolError, flowControlError, frameSizeError, compressionError, streamClosed } =
  errorCodes;
const { data, headers, priority, settings, pushPromise, ping, goaway, continuation } = frameTypes;

/** What every request of a case shows. */
export const token = 'canary-of-the-faults';

const credential: Field = ['authorization', `Bearer ${token}`];
const get = requestFields({ fields: [credential] });
const post = (path: string): readonly Field[] =>
  requestFields({ method: 'POST', path, fields: [credential] });
const block = headerBlock(get);
const whole = flags.endHeaders | flags.endStream;

const request = (stream = 1): Buffer => headersFrame(stream, get);
/** Waits for a body. */
const upload = headersFrame(1, post('/echo'), { more: true });
const begun = frame(headers, { flags: flags.endStream, stream: 1, payload: block });
const bytes = (...each: readonly number[]): Buffer => Buffer.from(each);
const blockOf = (...parts: readonly Buffer[]): Buffer =>
  frame(headers, { flags: whole, stream: 1, payload: Buffer.concat(parts) });
/** A field whose value is in Huffman code. */
const huffman = (...value: readonly number[]): Buffer =>
  bytes(0, 1, 97, 0x80 | value.length, ...value);
const setting = (id: number, value: number): Buffer => settingsFrame([[id, value]]);

const faults = (
  code: number,
  cases: Readonly<Record<string, readonly Buffer[]>>,
): readonly FaultCase[] => Object.entries(cases).map(([name, sent]) => ({ name, sent, code }));

/** Each ends the connection. */
export const connectionFaults: readonly FaultCase[] = [
  ...faults(protocolError, {
    'DATA on stream 0': [dataFrame(0, 'a')],
    'HEADERS on stream 0': [frame(headers, { flags: whole, payload: block })],
    'CONTINUATION on stream 0': [begun, frame(continuation, { flags: flags.endHeaders })],
    'PRIORITY on stream 0': [frame(priority, { payload: bytes(0, 0, 0, 3, 1) })],
    'RST_STREAM on stream 0': [rstStream(0)],
    'SETTINGS on a stream': [frame(settings, { stream: 1 })],
    'PING on a stream': [frame(ping, { stream: 1, payload: Buffer.alloc(8) })],
    'GOAWAY on a stream': [frame(goaway, { stream: 1, payload: Buffer.alloc(8) })],
    'an even stream': [request(2)],
    'a stream lower than the last': [request(5), request(3)],
    'CONTINUATION alone': [
      frame(continuation, { flags: flags.endHeaders, stream: 1, payload: block }),
    ],
    'CONTINUATION behind a whole head': [
      request(),
      frame(continuation, { flags: flags.endHeaders, stream: 1, payload: block }),
    ],
    'PING within a head': [begun, frame(ping, { payload: Buffer.alloc(8) })],
    'DATA within a head': [begun, dataFrame(1, 'a')],
    'HEADERS within a head': [begun, request(3)],
    'an unknown frame within a head': [begun, frame(0x77, { stream: 1 })],
    'CONTINUATION of another head': [
      begun,
      frame(continuation, { flags: flags.endHeaders, stream: 3 }),
    ],
    'a connection window that grows by nothing': [windowUpdate(0, 0)],
    'WINDOW_UPDATE of an idle stream': [windowUpdate(3, 5)],
    'RST_STREAM of an idle stream': [rstStream(1)],
    'DATA on an idle stream': [dataFrame(1, 'a')],
    'PUSH_PROMISE on an open stream': [
      upload,
      frame(pushPromise, {
        flags: flags.endHeaders,
        stream: 1,
        payload: Buffer.concat([word(2), block]),
      }),
    ],
    'PUSH_PROMISE on an idle stream': [
      frame(pushPromise, {
        flags: flags.endHeaders,
        stream: 1,
        payload: Buffer.concat([word(2), block]),
      }),
    ],
    'DATA with more padding than payload': [
      upload,
      frame(data, { flags: flags.padded, stream: 1, payload: bytes(3, 1, 1) }),
    ],
    'push that is neither on nor off': [setting(2, 2)],
    'tunnels that are neither on nor off': [setting(8, 2)],
    'frames smaller than the least': [setting(settingIds.maxFrameSize, 16_383)],
    'frames larger than the most': [setting(settingIds.maxFrameSize, 2 ** 24)],
    'SETTINGS acknowledged twice': [frame(settings, { flags: flags.ack })],
  }),
  ...faults(frameSizeError, {
    'DATA of more than 16 KiB': [
      upload,
      frame(data, { flags: flags.endStream, stream: 1, payload: Buffer.alloc(16_385) }),
    ],
    'HEADERS of more than 16 KiB': [headersFrame(1, [...get, ['a', 'b'.repeat(16_384)]])],
    'an unknown frame of more than 16 KiB': [frame(0x77, { payload: Buffer.alloc(16_385) })],
    'DATA without the length of its padding': [
      upload,
      frame(data, { flags: flags.padded, stream: 1 }),
    ],
    'HEADERS without the length of its padding': [
      frame(headers, { flags: whole | flags.padded, stream: 1 }),
    ],
    'HEADERS with half a priority': [
      frame(headers, { flags: whole | flags.priority, stream: 1, payload: bytes(0, 0, 0) }),
    ],
    'SETTINGS of 5 bytes': [frame(settings, { payload: Buffer.alloc(5) })],
    'SETTINGS acknowledged with bytes': [
      frame(settings, { flags: flags.ack, payload: Buffer.alloc(6) }),
    ],
    'PING of 7 bytes': [frame(ping, { payload: Buffer.alloc(7) })],
    'PING of 9 bytes': [frame(ping, { payload: Buffer.alloc(9) })],
    'RST_STREAM of 3 bytes': [
      upload,
      frame(frameTypes.rstStream, { stream: 1, payload: bytes(0, 0, 1) }),
    ],
    'WINDOW_UPDATE of 3 bytes': [frame(frameTypes.windowUpdate, { payload: bytes(0, 0, 1) })],
    'WINDOW_UPDATE of 5 bytes': [frame(frameTypes.windowUpdate, { payload: Buffer.alloc(5, 1) })],
    'GOAWAY of 7 bytes': [frame(goaway, { payload: Buffer.alloc(7) })],
    'PRIORITY of 4 bytes': [frame(priority, { stream: 1, payload: Buffer.alloc(4) })],
  }),
  ...faults(flowControlError, {
    'a connection window over the most': [windowUpdate(0, 0x7fffffff)],
    'more bytes than the window of the connection': [1, 3, 5, 7, 9].flatMap((stream) => [
      headersFrame(stream, post('/wait'), { more: true }),
      ...Array.from({ length: 16 }, () => dataFrame(stream, Buffer.alloc(16_384), { more: true })),
    ]),
    'a first window over the most': [setting(settingIds.initialWindowSize, 0x80000000)],
    'a first window that widens an open one over the most': [
      upload,
      windowUpdate(1, 0x7fffffff - 65_535),
      setting(settingIds.initialWindowSize, 65_536),
    ],
  }),
  ...faults(compressionError, {
    'index 0': [blockOf(bytes(0x80))],
    'an index beyond the table': [blockOf(bytes(0x80 | 70))],
    'a name beyond the table': [blockOf(block, bytes(0x40 | 62, 1, 97))],
    'a text that is cut off': [blockOf(block, bytes(0, 5, 97))],
    'a number that is cut off': [blockOf(block, bytes(0xff))],
    'a number without an end': [blockOf(block, Buffer.alloc(12, 0xff), bytes(0x7f))],
    'a table larger than ours': [blockOf(prefixed(0x20, 5, 4097), block)],
    'a table of another size behind a field': [blockOf(block, bytes(0x20), block)],
    'the end of a text in Huffman code': [blockOf(block, huffman(0xff, 0xff, 0xff, 0xff))],
    'zeros behind a text in Huffman code': [blockOf(block, huffman(0))],
    'a byte too many behind a text in Huffman code': [blockOf(block, huffman(0x1f, 0xff))],
    'trailers that can not be read': [upload, blockOf(bytes(0x80))],
    'a head that can not be read on a stream that has ended': [request(), blockOf(bytes(0x80))],
  }),
];

/** Each ends stream 1, and that alone. */
export const streamFaults: readonly FaultCase[] = [
  ...faults(protocolError, {
    'a window that grows by nothing': [upload, windowUpdate(1, 0)],
    'a stream that depends on itself': [
      upload,
      frame(priority, { stream: 1, payload: bytes(0, 0, 0, 1, 1) }),
    ],
    'a head that depends on itself': [
      frame(headers, {
        flags: whole | flags.priority,
        stream: 1,
        payload: Buffer.concat([bytes(0, 0, 0, 1, 7), block]),
      }),
    ],
  }),
  ...faults(flowControlError, {
    'a window over the most': [upload, windowUpdate(1, 0x7fffffff)],
    'more bytes than the window': [
      headersFrame(1, post('/wait'), { more: true }),
      ...Array.from({ length: 17 }, () => dataFrame(1, Buffer.alloc(16_384), { more: true })),
    ],
  }),
  ...faults(streamClosed, {
    'DATA behind its end': [
      headersFrame(1, post('/wait'), { more: true }),
      dataFrame(1, 'a'),
      dataFrame(1, 'b'),
    ],
    'HEADERS behind its end': [headersFrame(1, post('/wait')), headersFrame(1, post('/wait'))],
  }),
];

/** Openings that are none; the code of the GOAWAY, where Go's server has one. */
export const openingFaults: readonly (FaultCase & { readonly hasGoAway: boolean })[] = [
  {
    name: 'a request of HTTP/1.1',
    sent: [Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    code: protocolError,
    hasGoAway: false,
  },
  {
    name: 'a preface with another last byte',
    sent: [preface.subarray(0, -1), Buffer.from(' '), settingsFrame()],
    code: protocolError,
    hasGoAway: false,
  },
  {
    name: 'PING before SETTINGS',
    sent: [preface, frame(ping, { payload: Buffer.alloc(8) })],
    code: protocolError,
    hasGoAway: true,
  },
  {
    name: 'HEADERS before SETTINGS',
    sent: [preface, request()],
    code: protocolError,
    hasGoAway: true,
  },
  {
    name: 'an acknowledgement before SETTINGS',
    sent: [preface, frame(settings, { flags: flags.ack })],
    code: protocolError,
    hasGoAway: true,
  },
];
