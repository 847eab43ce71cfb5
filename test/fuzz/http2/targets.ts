/**
 * The targets of the HTTP/2 fuzzer, and the rules that hold for every input. A target throws for an
 * input that breaks a rule, and returns what it observed, so that the fuzzer recognizes an input
 * with new features.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LoopShare } from '../../../engine/src/server/fairness/loop-share.ts';
import type { IncomingRequest } from '../../../engine/src/server/http/incoming-request.ts';
import type { OutgoingResponse } from '../../../engine/src/server/http/outgoing-response.ts';
import { RequestLifetimes } from '../../../engine/src/server/http/request-lifetime.ts';
import { OpenStreams } from '../../../engine/src/server/http/send-stream.ts';
import { Http2Connection } from '../../../engine/src/server/http2/connection.ts';
import { ConnectionError } from '../../../engine/src/server/http2/connection-error.ts';
import { writeFrameHeader } from '../../../engine/src/server/http2/frame.ts';
import { FrameReader } from '../../../engine/src/server/http2/frame-reader.ts';
import { HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';
import { maxEncodedBytes, writeField } from '../../../engine/src/server/http2/hpack/encoder.ts';
import { type Field, hpackReader } from '../../support/hpack-reader.ts';
import { frameSplitter } from '../../support/http2-connection.ts';
import { type Frame, flags, frameTypes, preface } from '../../support/http2-frames.ts';
import { connectionMemory } from '../../support/server-memory.ts';
import { withFrozenClock } from './frozen-clock.ts';
import { RecordingSocket } from './tls-socket.ts';

export const targetNames = ['frames', 'hpack', 'connection'] as const;
export type TargetName = (typeof targetNames)[number];

/** Short descriptions of what happened. */
export type Features = readonly string[];

const requireRule: (holds: boolean, rule: string) => asserts holds = (holds, rule) => {
  if (!holds) throw new Error(rule);
};

/**
 * Returns the bytes as one piece, as single bytes, and in pieces whose lengths are derived from the
 * bytes.
 */
const piecesOf = (bytes: Buffer): readonly (readonly Buffer[])[] => {
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const some: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + ((bytes[at] ?? 0) & 31);
    some.push(bytes.subarray(at, at + length));
    at += length;
  }
  return bytes.length > mostSingleBytes ? [[bytes], some] : [[bytes], some, single];
};

/** Longer inputs are not sent byte by byte, which takes long and shows nothing more. */
const mostSingleBytes = 512;

/** Every frame is read as it was sent, however its bytes are split. */
const runFrames = (input: Buffer): Features => {
  const read = (pieces: readonly Buffer[]) => {
    const frames: Buffer[] = [];
    const reader = new FrameReader(({ length, type, flags: bits, streamId }, payload) => {
      requireRule(payload.length === length, 'a payload has the length that its frame says');
      const bytes = Buffer.alloc(9 + length);
      bytes.set(payload, writeFrameHeader(bytes, 0, { length, type, flags: bits, streamId }));
      frames.push(bytes);
    });
    try {
      for (const piece of pieces) reader.read(Buffer.from(piece));
    } catch (error) {
      requireRule(error instanceof ConnectionError, `only a ConnectionError is thrown: ${error}`);
      return { frames, code: error.code };
    }
    return { frames, code: undefined };
  };
  const [whole, ...others] = piecesOf(input).map(read);
  requireRule(whole !== undefined, 'an input can be read in one piece');
  for (const other of others) {
    requireRule(isDeepStrictEqual(whole, other), 'frames do not depend on how their bytes are cut');
  }
  const sent = Buffer.from(input.subarray(preface.length));
  const bytes = Buffer.concat(whole.frames);
  // The highest bit of a stream identifier is reserved and ignored.
  for (let at = 0; at < bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    sent[at + 5] = (sent[at + 5] ?? 0) & 0x7f;
  }
  requireRule(sent.subarray(0, bytes.length).equals(bytes), 'frames are the bytes that were sent');
  return [`${whole.code} after ${Math.min(whole.frames.length, 3)}`];
};

/** Returns the header blocks of an input, each prefixed with its length in two bytes. */
export const blocksOf = (input: Buffer): readonly Buffer[] => {
  const blocks: Buffer[] = [];
  for (let at = 0; at + 2 <= input.length && blocks.length < 16; ) {
    const start = at + 2;
    const end = Math.min(input.length, start + input.readUInt16BE(at));
    blocks.push(input.subarray(start, end));
    at = end;
  }
  return blocks;
};

/** A low limit, so that short inputs exceed it. */
const listLimit = 1024;

