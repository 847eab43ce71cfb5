/**
 * Writes objects in kube-apiserver's protobuf form: magic bytes, envelope, object. Scalar fields
 * are also written if they are empty, as kube-apiserver's generated code does.
 */
import { decodeGoBase64 } from '../../formats/base64.ts';
import type { OutputMap, OutputValue } from '../../formats/output-value.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { type ProtoField, type ProtoSchema, protoSchemas } from './protobuf-schema.ts';
import { writeJson } from './write-json.ts';

/** Returns `undefined` for a kind without a protobuf form. */
export const writeProtobuf = (object: OutputMap): Uint8Array | undefined => {
  const kind = stringOf(object.get('kind'));
  const schema = protoSchemas.get(kind);
  if (schema === undefined) return undefined;
  const typeMeta = [...stringField(1, stringOf(object.get('apiVersion'))), ...stringField(2, kind)];
  const unknown = [
    ...bytesField(1, typeMeta),
    ...bytesField(2, writeMessage(object, schema)),
    ...stringField(3, ''),
    ...stringField(4, ''),
  ];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0x00, ...unknown]);
};

const writeMessage = (object: OutputMap, schema: ProtoSchema): readonly number[] =>
  schema.flatMap((field) => writeField(object.get(field.name), field));

const writeField = (
  value: OutputValue | undefined,
  { number, type }: ProtoField,
): readonly number[] => {
  if (type === 'string') return stringField(number, stringOf(value));
  if (type === 'bool') return [...tag(number, 0), value === true ? 1 : 0];
  if (type === 'optionalBool') {
    return value === undefined ? [] : [...tag(number, 0), value === true ? 1 : 0];
  }
  if (type === 'optionalInt64' && value === undefined) return [];
  if (type === 'bytes') return bytesField(number, bytesOf(value));
  if (type === 'int32' || type === 'int64' || type === 'optionalInt64') {
    return [...tag(number, 0), ...varint(typeof value === 'number' ? value : 0)];
  }
  if (type === 'strings')
    return listOf(value).flatMap((item) => stringField(number, stringOf(item)));
  if (type === 'stringsMessage') {
    return bytesField(
      number,
      listOf(value).flatMap((item) => stringField(1, stringOf(item))),
    );
  }
  if (type === 'json') return bytesField(number, stringField(1, writeJson(mapOf(value)).trimEnd()));
  if (type === 'time') return bytesField(number, timeMessage(stringOf(value)));
  if (type.kind === 'message') {
    if ((value ?? null) === null && type.optional === true) return [];
    return bytesField(number, writeMessage(mapOf(value), type.schema));
  }
  if (type.kind === 'messages') {
    return listOf(value).flatMap((item) =>
      bytesField(number, writeMessage(mapOf(item), type.schema)),
    );
  }
  return [...mapOf(value)]
    .sort(([left], [right]) => byCodePoint(left, right))
    .flatMap(([key, member]) => {
      const entry = (): readonly number[] => {
        if (type.kind === 'stringMap') return stringField(2, stringOf(member));
        if (type.kind === 'bytesMap') return bytesField(2, bytesOf(member));
        return bytesField(
          2,
          listOf(member).flatMap((item) => stringField(1, stringOf(item))),
        );
      };
      return bytesField(number, [...stringField(1, key), ...entry()]);
    });
};

/** Decodes base64. */
const bytesOf = (value: OutputValue | undefined): readonly number[] => {
  const decoded = decodeGoBase64(stringOf(value), { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? Array.from(decoded.bytes) : [];
};

const timeMessage = (text: string): readonly number[] =>
  text === ''
    ? []
    : [...tag(1, 0), ...varint(Math.floor(Date.parse(text) / 1000)), ...tag(2, 0), 0];

const stringOf = (value: OutputValue | undefined): string =>
  typeof value === 'string' ? value : '';
const listOf = (value: OutputValue | undefined): readonly OutputValue[] =>
  Array.isArray(value) ? value : [];
const mapOf = (value: OutputValue | undefined): OutputMap =>
  value instanceof Map ? value : new Map();

const varint = (value: number): readonly number[] => {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
};

const tag = (number: number, wireType: number): readonly number[] => varint(number * 8 + wireType);

const bytesField = (number: number, bytes: readonly number[]): readonly number[] => [
  ...tag(number, 2),
  ...varint(bytes.length),
  ...bytes,
];

const utf8 = new TextEncoder();
const stringField = (number: number, text: string): readonly number[] =>
  bytesField(number, Array.from(utf8.encode(text)));
