/**
 * Objects to the protobuf form that the real server answers: magic bytes, envelope, object. Plain
 * fields are written also when empty, as the real server's generated code does.
 */
import { decodeBase64Loosely } from '../../formats/base64.ts';
import type { Output, OutputMap } from '../../formats/output.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { type ProtoField, type ProtoSchema, protoSchemas } from './protobuf-schema.ts';
import { writeJson } from './write-json.ts';

/** `undefined` for a kind without a protobuf form. */
export const writeProtobuf = (object: OutputMap): Uint8Array | undefined => {
  const kind = textOf(object.get('kind'));
  const schema = protoSchemas.get(kind);
  if (schema === undefined) return undefined;
  const typeMeta = [...textField(1, textOf(object.get('apiVersion'))), ...textField(2, kind)];
  const unknown = [
    ...bytesField(1, typeMeta),
    ...bytesField(2, writeMessage(object, schema)),
    ...textField(3, ''),
    ...textField(4, ''),
  ];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0x00, ...unknown]);
};

const writeMessage = (object: OutputMap, schema: ProtoSchema): readonly number[] =>
  schema.flatMap((field) => writeField(object.get(field.name), field));

const writeField = (value: Output | undefined, { number, type }: ProtoField): readonly number[] => {
  if (type === 'string') return textField(number, textOf(value));
  if (type === 'bool') return [...tag(number, 0), value === true ? 1 : 0];
  if (type === 'optionalBool') {
    return value === undefined ? [] : [...tag(number, 0), value === true ? 1 : 0];
  }
  if (type === 'optionalInt64' && value === undefined) return [];
  if (type === 'bytes') return bytesField(number, bytesOf(value));
  if (type === 'int32' || type === 'int64' || type === 'optionalInt64') {
    return [...tag(number, 0), ...varint(typeof value === 'number' ? value : 0)];
  }
  if (type === 'strings') return listOf(value).flatMap((item) => textField(number, textOf(item)));
  if (type === 'stringsMessage') {
    return bytesField(
      number,
      listOf(value).flatMap((item) => textField(1, textOf(item))),
    );
  }
  if (type === 'json') return bytesField(number, textField(1, writeJson(mapOf(value)).trimEnd()));
  if (type === 'time') return bytesField(number, timeMessage(textOf(value)));
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
        if (type.kind === 'textMap') return textField(2, textOf(member));
        if (type.kind === 'bytesMap') return bytesField(2, bytesOf(member));
        return bytesField(
          2,
          listOf(member).flatMap((item) => textField(1, textOf(item))),
        );
      };
      return bytesField(number, [...textField(1, key), ...entry()]);
    });
};

/** Base64 text as the bytes that it stands for. */
const bytesOf = (value: Output | undefined): readonly number[] => {
  const decoded = decodeBase64Loosely(textOf(value), { alphabet: 'standard', padding: 'required' });
  return decoded.kind === 'bytes' ? Array.from(decoded.bytes) : [];
};

const timeMessage = (text: string): readonly number[] =>
  text === ''
    ? []
    : [...tag(1, 0), ...varint(Math.floor(Date.parse(text) / 1000)), ...tag(2, 0), 0];

const textOf = (value: Output | undefined): string => (typeof value === 'string' ? value : '');
const listOf = (value: Output | undefined): readonly Output[] =>
  Array.isArray(value) ? value : [];
const mapOf = (value: Output | undefined): OutputMap => (value instanceof Map ? value : new Map());

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
const textField = (number: number, text: string): readonly number[] =>
  bytesField(number, Array.from(utf8.encode(text)));