/** Blocks are decoded as by an independent decoder, and fields survive being encoded again. */
const runHpack = (input: Buffer): Features => {
  const features: string[] = [];
  const decoder = new HpackDecoder({ tableBytes: 4096 });
  const reference = hpackReader();
  for (const block of blocksOf(input)) {
    let decoded: ReturnType<HpackDecoder['decode']>;
    try {
      decoded = decoder.decode(block, listLimit);
    } catch (error) {
      requireRule(error instanceof HpackError, `only an HpackError is thrown: ${error}`);
      return [...features, error.message];
    }
    const fields = decoded.fields.map(({ name, value }): Field => [name, value]);
    const size = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
    requireRule(size <= listLimit, 'no more is stored than the limit allows');
    const expected = reference(block);
    requireRule(
      isDeepStrictEqual(fields, decoded.isTruncated ? expected.slice(0, fields.length) : expected),
      'fields are those that an independent decoder reads',
    );
    requireRule(
      decoded.isTruncated || fields.length === expected.length,
      'fields are cut only at the limit',
    );
    const into = Buffer.alloc(fields.reduce((sum, field) => sum + maxEncodedBytes(...field), 0));
    let end = 0;
    for (const field of fields) end = writeField(into, end, ...field);
    const again = new HpackDecoder({ tableBytes: 4096 }).decode(into.subarray(0, end), listLimit);
    requireRule(
      isDeepStrictEqual(again.fields, decoded.fields),
      'fields survive being written again',
    );
    features.push(`${Math.min(fields.length, 4)} ${decoded.isTruncated}`);
  }
  return features;
};

/** Counts of requests and streams of a run. */
interface Served {
  begun: number;
  settled: number;
  streams: number;
  endedStreams: number;
}

const plain: Omit<OutgoingResponse, 'body'> = {
  status: 200,
  headers: [['content-type', 'text/plain']],
  close: false,
};

/**
 * Returns a handler with responses of every form; the first byte after the slash of the path
 * selects one.
 */
const handler =
  (served: Served) =>
  async (incoming: IncomingRequest): Promise<OutgoingResponse> => {
    served.begun += 1;
    try {
      switch (incoming.request.rawTarget[1]) {
        case 'b': {
          const body = await incoming.readBody(4096);
          return { ...plain, body: body.kind === 'bytes' ? body.bytes : body.kind };
        }
        case 'p':
          served.streams += 1;
          return { ...plain, body: '', stream: (signal) => pieces(signal, served) };
        case 'c':
          return { ...plain, body: 'last', close: true };
        case 'l':
          return { ...plain, body: Buffer.alloc(100_000, 'l') };
        case 'e':
          return { ...plain, body: '' };
        case 'w':
          await Promise.race([nextTurn(), nextTurn()]);
          return { ...plain, body: 'late' };
        case 'h':
          return { ...plain, headers: [['x-long', 'a'.repeat(20_000)]], body: 'b' };
        case 's': {
          const { signal } = incoming;
          await nextTurn();
          return { ...plain, body: `${signal.aborted}` };
        }
        case 'x':
          incoming.abandon();
          return { ...plain, body: 'given up' };
        default:
          return { ...plain, body: 'ok' };
      }
    } finally {
      served.settled += 1;
    }
  };

async function* pieces(signal: AbortSignal, served: Served) {
  try {
    for (let count = 0; count < 4 && !signal.aborted; count += 1) yield Buffer.alloc(9000, 'p');
  } finally {
    served.endedStreams += 1;
  }
}

/** Turns of the event loop after which nothing happens without another byte or timer. */
const quietTurns = 6;

const serve = async (pieces: readonly Buffer[]): Promise<{ sent: Buffer; served: Served }> => {
  const served: Served = { begun: 0, settled: 0, streams: 0, endedStreams: 0 };
  const socket = new RecordingSocket();
  let fault: unknown;
  const connection = new Http2Connection(socket.asTlsSocket(), {
    handle: handler(served),
    lifetimes: new RequestLifetimes(),
    loop: new LoopShare(),
    streams: new OpenStreams(),
    maxStreams: 2,
    memory: connectionMemory(),
    reportError: (error) => {
      fault = error;
    },
  });
  for (const piece of pieces) socket.emit('data', Buffer.from(piece));
  for (let turn = 0; turn < quietTurns; turn += 1) await nextTurn();
  const sent = socket.written;
  socket.destroy();
  for (let turn = 0; turn < quietTurns; turn += 1) await nextTurn();
  if (fault !== undefined) throw new Error('the connection has a fault', { cause: fault });
  requireRule(served.settled === served.begun, 'every request settles once its client is gone');
  requireRule(
    served.endedStreams === served.streams,
    'every streamed response ends with its client',
  );
  requireRule(connection.sender.waitingBytes === 0, 'nothing waits for a client that is gone');
  return { sent, served };
};

