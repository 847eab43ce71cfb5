/**
 * Frames of HTTP/2 (RFC 9113, sections 4 and 6): their constants, their headers and small frames.
 */

/** Frame types (RFC 9113, 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Frame flags; the meaning of a bit depends on the frame type. */
export const frameFlags = {
  acknowledge: 0x1,
  endStream: 0x1,
  endHeaders: 0x4,
  padded: 0x8,
  priority: 0x20,
} as const;

/** Error codes (RFC 9113, 7) that the server sends. */
export const errorCodes = {
  none: 0x0,
  protocol: 0x1,
  internal: 0x2,
  flowControl: 0x3,
  streamClosed: 0x5,
  frameSize: 0x6,
  refusedStream: 0x7,
  cancel: 0x8,
  compression: 0x9,
  enhanceYourCalm: 0xb,
  inadequateSecurity: 0xc,
} as const;

/** An error code of RST_STREAM or GOAWAY. */
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** The header of a frame. */
export interface FrameHeader {
  /** Length of the payload in bytes. */
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  /** The stream identifier; 0 for the connection. */
  readonly streamId: number;
}

/** Length of a frame header. */
export const frameHeaderBytes = 9;

/** The initial value of SETTINGS_MAX_FRAME_SIZE, which neither side changes here. */
export const maxPayloadBytes = 16_384;

/** Windows and stream identifiers have 31 bits. */
export const maxWindow = 0x7fff_ffff;

/** Writes a frame header and returns the offset after it. */
export const writeFrameHeader = (
  into: Buffer,
  offset: number,
  { length, type, flags, streamId }: FrameHeader,
): number => {
  into[offset] = length >>> 16;
  into[offset + 1] = length >>> 8;
  into[offset + 2] = length;
  into[offset + 3] = type;
  into[offset + 4] = flags;
  return into.writeUInt32BE(streamId, offset + 5);
};

/** Reads a frame header; the buffer must contain all of it. */
export const readFrameHeader = (bytes: Buffer, offset: number): FrameHeader => ({
  length: (bytes.readUInt16BE(offset) << 8) | bytes.readUInt8(offset + 2),
  type: bytes.readUInt8(offset + 3),
  flags: bytes.readUInt8(offset + 4),
  // The highest bit is reserved.
  streamId: bytes.readUInt32BE(offset + 5) & maxWindow,
});

const frame = (header: Omit<FrameHeader, 'length'>, payload: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(frameHeaderBytes + payload.length);
  bytes.set(payload, writeFrameHeader(bytes, 0, { ...header, length: payload.length }));
  return bytes;
};

const uint32s = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};

/** Creates a RST_STREAM frame. */
export const resetFrame = (streamId: number, code: ErrorCode): Buffer =>
  frame({ type: frameTypes.resetStream, flags: 0, streamId }, uint32s(code));

/** The content of a GOAWAY frame. */
export interface GoAway {
  /** The last stream that is processed. */
  readonly lastStreamId: number;
  readonly code: ErrorCode;
  /** A description of the error for diagnosis; empty if there is none. */
  readonly debugData: string;
}

/** Creates a GOAWAY frame. */
export const goAwayFrame = ({ lastStreamId, code, debugData }: GoAway): Buffer =>
  frame(
    { type: frameTypes.goAway, flags: 0, streamId: 0 },
    Buffer.concat([uint32s(lastStreamId, code), Buffer.from(debugData)]),
  );

/** Creates a WINDOW_UPDATE frame; `streamId` 0 is the connection. */
export const windowUpdateFrame = (streamId: number, bytes: number): Buffer =>
  frame({ type: frameTypes.windowUpdate, flags: 0, streamId }, uint32s(bytes));

/** Creates the acknowledgment of a PING with its payload. */
export const pingAckFrame = (payload: Uint8Array): Buffer =>
  frame({ type: frameTypes.ping, flags: frameFlags.acknowledge, streamId: 0 }, payload);

/** Creates a SETTINGS frame. */
export const settingsFrame = (
  values: readonly (readonly [id: number, value: number])[],
): Buffer => {
  const payload = Buffer.allocUnsafe(6 * values.length);
  for (const [index, [id, value]] of values.entries()) {
    payload.writeUInt32BE(value, payload.writeUInt16BE(id, 6 * index));
  }
  return frame({ type: frameTypes.settings, flags: 0, streamId: 0 }, payload);
};

/** The acknowledgment of SETTINGS. */
export const settingsAckFrame: Buffer = frame(
  { type: frameTypes.settings, flags: frameFlags.acknowledge, streamId: 0 },
  Buffer.alloc(0),
);
