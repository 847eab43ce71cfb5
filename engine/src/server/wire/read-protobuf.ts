/**
 * The protobuf form of a request body: four magic bytes, then an envelope with apiVersion, kind and
 * the bytes of the object. kubectl sends its reviews so and never tries another form. What comes out
 * is the same data that a JSON body gives.
 */
import { goQuote } from '../../formats/go-quote.ts';
import type { JsonMember, JsonValue } from './json-value.ts';
import type { ProtoField, ProtoSchema } from './protobuf-schema.ts';

export interface Envelope {
  readonly kind: 'envelope';
  readonly apiVersion: string;
  readonly objectKind: string;
  readonly raw: Uint8Array;
}

export type EnvelopeReading = Envelope | { readonly kind: 'error'; readonly message: string };

const magic = [0x6b, 0x38, 0x73, 0x00];

const typeMetaSchema: ProtoSchema = [
  { number: 1, name: 'apiVersion', type: 'string' },
  { number: 2, name: 'kind', type: 'string' },
];

/** Opens the envelope; the object inside is not looked at. */
export const readEnvelope = (bytes: Uint8Array): EnvelopeReading => {
  if (bytes.length === 0) return { kind: 'error', message: 'empty data' };
  if (magic.some((byte, index) => bytes[index] !== byte)) {
    return {
      kind: 'error',
      message: `provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]`,
    };
  }
  if (bytes.length === magic.length) return { kind: 'error', message: 'empty body' };
  try {
    let typeMeta: readonly JsonMember[] = [];
    let raw = new Uint8Array();
    for (const entry of wireFields(bytes.subarray(magic.length))) {
      if (entry.number === 1) typeMeta = readMessage(lengthDelimited(entry), typeMetaSchema);
      if (entry.number === 2) raw = Uint8Array.from(lengthDelimited(entry));
    }
    return {
      kind: 'envelope',
      apiVersion: textMember(typeMeta, 'apiVersion'),
      objectKind: textMember(typeMeta, 'kind'),
      raw,
    };
  } catch (error) {
    if (error instanceof WireError) return { kind: 'error', message: error.message };
    throw error;
  }
};

/** How Go prints the type of an envelope that names none: part of two messages. */
export const printTypeMeta = (envelope: Envelope): string =>
  `runtime.TypeMeta{APIVersion:${goQuote(envelope.apiVersion)}, Kind:${goQuote(envelope.objectKind)}}`;

/** The object inside an envelope as data; unknown field numbers are skipped, as protobuf wants. */
export const readProtobufObject = (
  bytes: Uint8Array,
  schema: ProtoSchema,
):
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'error'; readonly message: string } => {
  try {
    return { kind: 'value', value: { kind: 'object', members: readMessage(bytes, schema) } };
  } catch (error) {
    if (error instanceof WireError) return { kind: 'error', message: error.message };
    throw error;
  }
};

/** Carries a message up the recursion; never leaves this file. */
class WireError extends Error {}

interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const textMember = (members: readonly JsonMember[], name: string): string => {
  const value = members.findLast((member) => member.name === name)?.value;
  return value?.kind === 'string' ? value.text : '';
};

const wireFields = (bytes: Uint8Array): readonly WireField[] => {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new WireError('unexpected EOF');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('proto: integer overflow');
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new WireError('unexpected EOF');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number === 0) throw new WireError(`proto: illegal tag 0 (wire type ${wireType})`);
    if (wireType === 0) fields.push({ number, value: varint() });
    else if (wireType === 2) fields.push({ number, value: take(Number(varint())) });
    else if (wireType === 1) take(8);
    else if (wireType === 5) take(4);
    else throw new WireError(`proto: illegal wireType ${wireType}`);
  }
  return fields;
};

const lengthDelimited = (entry: WireField): Uint8Array => {
  if (typeof entry.value === 'bigint') {
    throw new WireError(`proto: wrong wireType = 0 for field number ${entry.number}`);
  }
  return entry.value;
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const textOf = (entry: WireField): string => utf8.decode(lengthDelimited(entry));

const readMessage = (bytes: Uint8Array, schema: ProtoSchema): readonly JsonMember[] => {
  const values = new Map<string, JsonValue>();
  for (const entry of wireFields(bytes)) {
    const field = schema.find(({ number }) => number === entry.number);
    if (field !== undefined)
      values.set(field.name, readField(entry, field, values.get(field.name)));
  }
  return Array.from(values, ([name, value]) => ({ name, value }));
};

const readField = (
  entry: WireField,
  { type }: ProtoField,
  before: JsonValue | undefined,
): JsonValue => {
  if (type === 'string') return { kind: 'string', text: textOf(entry) };
  if (type === 'strings') {
    const items = before?.kind === 'array' ? before.items : [];
    return { kind: 'array', items: [...items, { kind: 'string', text: textOf(entry) }] };
  }
  if (type === 'bool') return { kind: 'bool', value: entry.value === 1n };
  if (type === 'int64' || type === 'int32') return { kind: 'number', literal: String(entry.value) };
  // Times of a request are never kept; objects with lists of verbs are never taken.
  if (type === 'time' || type === 'stringsMessage') return { kind: 'null' };
  if (type.kind === 'message') {
    return { kind: 'object', members: readMessage(lengthDelimited(entry), type.schema) };
  }
  if (type.kind === 'messages') {
    const items = before?.kind === 'array' ? before.items : [];
    const members = readMessage(lengthDelimited(entry), type.schema);
    return { kind: 'array', items: [...items, { kind: 'object', members }] };
  }
  return addMapEntry(entry, before, type.kind);
};

const addMapEntry = (
  entry: WireField,
  before: JsonValue | undefined,
  kind: 'textMap' | 'textListMap',
): JsonValue => {
  let name = '';
  let value: JsonValue =
    kind === 'textMap' ? { kind: 'string', text: '' } : { kind: 'array', items: [] };
  for (const part of wireFields(lengthDelimited(entry))) {
    if (part.number === 1) name = textOf(part);
    if (part.number === 2 && kind === 'textMap') value = { kind: 'string', text: textOf(part) };
    if (part.number === 2 && kind === 'textListMap') {
      const items = wireFields(lengthDelimited(part))
        .filter(({ number }) => number === 1)
        .map((item): JsonValue => ({ kind: 'string', text: textOf(item) }));
      value = { kind: 'array', items };
    }
  }
  const members = before?.kind === 'object' ? before.members : [];
  return {
    kind: 'object',
    members: [...members.filter((member) => member.name !== name), { name, value }],
  };
};
