/** Encodes header blocks by hand and decodes them for comparison. */
import { type HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';
import { prefixed, text } from '../../support/http2-frames.ts';

export { text };

export const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Encodes an integer (RFC 7541, 5.1) after the higher bits of its first byte. */
export const number = (value: number, mask: number, bits = 0): Buffer =>
  prefixed(bits, Math.log2(mask + 1), value);

/** The first bits of literal fields, by their effect on the table. */
export const kinds = { indexed: 0x40, plain: 0x00, never: 0x10 } as const;

/** Encodes a literal field with a new name. */
export const literal = (kind: keyof typeof kinds, name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([kinds[kind]]), text(name), text(value)]);

export const indexed = (index: number): Buffer => number(index, 0x7f, 0x80);

export const fieldsOf = (decoder: HpackDecoder, block: Buffer): readonly string[] =>
  decoder
    .decode(block, Number.MAX_SAFE_INTEGER)
    .fields.map(({ name, value }) => `${name}: ${value}`);

/** Returns the dynamic table, newest first. */
export const tableOf = (decoder: HpackDecoder): readonly string[] => {
  const fields: string[] = [];
  try {
    for (let index = 62; ; index += 1) fields.push(...fieldsOf(decoder, indexed(index)));
  } catch (error) {
    if (!(error instanceof HpackError)) throw error;
    return fields;
  }
};
