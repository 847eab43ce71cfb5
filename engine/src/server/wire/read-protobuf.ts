/**
 * Decodes the protobuf form of a request body: four magic bytes, then an envelope with apiVersion,
 * kind and the bytes of the object. kubectl sends reviews in this form only. The result is the same
 * data as for a JSON body.
 */

import { encodeBase64 } from '../../formats/base64.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { PlainMember, PlainValue } from '../../formats/json-with-positions.ts';
import type { MapKind, ProtoField, ProtoSchema } from './protobuf-schema.ts';

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
  // Opaque here; decoded with the schema of its kind.
  { number: 2, name: 'raw', type: 'string' },
  { number: 3, name: 'contentEncoding', type: 'string' },
  { number: 4, name: 'contentType', type: 'string' },
];

/** Decodes the envelope without the object in it. */
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
    let typeMeta: readonly PlainMember[] = [];
    let raw = new Uint8Array();
    const reader = new MessageReader();
    const fields = reader.fields(bytes.subarray(magic.length), 'Unknown', envelopeSchema);
    for (const { number, value } of fields) {
      if (typeof value === 'bigint') continue;
      if (number === 1) typeMeta = reader.read(value, 'TypeMeta', typeMetaSchema);
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

/** Returns the type of an envelope as Go prints it, which is part of two messages. */
export const printTypeMeta = (envelope: Envelope): string =>
  `runtime.TypeMeta{APIVersion:${goQuote(envelope.apiVersion)}, Kind:${goQuote(envelope.objectKind)}}`;

/** Decodes the object of an envelope; unknown field numbers are skipped, as protobuf requires. */
export const readProtobufObject = (
  bytes: Uint8Array,
  kind: string,
  schema: ProtoSchema,
):
  | { readonly kind: 'value'; readonly value: PlainValue }
  | { readonly kind: 'error'; readonly message: string } => {
  try {
    const members = new MessageReader().read(bytes, kind, schema);
    return { kind: 'value', value: { kind: 'object', members } };
  } catch (error) {
    if (error instanceof WireError) return { kind: 'error', message: error.message };
    throw error;
  }
};

/** An error of the decoding; it is caught within this file. */
class WireError extends Error {}

interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const stringMember = (members: readonly PlainMember[], name: string): string => {
  const value = members.findLast((member) => member.name === name)?.value;
  return value?.kind === 'string' ? value.text : '';
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

/** Returns the Go type of a message field: `TokenReviewSpec`, `ObjectMeta`, `UserInfo`. */
const messageNameOf = (parent: string, name: string): string => {
  if (name === 'metadata') return 'ObjectMeta';
  return name === 'user' || name === 'userInfo' ? 'UserInfo' : `${parent}${goNameOf(name)}`;
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const bytesOf = ({ value }: WireField): Uint8Array =>
  typeof value === 'bigint' ? new Uint8Array() : value;
const stringOf = (entry: WireField): string => utf8.decode(bytesOf(entry));

/** The value of a field while its entries are read: a repeated field grows with each of them. */
type FieldValue = PlainValue | PlainValue[] | Map<string, PlainValue>;

const jsonOf = (value: FieldValue): PlainValue => {
  if (Array.isArray(value)) return { kind: 'array', items: value };
  if (!(value instanceof Map)) return value;
  return {
    kind: 'object',
    members: Array.from(value, ([name, member]) => ({ name, value: member })),
  };
};

interface FieldPlace {
  readonly field: ProtoField;
  readonly message: string;
}

const entrySchema: ProtoSchema = [
  { number: 1, name: 'mapkey', type: 'string' },
  { number: 2, name: 'mapvalue', type: 'string' },
];
const itemsSchema: ProtoSchema = [{ number: 1, name: 'items', type: 'strings' }];

const mapKinds: ReadonlySet<string> = new Set(['stringMap', 'bytesMap', 'stringListMap']);

/** Whether the field is a map. */
const isMap = (type: ProtoField['type']): type is { readonly kind: MapKind } =>
  typeof type !== 'string' && mapKinds.has(type.kind);

/** Reads the messages of one body, up to a number of fields. */
class MessageReader {
  #fieldsLeft = maxFields;

  read(bytes: Uint8Array, message: string, schema: ProtoSchema): readonly PlainMember[] {
    const values = new Map<string, FieldValue>();
    for (const entry of this.fields(bytes, message, schema)) {
      const field = schema.find(({ number }) => number === entry.number);
      if (field !== undefined) this.#addEntry(values, entry, { field, message });
    }
    return Array.from(values, ([name, value]) => ({ name, value: jsonOf(value) }));
  }

  /** Returns the fields of one message; a known field with another wire type ends the decoding. */
  fields(bytes: Uint8Array, message: string, schema: ProtoSchema): readonly WireField[] {
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
      this.#fieldsLeft -= 1;
      if (this.#fieldsLeft < 0) {
        throw new WireError(`proto: ${message}: more than ${maxFields} fields in the body`);
      }
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
        throw new WireError(
          `proto: wrong wireType = ${wireType} for field ${goNameOf(known.name)}`,
        );
      }
      if (wireType === 0) fields.push({ number, value: varint() });
      else if (wireType === 2) fields.push({ number, value: take(varint()) });
      else if (wireType === 1) take(8n);
      else if (wireType === 5) take(4n);
      else throw new WireError(`proto: illegal wireType ${wireType}`);
    }
    return fields;
  }

  #addEntry(values: Map<string, FieldValue>, entry: WireField, place: FieldPlace): void {
    const { type, name } = place.field;
    const before = values.get(name);
    if (isMap(type)) {
      const members = before instanceof Map ? before : new Map<string, PlainValue>();
      this.#addMapEntry(members, entry, type.kind);
      values.set(name, members);
      return;
    }
    const value = this.#readField(entry, place);
    const isRepeated = type === 'strings' || (typeof type !== 'string' && type.kind !== 'message');
    if (!isRepeated) values.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else values.set(name, [value]);
  }

  /** Reads one entry of a field: its value, or one item of its list. */
  #readField(entry: WireField, { field, message }: FieldPlace): PlainValue {
    const { type, name } = field;
    if (type === 'string' || type === 'strings') return { kind: 'string', text: stringOf(entry) };
    if (type === 'bool' || type === 'optionalBool') {
      return { kind: 'bool', value: entry.value !== 0n };
    }
    if (type === 'bytes') return { kind: 'string', text: encodeBase64(bytesOf(entry)) };
    if (type === 'int64' || type === 'optionalInt64' || type === 'int32') {
      const value = typeof entry.value === 'bigint' ? BigInt.asIntN(64, entry.value) : 0n;
      return { kind: 'number', literal: String(value) };
    }
    // Times of a request are not used, and objects with lists of verbs are not accepted.
    if (type === 'time' || type === 'stringsMessage' || type === 'json') return { kind: 'null' };
    if (isMap(type)) throw new Error('unreachable: maps are read by addMapEntry');
    const members = this.read(bytesOf(entry), messageNameOf(message, name), type.schema);
    return { kind: 'object', members };
  }

  /**
   * Adds an entry of a map. An entry with the name of an earlier one replaces it and comes last.
   */
  #addMapEntry(members: Map<string, PlainValue>, entry: WireField, kind: MapKind): void {
    let name = '';
    let value: PlainValue =
      kind === 'stringListMap' ? { kind: 'array', items: [] } : { kind: 'string', text: '' };
    for (const part of this.fields(bytesOf(entry), 'Entry', entrySchema)) {
      if (part.number === 1) name = stringOf(part);
      if (part.number === 2) value = this.#readMapValue(part, kind);
    }
    members.delete(name);
    members.set(name, value);
  }

  #readMapValue(part: WireField, kind: MapKind): PlainValue {
    if (kind === 'stringMap') return { kind: 'string', text: stringOf(part) };
    if (kind === 'bytesMap') return { kind: 'string', text: encodeBase64(bytesOf(part)) };
    const items = this.fields(bytesOf(part), 'ExtraValue', itemsSchema)
      .filter(({ number }) => number === 1)
      .map((item): PlainValue => ({ kind: 'string', text: stringOf(item) }));
    return { kind: 'array', items };
  }
}

/** Fields of all messages of a body together; each takes many times its two bytes in memory. */
const maxFields = 16_384;
