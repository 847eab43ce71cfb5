/** Derives inputs from other inputs: as bytes, as frames, and as header blocks. */
import { frameSplitter } from '../../support/http2-connection.ts';
import {
  type Frame,
  flags,
  frame,
  frameTypes,
  headersFrame,
  literalField,
  preface,
  prefixed,
  requestFields,
  settingsFrame,
  text,
  windowUpdate,
} from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import { blocksOf, type TargetName } from './targets.ts';

/** Longer inputs are cut, because short ones can show the same. */
const mostInputBytes = 2048;

/** Returns a changed input; `other` is any input of the same target, to splice with. */
export const mutate = (
  target: TargetName,
  { input, other }: { readonly input: Buffer; readonly other: Buffer },
  random: Random,
): Buffer => {
  let changed = input;
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    if (random.chance(0.25)) changed = mutateBytes(changed, other, random);
    else if (target === 'hpack') changed = mutateBlocks(changed, other, random);
    else if (target === 'connection') changed = mutateFrames(changed, other, random);
    else changed = withPreface(changed, other, random);
  }
  return changed.subarray(0, mostInputBytes);
};

/** Numbers at the boundaries of types and limits. */
const interesting = [0, 1, 4, 5, 8, 9, 0x7f, 0x80, 0xff, 16_384, 65_535, 2 ** 31 - 1, 2 ** 32 - 1];

const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)));

const mutateBytes = (input: Buffer, other: Buffer, random: Random): Buffer => {
  const at = random.below(input.length + 1);
  const length = random.below(16);
  const [before, after] = [input.subarray(0, at), input.subarray(at)];
  switch (random.below(6)) {
    case 0: {
      const flipped = Buffer.from(input);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, randomBytes(random, length), after]);
    case 2:
      return Buffer.concat([before, after.subarray(length)]);
    case 3:
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 4: {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(random.pick(interesting));
      return Buffer.concat([before, number.subarray(random.below(4)), after.subarray(length)]);
    }
    default:
      return Buffer.concat([before, other.subarray(random.below(other.length + 1))]);
  }
};

const splitFrames = (bytes: Buffer): readonly Frame[] => {
  const frames: Frame[] = [];
  frameSplitter((each) => frames.push(each))(bytes);
  return frames;
};

/**
 * Keeps the connection preface intact most of the time, because nothing else is read without it.
 */
const withPreface = (input: Buffer, other: Buffer, random: Random): Buffer =>
  Buffer.concat([
    preface,
    mutateFrames(input.subarray(preface.length), other.subarray(preface.length), random),
  ]);

const mutateFrames = (input: Buffer, other: Buffer, random: Random): Buffer => {
  const frames = splitFrames(input).map((each) => frame(each.type, each));
  const donor = splitFrames(other).map((each) => frame(each.type, each));
  const at = random.below(frames.length + 1);
  switch (random.below(8)) {
    case 0:
      frames.splice(at, 0, newFrame(random));
      break;
    case 1:
      frames.splice(at, 1);
      break;
    case 2:
      frames.splice(at, 0, ...frames.slice(at, at + 1 + random.below(3)));
      break;
    case 3:
      frames.splice(at, random.below(3), ...donor.slice(random.below(donor.length + 1)));
      break;
    case 4: {
      const to = random.below(frames.length + 1);
      frames.splice(to, 0, ...frames.splice(at, 1));
      break;
    }
    default:
      if (frames[at] !== undefined) frames[at] = changedFrame(frames[at], random);
  }
  return Buffer.concat(frames);
};

/** Changes a field of the frame's header, or its payload. */
const changedFrame = (bytes: Buffer, random: Random): Buffer => {
  const [only] = splitFrames(bytes);
  if (only === undefined) return bytes;
  const { type, payload } = only;
  switch (random.below(6)) {
    case 0:
      return frame(random.chance(0.9) ? random.below(10) : random.below(256), only);
    case 1:
      return frame(type, { ...only, flags: only.flags ^ (1 << random.below(8)) });
    case 2:
      return frame(type, { ...only, stream: random.below(14) });
    case 3: {
      // Changes only the length in front of the payload.
      const wrong = Buffer.from(bytes);
      wrong.writeUIntBE(random.chance(0.5) ? random.below(20) : random.below(2 ** 24), 0, 3);
      return wrong;
    }
    case 4:
      return frame(type, {
        ...only,
        payload:
          type === frameTypes.headers
            ? mutateBlock(payload, random)
            : mutateBytes(payload, payload, random),
      });
    default: {
      if (payload.length < 4) return bytes;
      const set = Buffer.from(payload);
      set.writeUInt32BE(random.pick(interesting), random.below(set.length - 3));
      return frame(type, { ...only, payload: set });
    }
  }
};

