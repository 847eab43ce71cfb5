/**
 * Evaluates literals of protobuf messages. Fields store values as protobuf does (32 bits, single
 * precision, JSON); the message is then converted to the CEL value that it represents.
 */
import { encodeBase64Url } from '../../formats/base64.ts';
import { toJsonInteger } from './json-data.ts';
import { CelMap, isMap, mapEntries } from './map-value.ts';
import { type FieldStorage, messageTypes } from './message-types.ts';
import { typeNameOf } from './runtime-type.ts';
import { CelDuration, CelTimestamp, nanosPerSecond, timestampInRange } from './time.ts';
import { formatDuration, formatTimestamp } from './time-format.ts';
import {
  CelBytes,
  CelError,
  CelObject,
  CelOptional,
  type CelResult,
  CelTypeValue,
  CelUint,
  type CelValue,
  isList,
} from './value.ts';

/**
 * The value of `google.protobuf.Empty{}`, the only message that does not represent another value.
 */
export class EmptyMessage extends CelObject {
  get typeName(): string {
    return 'google.protobuf.Empty';
  }
  override equals(other: CelValue): boolean {
    return other instanceof EmptyMessage;
  }
}

/**
 * Evaluates `typeName{…}`. Fields are set in the given order; the caller has removed absent
 * optional ones. A type that only the checker knows is an error.
 */
export const createMessage = (
  typeName: string,
  fields: readonly (readonly [name: string, value: CelValue])[],
): CelResult => {
  const type = messageTypes.get(typeName);
  if (type === undefined) return new CelError(`unknown type '${typeName}'`);
  const stored = new Map<string, CelValue>();
  for (const [name, value] of fields) {
    const field = type.fields.get(name);
    if (field === undefined) return new CelError(`no such field: ${name}`);
    const converted = convertField(`${typeName}.${name}`, field.store, value);
    if (converted instanceof CelError) return converted;
    // The last field of a oneof that is set counts.
    if (typeName === valueMessage) stored.clear();
    stored.set(name, converted);
  }
  return messageToValue(typeName, stored);
};

const valueMessage = 'google.protobuf.Value';

const messageToValue = (typeName: string, stored: ReadonlyMap<string, CelValue>): CelResult => {
  switch (typeName) {
    case 'google.protobuf.Empty':
      return new EmptyMessage();
    case 'google.protobuf.Any':
      return new CelError(
        `unsupported conversion to ref.Val: (*dynamicpb.Message)${formatAnyFields(stored)}`,
      );
    case 'google.protobuf.Duration':
      return new CelDuration(clampToInt64(nanosOf(stored)));
    case 'google.protobuf.Timestamp':
      return timestampInRange(nanosOf(stored), 0);
    case 'google.protobuf.ListValue':
      return stored.get('values') ?? [];
    case 'google.protobuf.Struct':
      return stored.get('fields') ?? new CelMap();
    case valueMessage:
      return stored.has('null_value') ? null : (firstField(stored) ?? null);
    default:
      return firstField(stored) ?? zeroValueOf(typeName);
  }
};

const firstField = (stored: ReadonlyMap<string, CelValue>): CelValue | undefined => {
  const [value] = stored.values();
  return value;
};

const zeroValueOf = (typeName: string): CelValue => {
  switch (messageTypes.get(typeName)?.instance.kind) {
    case 'bool':
      return false;
    case 'bytes':
      return new CelBytes(new Uint8Array());
    case 'int':
      return 0n;
    case 'string':
      return '';
    case 'uint':
      return new CelUint(0n);
    default:
      return 0;
  }
};

const formatAnyFields = (stored: ReadonlyMap<string, CelValue>): string => {
  const url = stored.get('type_url');
  return typeof url === 'string' && url !== '' ? `type_url:${JSON.stringify(url)}` : '';
};

const nanosOf = (stored: ReadonlyMap<string, CelValue>): bigint => {
  const seconds = stored.get('seconds');
  const nanos = stored.get('nanos');
  return (
    (typeof seconds === 'bigint' ? seconds : 0n) * nanosPerSecond +
    (typeof nanos === 'bigint' ? nanos : 0n)
  );
};

const maxNanos = 2n ** 63n - 1n;

const clampToInt64 = (nanos: bigint): bigint => {
  if (nanos > maxNanos) return maxNanos;
  return nanos < -maxNanos - 1n ? -maxNanos - 1n : nanos;
};

const convertField = (name: string, store: FieldStorage, value: CelValue): CelResult => {
  if (store === 'values') {
    if (!isList(value)) return unsupportedFieldType(name, value);
    const list = jsonList(value);
    return list instanceof CelError ? conversionError(name, list) : list;
  }
  if (store === 'fields') {
    if (!isMap(value)) return unsupportedFieldType(name, value);
    const map = jsonMap(value);
    return map instanceof CelError ? conversionError(name, map) : map;
  }
  const converted = convert(store, value);
  return converted instanceof CelError ? conversionError(name, converted) : converted;
};

