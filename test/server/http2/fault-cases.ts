/**
 * Invalid frames and the reaction of Go's server: a connection error or a stream error with a code.
 * Each case follows the preface and the SETTINGS of both sides.
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
  /** The error code of GOAWAY, or of RST_STREAM for stream 1. */
  readonly code: number;
}

const { protocolError, flowControlError, frameSizeError, compressionError, streamClosed } =
  errorCodes;
const { data, headers, priority, settings, pushPromise, ping, goaway, continuation } = frameTypes;

/** The token in every request of these cases. */
export const token = 'canary-of-the-faults';

const credential: Field = ['authorization', `Bearer ${token}`];
const get = requestFields({ fields: [credential] });
const post = (path: string): readonly Field[] =>
  requestFields({ method: 'POST', path, fields: [credential] });
const block = headerBlock(get);
const whole = flags.endHeaders | flags.endStream;

const request = (stream = 1): Buffer => headersFrame(stream, get);
/** A request without the end of its body. */
const upload = headersFrame(1, post('/echo'), { more: true });
const begun = frame(headers, { flags: flags.endStream, stream: 1, payload: block });
const bytes = (...each: readonly number[]): Buffer => Buffer.from(each);
const blockOf = (...parts: readonly Buffer[]): Buffer =>
  frame(headers, { flags: whole, stream: 1, payload: Buffer.concat(parts) });
/** A field whose value is Huffman-coded. */
const huffman = (...value: readonly number[]): Buffer =>
  bytes(0, 1, 97, 0x80 | value.length, ...value);
const setting = (id: number, value: number): Buffer => settingsFrame([[id, value]]);

const faults = (
  code: number,
  cases: Readonly<Record<string, readonly Buffer[]>>,
): readonly FaultCase[] => Object.entries(cases).map(([name, sent]) => ({ name, sent, code }));

/** Cases that are connection errors. */
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
    'an even stream ID': [request(2)],
    'a stream ID lower than the previous one': [request(5), request(3)],
    'CONTINUATION without HEADERS': [
      frame(continuation, { flags: flags.endHeaders, stream: 1, payload: block }),
    ],
    'CONTINUATION after a complete header block': [
      request(),
      frame(continuation, { flags: flags.endHeaders, stream: 1, payload: block }),
    ],
    'PING within a header block': [begun, frame(ping, { payload: Buffer.alloc(8) })],
    'DATA within a header block': [begun, dataFrame(1, 'a')],
    'HEADERS within a header block': [begun, request(3)],
    'an unknown frame within a header block': [begun, frame(0x77, { stream: 1 })],
    'CONTINUATION on another stream': [
      begun,
      frame(continuation, { flags: flags.endHeaders, stream: 3 }),
    ],
    'WINDOW_UPDATE with increment 0 for the connection': [windowUpdate(0, 0)],
    'WINDOW_UPDATE on an idle stream': [windowUpdate(3, 5)],
    'RST_STREAM on an idle stream': [rstStream(1)],
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
    'SETTINGS_ENABLE_PUSH above 1': [setting(2, 2)],
    'SETTINGS_ENABLE_CONNECT_PROTOCOL above 1': [setting(8, 2)],
    'SETTINGS_MAX_FRAME_SIZE below the minimum': [setting(settingIds.maxFrameSize, 16_383)],
    'SETTINGS_MAX_FRAME_SIZE above the maximum': [setting(settingIds.maxFrameSize, 2 ** 24)],
    'SETTINGS acknowledged twice': [frame(settings, { flags: flags.ack })],
  }),
  ...faults(frameSizeError, {
    'DATA of more than 16 KiB': [
      upload,
      frame(data, { flags: flags.endStream, stream: 1, payload: Buffer.alloc(16_385) }),
    ],
    'HEADERS of more than 16 KiB': [headersFrame(1, [...get, ['a', 'b'.repeat(16_384)]])],
    'an unknown frame of more than 16 KiB': [frame(0x77, { payload: Buffer.alloc(16_385) })],
    'DATA without its pad length': [upload, frame(data, { flags: flags.padded, stream: 1 })],
    'HEADERS without its pad length': [frame(headers, { flags: whole | flags.padded, stream: 1 })],
    'HEADERS with an incomplete priority': [
      frame(headers, { flags: whole | flags.priority, stream: 1, payload: bytes(0, 0, 0) }),
    ],
    'SETTINGS of 5 bytes': [frame(settings, { payload: Buffer.alloc(5) })],
    'SETTINGS ACK with a payload': [
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
    'a connection window above the maximum': [windowUpdate(0, 0x7fffffff)],
    'DATA beyond the window of the connection': [1, 3, 5, 7, 9].flatMap((stream) => [
      headersFrame(stream, post('/wait'), { more: true }),
      ...Array.from({ length: 16 }, () => dataFrame(stream, Buffer.alloc(16_384), { more: true })),
    ]),
    'SETTINGS_INITIAL_WINDOW_SIZE above the maximum': [
      setting(settingIds.initialWindowSize, 0x80000000),
    ],
    'SETTINGS_INITIAL_WINDOW_SIZE that raises an open window above the maximum': [
      upload,
      windowUpdate(1, 0x7fffffff - 65_535),
      setting(settingIds.initialWindowSize, 65_536),
    ],
  }),
  ...faults(compressionError, {
    'index 0': [blockOf(bytes(0x80))],
    'an index after the table': [blockOf(bytes(0x80 | 70))],
    'a name index after the table': [blockOf(block, bytes(0x40 | 62, 1, 97))],
    'a truncated string': [blockOf(block, bytes(0, 5, 97))],
    'a truncated integer': [blockOf(block, bytes(0xff))],
    'an endless integer': [blockOf(block, Buffer.alloc(12, 0xff), bytes(0x7f))],
    'a table size above the limit': [blockOf(prefixed(0x20, 5, 4097), block)],
    'a table size update after a field': [blockOf(block, bytes(0x20), block)],
    'the EOS symbol in a Huffman-coded string': [blockOf(block, huffman(0xff, 0xff, 0xff, 0xff))],
    'zeros as padding of a Huffman-coded string': [blockOf(block, huffman(0))],
    'a byte of padding after a Huffman-coded string': [blockOf(block, huffman(0x1f, 0xff))],
    'an invalid trailer section': [upload, blockOf(bytes(0x80))],
    'an invalid header block on a stream that has ended': [request(), blockOf(bytes(0x80))],
  }),
];