/** Checks the rules of RFC 9113 for what the server sent against what the client sent. */
const checkSent = (sent: readonly Frame[], received: readonly Frame[]): void => {
  const read = hpackReader();
  const ended = new Set<number>();
  const withHeaders = new Set<number>();
  const opened = new Set(
    received.filter(({ type }) => type === frameTypes.headers).map(({ stream }) => stream),
  );
  let block: Buffer[] = [];
  let connectionBytes = 0;
  const streamBytes = new Map<number, number>();
  requireRule(sent[0]?.type === frameTypes.settings, 'SETTINGS come first');
  for (const { type, flags: bits, stream, payload } of sent) {
    requireRule(payload.length <= 16_384, 'no frame is longer than clients must accept');
    requireRule(
      block.length === 0 || type === frameTypes.continuation,
      'header blocks are contiguous',
    );
    if (type === frameTypes.headers || type === frameTypes.continuation) {
      requireRule(opened.has(stream), 'only requests are answered');
      // END_STREAM of a header block is a flag of its first frame.
      requireRule(block.length > 0 || !ended.has(stream), 'nothing follows the end of a stream');
      block.push(payload);
      if ((bits & flags.endHeaders) !== 0) {
        read(Buffer.concat(block));
        block = [];
      }
      withHeaders.add(stream);
    }
    if (type === frameTypes.data) {
      requireRule(withHeaders.has(stream), 'headers come before a body');
      requireRule(!ended.has(stream), 'nothing follows the end of a stream');
      connectionBytes += payload.length;
      streamBytes.set(stream, (streamBytes.get(stream) ?? 0) + payload.length);
    }
    const isEnd = type === frameTypes.data || type === frameTypes.headers;
    if (isEnd && (bits & flags.endStream) !== 0) ended.add(stream);
    if (type === frameTypes.rstStream) ended.add(stream);
  }
  const increments = (of: number): number =>
    received
      .filter(({ type, stream }) => type === frameTypes.windowUpdate && stream === of)
      .reduce((sum, { payload }) => sum + windowOf(payload, 0), 0);
  requireRule(connectionBytes <= 65_535 + increments(0), 'the window of the connection is kept');
  const initial = Math.max(
    65_535,
    ...received.filter(({ type }) => type === frameTypes.settings).flatMap(initialWindows),
  );
  for (const [stream, bytes] of streamBytes) {
    requireRule(bytes <= initial + increments(stream), 'the window of a stream is kept');
  }
};

const windowOf = (payload: Buffer, at: number): number =>
  payload.length < at + 4 ? 0 : payload.readUInt32BE(at) & 0x7fffffff;

const initialWindows = ({ payload }: Frame): readonly number[] => {
  const windows: number[] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6) {
    if (payload.readUInt16BE(at) === 4) windows.push(windowOf(payload, at + 2));
  }
  return windows;
};

const framesOf = (bytes: Buffer): readonly Frame[] => {
  const frames: Frame[] = [];
  frameSplitter((frame) => frames.push(frame))(bytes);
  return frames;
};

/**
 * A whole connection obeys the protocol, releases everything at its end, and does not depend on how
 * bytes are split.
 */
const runConnection = async (input: Buffer): Promise<Features> => {
  const bytes = Buffer.concat([preface, input]);
  const [whole, ...others] = await Promise.all(piecesOf(bytes).map(serve));
  requireRule(whole !== undefined, 'an input can be sent in one piece');
  for (const other of others) {
    requireRule(whole.sent.equals(other.sent), 'what is sent does not depend on how bytes are cut');
  }
  const sent = framesOf(whole.sent);
  checkSent(sent, framesOf(input));
  return sent.flatMap(({ type, flags: bits, payload }, at) => {
    if (type === frameTypes.goaway) return [`GOAWAY ${payload.toString('latin1', 4)}`];
    if (type === frameTypes.rstStream) return [`RST_STREAM ${payload.readUInt32BE(0)}`];
    // Pairs of consecutive frames.
    return [`${type} ${bits} ${Math.sign(payload.length)}`, `${sent[at - 1]?.type} > ${type}`];
  });
};

/** Runs an input; throws if it breaks a rule. */
export const runTarget = async (target: TargetName, input: Buffer): Promise<Features> => {
  switch (target) {
    case 'frames':
      return runFrames(input);
    case 'hpack':
      return runHpack(input);
    case 'connection':
      return withFrozenClock(() => runConnection(input));
  }
};