const unsupportedFieldType = (name: string, value: CelValue): CelError =>
  new CelError(`unsupported field type for ${name}: ${typeNameOf(value)}`);

const conversionError = (name: string, cause: CelError): CelError =>
  new CelError(`field type conversion error for ${name} value type: ${cause.message}`);

/** The Go type names that cel-go's messages contain. */
const goTypeNames: Readonly<Record<Exclude<FieldStorage, 'values' | 'fields'>, string>> = {
  bool: 'bool',
  bytes: '[]uint8',
  int32: 'int32',
  int64: 'int64',
  uint32: 'uint32',
  uint64: 'uint64',
  float32: 'float32',
  float64: 'float64',
  string: 'string',
  list: '*structpb.ListValue',
  struct: '*structpb.Struct',
};

const convert = (store: Exclude<FieldStorage, 'values' | 'fields'>, value: CelValue): CelResult => {
  if (value instanceof CelOptional) {
    return value.value === undefined ? noneDereferenced : convert(store, value.value);
  }
  switch (store) {
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'bytes':
      if (value instanceof CelBytes) return value;
      break;
    case 'int32':
      if (typeof value === 'bigint') return checkRange(value, BigInt.asIntN(32, value), 'integer');
      break;
    case 'int64':
      if (typeof value === 'bigint') return value;
      break;
    case 'uint32':
      if (value instanceof CelUint) {
        const converted = checkRange(
          value.value,
          BigInt.asUintN(32, value.value),
          'unsigned integer',
        );
        return converted instanceof CelError ? converted : value;
      }
      break;
    case 'uint64':
      if (value instanceof CelUint) return value;
      break;
    case 'float32':
      if (typeof value === 'number') return Math.fround(value);
      break;
    case 'float64':
      if (typeof value === 'number') return value;
      break;
    case 'string':
      if (typeof value === 'string') return value;
      break;
    case 'list':
      if (isList(value)) return jsonList(value);
      break;
    case 'struct':
      if (isMap(value)) return jsonMap(value);
      break;
  }
  return notConvertible(value, goTypeNames[store]);
};

/** The error for dereferencing `optional.none()`. */
export const noneDereferenced = new CelError('optional.none() dereference');

const checkRange = (value: bigint, converted: bigint, kind: string): bigint | CelError =>
  value === converted ? value : new CelError(`${kind} overflow`);

/**
 * Converts a value to JSON. Whole numbers that a JSON number would round, bytes and times become
 * strings.
 */
const toJson = (value: CelValue): CelResult => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return toJsonInteger(value);
  if (value instanceof CelUint) return toJsonInteger(value.value);
  if (value instanceof CelBytes) return toBase64(value.bytes);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (isList(value)) return jsonList(value);
  if (isMap(value)) return jsonMap(value);
  if (value instanceof CelOptional) {
    return value.value === undefined ? noneDereferenced : toJson(value.value);
  }
  return notConvertible(value, '*structpb.Value');
};

const toBase64 = (bytes: Uint8Array): string => {
  const encoded = encodeBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=');
};

const jsonList = (values: readonly CelValue[]): CelResult => {
  const result: CelValue[] = [];
  for (const value of values) {
    const converted = toJson(value);
    if (converted instanceof CelError) return converted;
    result.push(converted);
  }
  return result;
};

const jsonMap = (map: Parameters<typeof mapEntries>[0]): CelResult => {
  const result: (readonly [CelValue, CelValue])[] = [];
  for (const [key, value] of mapEntries(map)) {
    if (typeof key !== 'string') return notConvertible(key, 'string');
    const converted = toJson(value);
    if (converted instanceof CelError) return converted;
    result.push([key, converted]);
  }
  return new CelMap(result);
};

const notConvertible = (value: CelValue, to: string): CelError => {
  if (value instanceof CelTypeValue) {
    return new CelError("type conversion not supported for 'type'");
  }
  const name = typeNameOf(value);
  if (name === 'int' || name === 'uint') {
    return new CelError(`unsupported type conversion from '${name}' to ${to}`);
  }
  if (name === 'string') {
    return new CelError(`unsupported native conversion from string to '${to}'`);
  }
  return new CelError(
    `type conversion error from ${conversionNames.get(name) ?? `'${lastPart(name)}'`} to '${to}'`,
  );
};

/** Each type spells its own name differently in this message. */
const conversionNames: ReadonlyMap<string, string> = new Map([
  ['bool', 'bool'],
  ['bytes', 'Bytes'],
  ['double', 'Double'],
  ['list', 'list'],
  ['map', 'map'],
]);

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