/** Cases that are errors of stream 1 only. */
export const streamFaults: readonly FaultCase[] = [
  ...faults(protocolError, {
    'WINDOW_UPDATE with increment 0': [upload, windowUpdate(1, 0)],
    'a stream that depends on itself': [
      upload,
      frame(priority, { stream: 1, payload: bytes(0, 0, 0, 1, 1) }),
    ],
    'a header block that depends on itself': [
      frame(headers, {
        flags: whole | flags.priority,
        stream: 1,
        payload: Buffer.concat([bytes(0, 0, 0, 1, 7), block]),
      }),
    ],
  }),
  ...faults(flowControlError, {
    'a window above the maximum': [upload, windowUpdate(1, 0x7fffffff)],
    'DATA beyond the window of the stream': [
      headersFrame(1, post('/wait'), { more: true }),
      ...Array.from({ length: 17 }, () => dataFrame(1, Buffer.alloc(16_384), { more: true })),
    ],
  }),
  ...faults(streamClosed, {
    'DATA after the end of the stream': [
      headersFrame(1, post('/wait'), { more: true }),
      dataFrame(1, 'a'),
      dataFrame(1, 'b'),
    ],
    'HEADERS after the end of the stream': [
      headersFrame(1, post('/wait')),
      headersFrame(1, post('/wait')),
    ],
  }),
];

/** Invalid connection prefaces, with the error code of GOAWAY if Go's server sends one. */
export const openingFaults: readonly (FaultCase & { readonly hasGoAway: boolean })[] = [
  {
    name: 'an HTTP/1.1 request',
    sent: [Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    code: protocolError,
    hasGoAway: false,
  },
  {
    name: 'a preface with a different last byte',
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
    name: 'SETTINGS ACK before SETTINGS',
    sent: [preface, frame(settings, { flags: flags.ack })],
    code: protocolError,
    hasGoAway: true,
  },
];
