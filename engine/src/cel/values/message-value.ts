/**
 * Evaluates literals of protobuf messages. Fields store values as protobuf does (32 bits, single
 * precision, JSON); the message is then converted to the CEL value that it represents.
 */
import { encodeBase64 } from '../../formats/base64.ts';
import { maxInt64, minInt64 } from './int64.ts';
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
 * optional ones. A type that only the checker has is an error.
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

const clampToInt64 = (nanos: bigint): bigint => {
  if (nanos > maxInt64) return maxInt64;
  return nanos < minInt64 ? minInt64 : nanos;
};

const convertField = (name: string, store: FieldStorage, value: CelValue): CelResult => {
  if ((store === 'values' && !isList(value)) || (store === 'fields' && !isMap(value))) {
    return new CelError(`unsupported field type for ${name}: ${typeNameOf(value)}`);
  }
  const converted = convert(store, value);
  return converted instanceof CelError
    ? new CelError(`field type conversion error for ${name} value type: ${converted.message}`)
    : converted;
};

/** How a kind of field stores values: the Go type in cel-go's messages, and the conversion. */
interface Storage {
  readonly goType: string;
  /** Returns `undefined` for a value that cannot be converted. */
  readonly convert: (value: CelValue) => CelResult | undefined;
}

const storage = (goType: string, convertValue: Storage['convert']): Storage => ({
  goType,
  convert: convertValue,
});

const list = storage('*structpb.ListValue', (value) =>
  isList(value) ? jsonList(value) : undefined,
);
const struct = storage('*structpb.Struct', (value) => (isMap(value) ? jsonMap(value) : undefined));

const storages: Readonly<Record<FieldStorage, Storage>> = {
  bool: storage('bool', (value) => (typeof value === 'boolean' ? value : undefined)),
  bytes: storage('[]uint8', (value) => (value instanceof CelBytes ? value : undefined)),
  int32: storage('int32', (value) =>
    typeof value === 'bigint' && value !== BigInt.asIntN(32, value)
      ? new CelError('integer overflow')
      : storages.int64.convert(value),
  ),
  int64: storage('int64', (value) => (typeof value === 'bigint' ? value : undefined)),
  uint32: storage('uint32', (value) =>
    value instanceof CelUint && value.value !== BigInt.asUintN(32, value.value)
      ? new CelError('unsigned integer overflow')
      : storages.uint64.convert(value),
  ),
  uint64: storage('uint64', (value) => (value instanceof CelUint ? value : undefined)),
  float32: storage('float32', (value) =>
    typeof value === 'number' ? Math.fround(value) : undefined,
  ),
  float64: storage('float64', (value) => (typeof value === 'number' ? value : undefined)),
  string: storage('string', (value) => (typeof value === 'string' ? value : undefined)),
  list,
  values: list,
  struct,
  fields: struct,
};

const convert = (store: FieldStorage, value: CelValue): CelResult => {
  if (value instanceof CelOptional) {
    return value.value === undefined ? noneDereferenced : convert(store, value.value);
  }
  const { goType, convert: convertValue } = storages[store];
  const converted = convertValue(value);
  return converted === undefined ? notConvertible(value, goType) : converted;
};

/** The error for dereferencing `optional.none()`. */
export const noneDereferenced = new CelError('optional.none() dereference');

/**
 * Converts a value to JSON. Whole numbers that a JSON number would round, bytes and times become
 * strings.
 */
const toJson = (value: CelValue): CelResult => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return toJsonInteger(value);
  if (value instanceof CelUint) return toJsonInteger(value.value);
  if (value instanceof CelBytes) return encodeBase64(value.bytes);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (isList(value)) return jsonList(value);
  if (isMap(value)) return jsonMap(value);
  if (value instanceof CelOptional) {
    return value.value === undefined ? noneDereferenced : toJson(value.value);
  }
  return notConvertible(value, '*structpb.Value');
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
