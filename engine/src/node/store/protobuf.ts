/** The little of protobuf that etcd's messages need: counts, bytes and messages in messages. */

/** A field's number and value; a flag is 1. */
export type Field = readonly [number: number, value: number | Uint8Array | readonly Field[]];

/** What stood in a message by field number, repeated ones in order. */
export interface ReadMessage {
  /** The last count; 0 where none is. */
  count(field: number): number;
  bytes(field: number): Uint8Array;
  text(field: number): string;
  message(field: number): ReadMessage;
  messages(field: number): readonly ReadMessage[];
}

/** Fields -> bytes of a message. */
export const writeMessage = (fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const content = value instanceof Uint8Array ? value : writeMessage(value);
      return [varint(number * 8 + 2), varint(content.length), content];
    }),
  );

/** Bytes -> fields. Throws for what is no message. */
export const readMessage = (bytes: Uint8Array): ReadMessage => {
  const counts = new Map<number, number>();
  const pieces = new Map<number, Uint8Array[]>();
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(cursor);
    const field = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        counts.set(field, readVarint(cursor));
        break;
      case 1:
        skip(cursor, 8);
        break;
      case 2: {
        const start = skip(cursor, readVarint(cursor));
        pieces.set(field, [...(pieces.get(field) ?? []), bytes.subarray(start, cursor.at)]);
        break;
      }
      case 5:
        skip(cursor, 4);
        break;
      default:
        throw new Error('unknown wire type');
    }
  }
  const bytesOf = (field: number): Uint8Array => pieces.get(field)?.at(-1) ?? new Uint8Array();
  return {
    count: (field) => counts.get(field) ?? 0,
    bytes: bytesOf,
    text: (field) => Buffer.from(bytesOf(field)).toString(),
    message: (field) => readMessage(bytesOf(field)),
    messages: (field) => (pieces.get(field) ?? []).map(readMessage),
  };
};

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
};

/** Exact up to 2^53; identifiers beyond it are not ours to read. */
const readVarint = (cursor: Cursor): number => {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined || scale > 2 ** 63) throw new Error('message is cut off');
    cursor.at += 1;
    value += (byte % 128) * scale;
    if (byte < 128) return value;
  }
};

/** Gives where it was. */
const skip = (cursor: Cursor, length: number): number => {
  const start = cursor.at;
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new Error('message is cut off');
  return start;
};
