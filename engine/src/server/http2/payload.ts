/** Splits frame payloads into content, padding and priority (RFC 9113, 6.1 and 6.2). */
import { type ConnectionError, frameSizeError, protocolError } from './connection-error.ts';
import { type FrameHeader, frameFlags, frameTypes, maxWindow } from './frame.ts';

const priorityBytes = 5;

/** Returns the payload without padding and, for HEADERS, without priority. */
export const contentOf = ({ type, flags }: FrameHeader, payload: Buffer): Buffer => {
  const isPadded = (flags & frameFlags.padded) !== 0;
  let start = 0;
  let padding = 0;
  if (isPadded) {
    if (payload.length === 0) throw payloadTooShort();
    padding = payload.readUInt8(0);
    start = 1;
  }
  if (hasPriority(type, flags)) start += priorityBytes;
  const end = payload.length - padding;
  if (start > payload.length) throw payloadTooShort();
  if (end < start) throw protocolError('padding exceeds the payload');
  return start === 0 ? payload : payload.subarray(start, end);
};

/** True if the priority of a HEADERS or PRIORITY frame makes the stream depend on itself. */
export const dependsOnItself = (
  { type, flags, streamId }: FrameHeader,
  payload: Buffer,
): boolean => {
  if (type !== frameTypes.priority && !hasPriority(type, flags)) return false;
  const start = type === frameTypes.headers && (flags & frameFlags.padded) !== 0 ? 1 : 0;
  if (payload.length < start + priorityBytes) throw payloadTooShort();
  return (payload.readUInt32BE(start) & maxWindow) === streamId;
};

const hasPriority = (type: number, flags: number): boolean =>
  type === frameTypes.headers && (flags & frameFlags.priority) !== 0;

const payloadTooShort = (): ConnectionError => frameSizeError('payload too short');
