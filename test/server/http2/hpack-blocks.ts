/** Header blocks as tests write them by hand and look at them. */
import { type HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';

export const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** A number of RFC 7541 5.1 behind the higher bits of its first byte. */
export const number = (value: number, mask: number, flags = 0): Buffer => {
  if (value < mask) return Buffer.from([flags | value]);
  const following: number[] = [];
  let rest = value - mask;
  for (; rest >= 128; rest = Math.floor(rest / 128)) following.push(128 | (rest % 128));
  return Buffer.from([flags | mask, ...following, rest]);
};

export const text = (value: string): Buffer =>
  Buffer.concat([number(value.length, 0x7f), Buffer.from(value, 'latin1')]);

/** What a literal field does with the table, as its first bits. */
export const kinds = { indexed: 0x40, plain: 0x00, never: 0x10 } as const;

/** A literal field with a new name. */
export const literal = (kind: keyof typeof kinds, name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([kinds[kind]]), text(name), text(value)]);

export const indexed = (index: number): Buffer => number(index, 0x7f, 0x80);

export const fieldsOf = (decoder: HpackDecoder, block: Buffer): readonly string[] =>
  decoder
    .decode(block, Number.MAX_SAFE_INTEGER)
    .fields.map(({ name, value }) => `${name}: ${value}`);

/** The dynamic table, newest first: what has an index behind the static table. */
export const tableOf = (decoder: HpackDecoder): readonly string[] => {
  const fields: string[] = [];
  try {
    for (let index = 62; ; index += 1) fields.push(...fieldsOf(decoder, indexed(index)));
  } catch (error) {
    if (!(error instanceof HpackError)) throw error;
    return fields;
  }
};