/** The handler of the target responds to each of these differently. */
const paths = ['/ok', '/b', '/p', '/c', '/l', '/e', '/w', '/h', '/s', '/x'];

const newFrame = (random: Random): Buffer => {
  const stream = 1 + 2 * random.below(7);
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2: {
      const fields = requestFields({
        method: random.pick(['GET', 'POST', 'HEAD', 'CONNECT']),
        path: random.pick(paths),
        fields: random.chance(0.4) ? [random.pick(requestHeaders)] : [],
      });
      return headersFrame(stream, fields, { more: random.chance(0.5) });
    }
    case 3:
      return frame(frameTypes.data, {
        stream,
        flags: random.pick([0, flags.endStream, flags.padded]),
        payload: randomBytes(random, random.below(20)),
      });
    case 4:
      return windowUpdate(
        random.chance(0.4) ? 0 : stream,
        random.pick([0, 1, 100, 20_000, 2 ** 31 - 1]),
      );
    case 5:
      return settingsFrame([[1 + random.below(9), random.pick(interesting)]]);
    case 6:
      return frame(frameTypes.rstStream, { stream, payload: Buffer.alloc(4, random.below(2)) });
    case 7:
      return frame(frameTypes.continuation, {
        stream,
        flags: random.pick([0, flags.endHeaders]),
        payload: newField(random),
      });
    default:
      return frame(random.pick([2, 5, 6, 7, 11]), {
        stream: random.chance(0.5) ? 0 : stream,
        flags: random.below(2),
        payload: randomBytes(random, random.pick([0, 4, 5, 8, 9])),
      });
  }
};

const requestHeaders = [
  ['content-length', '3'],
  ['content-length', '0'],
  ['expect', '100-continue'],
  ['te', 'trailers'],
  ['te', 'gzip'],
  ['connection', 'close'],
  ['transfer-encoding', 'chunked'],
  ['host', 'a@b'],
  ['x-long', 'v'.repeat(300)],
  ['Upper', 'case'],
  [':path', '/late'],
] as const;

const mutateBlocks = (input: Buffer, other: Buffer, random: Random): Buffer => {
  const blocks = [...blocksOf(input)];
  const at = random.below(blocks.length + 1);
  const donor = random.pick([...blocksOf(other), Buffer.alloc(0)]);
  if (random.chance(0.2)) blocks.splice(at, 0, donor);
  else if (random.chance(0.1)) blocks.splice(at, 1);
  else blocks[at] = mutateBlock(blocks[at] ?? donor, random);
  return joinBlocks(blocks);
};

/** Joins blocks, each prefixed with its length. */
export const joinBlocks = (blocks: readonly Buffer[]): Buffer =>
  Buffer.concat(
    blocks.flatMap((block) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Math.min(block.length, 0xffff));
      return [length, block.subarray(0, 0xffff)];
    }),
  );

/** Inserts a representation of a field at any byte, or changes bytes. */
const mutateBlock = (block: Buffer, random: Random): Buffer => {
  if (random.chance(0.3)) return mutateBytes(block, block, random);
  const at = random.pick([0, block.length, random.below(block.length + 1)]);
  return Buffer.concat([block.subarray(0, at), newField(random), block.subarray(at)]);
};

const names = ['a', 'x-b', 'cookie', ':path', 'content-length', ''];

/** Returns a field representation of RFC 7541, section 6, or something similar. */
const newField = (random: Random): Buffer => {
  const value = random.pick([
    '',
    'v',
    'value',
    '\u00e9\u00ff',
    'z'.repeat(random.below(random.chance(0.1) ? 1500 : 40)),
  ]);
  const name = random.pick(names);
  switch (random.below(7)) {
    case 0:
      return prefixed(0x80, 7, random.pick([0, 1, 2, 8, 61, 62, 63, 64, 70, 127, 128, 4096]));
    case 1:
      return literalField([name, value], { isIndexed: true });
    case 2:
      return literalField([name, value]);
    case 3:
      return prefixed(0x20, 5, random.pick([0, 1, 30, 31, 33, 100, 4095, 4096, 4097, 2 ** 20]));
    case 4:
      // A field with the name of a table entry.
      return Buffer.concat([prefixed(0x40, 6, 1 + random.below(70)), text(value)]);
    case 5:
      // A Huffman-coded string that is valid by chance; 11111 and so on is padding.
      return Buffer.concat([
        Buffer.from([0x00]),
        text(name),
        prefixed(0x80, 7, 4),
        randomBytes(random, 3),
        Buffer.from([0xff]),
      ]);
    default:
      return prefixed(random.pick([0x00, 0x10, 0x40, 0x80]), random.pick([4, 6, 7]), 2 ** 30);
  }
};
