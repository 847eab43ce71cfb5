/** HTTP/2 frames as bytes (RFC 9113), valid or not, for tests. It uses no code of the server. */
import type { Field } from './hpack-reader.ts';

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of DATA and HEADERS; ACK of SETTINGS and PING is the same bit as END_STREAM. */
export const flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  connectError: 10,
  enhanceYourCalm: 11,
} as const;

export const settingIds = { headerTableSize: 1, initialWindowSize: 4, maxFrameSize: 5 } as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
  /** The decoded fields of the frame that ends a header block. */
  readonly fields?: readonly Field[];
}

/** Encodes a frame including its length. */
export const frame = (
  type: number,
  { flags: bits = 0, stream = 0, payload = Buffer.alloc(0) }: Partial<Omit<Frame, 'type'>> = {},
): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = bits;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

/**
 * Encodes fields as literals without indexing, one byte for each character, without Huffman coding.
 */
export const headerBlock = (fields: readonly Field[]): Buffer =>
  Buffer.concat(fields.map((field) => literalField(field)));

/** Encodes a literal with a new name; `isIndexed` adds it to the dynamic table. */
export const literalField = (
  [name, value]: Field,
  { isIndexed = false }: { readonly isIndexed?: boolean } = {},
): Buffer => Buffer.concat([Buffer.from([isIndexed ? 0x40 : 0]), text(name), text(value)]);

/** Encodes a string of HPACK without Huffman coding. */
export const text = (value: string): Buffer =>
  Buffer.concat([prefixed(0, 7, value.length), Buffer.from(value, 'latin1')]);

/** Encodes an integer (RFC 7541, 5.1) after the bits that precede it. */
export const prefixed = (lead: number, bits: number, value: number): Buffer => {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([lead | value]);
  const bytes = [lead | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
};

export interface RequestHead {
  readonly method?: string;
  readonly path?: string;
  readonly fields?: readonly Field[];
}

/** Returns the four pseudo-header fields and then the others. */
export const requestFields = ({
  method = 'GET',
  path = '/livez',
  fields = [],
}: RequestHead = {}): readonly Field[] => [
  [':method', method],
  [':scheme', 'https'],
  [':path', path],
  [':authority', 'localhost'],
  ...fields,
];

/**
 * Encodes HEADERS with a complete header block; with `more`, a body or a trailer section follows.
 */
export const headersFrame = (
  stream: number,
  fields: readonly Field[],
  { more = false }: { readonly more?: boolean } = {},
): Buffer =>
  frame(frameTypes.headers, {
    flags: flags.endHeaders | (more ? 0 : flags.endStream),
    stream,
    payload: headerBlock(fields),
  });

export const dataFrame = (
  stream: number,
  body: string | Buffer,
  { more = false }: { readonly more?: boolean } = {},
): Buffer =>
  frame(frameTypes.data, {
    flags: more ? 0 : flags.endStream,
    stream,
    payload: Buffer.from(body),
  });

export const settingsFrame = (
  settings: readonly (readonly [id: number, value: number])[] = [],
): Buffer => {
  const payload = Buffer.alloc(settings.length * 6);
  settings.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  });
  return frame(frameTypes.settings, { payload });
};

export const windowUpdate = (stream: number, increment: number): Buffer =>
  frame(frameTypes.windowUpdate, { stream, payload: word(increment) });

export const rstStream = (stream: number, code: number = errorCodes.cancel): Buffer =>
  frame(frameTypes.rstStream, { stream, payload: word(code) });

/** Encodes 32 bits. */
export const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** Splits the bytes into frames of at most 16 KiB; the last one ends the stream. */
export const dataFrames = (stream: number, body: Buffer): readonly Buffer[] => {
  const frames: Buffer[] = [];
  for (let start = 0; start < body.length; start += 16_384) {
    const end = start + 16_384;
    frames.push(dataFrame(stream, body.subarray(start, end), { more: end < body.length }));
  }
  return frames;
};
