/**
 * The protobuf form of a request body: four magic bytes, then an envelope with apiVersion, kind and
 * the bytes of the object. kubectl sends its reviews so and never tries another form. What comes out
 * is the same data that a JSON body gives.
 */
import { encodeBase64 } from '../../formats/base64.ts';
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

const envelopeSchema: ProtoSchema = [
  { number: 1, name: 'typeMeta', type: { kind: 'message', schema: typeMetaSchema } },
  // Opaque here; read by the schema of its kind.
  { number: 2, name: 'raw', type: 'string' },
  { number: 3, name: 'contentEncoding', type: 'string' },
  { number: 4, name: 'contentType', type: 'string' },
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
    const fields = wireFields(bytes.subarray(magic.length), 'Unknown', envelopeSchema);
    for (const { number, value } of fields) {
      if (typeof value === 'bigint') continue;
      if (number === 1) typeMeta = readMessage(value, 'TypeMeta', typeMetaSchema);
      if (number === 2) raw = Uint8Array.from(value);
    }
    return {
      kind: 'envelope',
      apiVersion: stringMember(typeMeta, 'apiVersion'),
      objectKind: stringMember(typeMeta, 'kind'),
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
  kind: string,
  schema: ProtoSchema,
):
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'error'; readonly message: string } => {
  try {
    return { kind: 'value', value: { kind: 'object', members: readMessage(bytes, kind, schema) } };
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

const stringMember = (members: readonly JsonMember[], name: string): string => {
  const value = members.findLast((member) => member.name === name)?.value;
  return value?.kind === 'string' ? value.text : '';
};

/** All fields of one message; a known one of another wire type than its own ends the reading. */
const wireFields = (
  bytes: Uint8Array,
  message: string,
  schema: ProtoSchema,
): readonly WireField[] => {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new WireError('unexpected EOF');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('proto: integer overflow');
  };
  const take = (length: bigint): Uint8Array => {
    if (length > BigInt(bytes.length - at)) throw new WireError('unexpected EOF');
    at += Number(length);
    return bytes.subarray(at - Number(length), at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(BigInt.asIntN(32, tag >> 3n));
    const wireType = Number(tag & 7n);
    if (wireType === 4) {
      throw new WireError(`proto: ${message}: wiretype end group for non-group`);
    }
    if (number <= 0) {
      throw new WireError(`proto: ${message}: illegal tag ${number} (wire type ${tag})`);
    }
    const known = schema.find((field) => field.number === number);
    if (known !== undefined && wireType !== wireTypeOf(known)) {
      throw new WireError(`proto: wrong wireType = ${wireType} for field ${goNameOf(known.name)}`);
    }
    if (wireType === 0) fields.push({ number, value: varint() });
    else if (wireType === 2) fields.push({ number, value: take(varint()) });
    else if (wireType === 1) take(8n);
    else if (wireType === 5) take(4n);
    else throw new WireError(`proto: illegal wireType ${wireType}`);
  }
  return fields;
};

const varintTypes = new Set(['bool', 'optionalBool', 'int32', 'int64', 'optionalInt64']);

const wireTypeOf = ({ type }: ProtoField): 0 | 2 =>
  typeof type === 'string' && varintTypes.has(type) ? 0 : 2;

const goNames: ReadonlyMap<string, string> = new Map([
  ['metadata', 'ObjectMeta'],
  ['apiVersion', 'APIVersion'],
  ['uid', 'UID'],
]);

const goNameOf = (name: string): string =>
  goNames.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1);

/** The type of a message field: `TokenReviewSpec`, `ObjectMeta`, `UserInfo`. */
const messageNameOf = (parent: string, name: string): string => {
  if (name === 'metadata') return 'ObjectMeta';
  return name === 'user' || name === 'userInfo' ? 'UserInfo' : `${parent}${goNameOf(name)}`;
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const bytesOf = ({ value }: WireField): Uint8Array =>
  typeof value === 'bigint' ? new Uint8Array() : value;
const stringOf = (entry: WireField): string => utf8.decode(bytesOf(entry));

const readMessage = (
  bytes: Uint8Array,
  message: string,
  schema: ProtoSchema,
): readonly JsonMember[] => {
  const values = new Map<string, JsonValue>();
  for (const entry of wireFields(bytes, message, schema)) {
    const field = schema.find(({ number }) => number === entry.number);
    if (field === undefined) continue;
    const before = values.get(field.name);
    values.set(field.name, readField(entry, { field, before, message }));
  }
  return Array.from(values, ([name, value]) => ({ name, value }));
};

interface FieldPlace {
  readonly field: ProtoField;
  /** What an earlier entry of the same field left. */
  readonly before: JsonValue | undefined;
  readonly message: string;
}

const readField = (entry: WireField, { field, before, message }: FieldPlace): JsonValue => {
  const { type, name } = field;
  const items = before?.kind === 'array' ? before.items : [];
  if (type === 'string') return { kind: 'string', text: stringOf(entry) };
  if (type === 'strings') {
    return { kind: 'array', items: [...items, { kind: 'string', text: stringOf(entry) }] };
  }
  if (type === 'bool' || type === 'optionalBool') {
    return { kind: 'bool', value: entry.value !== 0n };
  }
  if (type === 'bytes') return { kind: 'string', text: encodeBase64(bytesOf(entry)) };
  if (type === 'int64' || type === 'optionalInt64' || type === 'int32') {
    const value = typeof entry.value === 'bigint' ? BigInt.asIntN(64, entry.value) : 0n;
    return { kind: 'number', literal: String(value) };
  }
  // Times of a request are never kept; objects with lists of verbs are never taken.
  if (type === 'time' || type === 'stringsMessage' || type === 'json') return { kind: 'null' };
  if (type.kind === 'stringMap' || type.kind === 'bytesMap' || type.kind === 'stringListMap') {
    return addMapEntry(entry, before, type.kind);
  }
  const members = readMessage(bytesOf(entry), messageNameOf(message, name), type.schema);
  const object: JsonValue = { kind: 'object', members };
  return type.kind === 'message' ? object : { kind: 'array', items: [...items, object] };
};

const entrySchema: ProtoSchema = [
  { number: 1, name: 'mapkey', type: 'string' },
  { number: 2, name: 'mapvalue', type: 'string' },
];
const itemsSchema: ProtoSchema = [{ number: 1, name: 'items', type: 'strings' }];

const addMapEntry = (
  entry: WireField,
  before: JsonValue | undefined,
  kind: 'stringMap' | 'bytesMap' | 'stringListMap',
): JsonValue => {
  let name = '';
  let value: JsonValue =
    kind === 'stringListMap' ? { kind: 'array', items: [] } : { kind: 'string', text: '' };
  for (const part of wireFields(bytesOf(entry), 'Entry', entrySchema)) {
    if (part.number === 1) name = stringOf(part);
    if (part.number === 2 && kind === 'stringMap') value = { kind: 'string', text: stringOf(part) };
    if (part.number === 2 && kind === 'bytesMap') {
      value = { kind: 'string', text: encodeBase64(bytesOf(part)) };
    }
    if (part.number === 2 && kind === 'stringListMap') {
      const items = wireFields(bytesOf(part), 'ExtraValue', itemsSchema)
        .filter(({ number }) => number === 1)
        .map((item): JsonValue => ({ kind: 'string', text: stringOf(item) }));
      value = { kind: 'array', items };
    }
  }
  const members = before?.kind === 'object' ? before.members : [];
  const others = members.filter((member) => member.name !== name);
  return { kind: 'object', members: [...others, { name, value }] };
};
