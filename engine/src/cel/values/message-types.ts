/**
 * The protobuf messages that every environment declares: numbers, strings and JSON as messages.
 * `google.protobuf.Int64Value{value: 1}` is an int that may also be null.
 */
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  objectType,
  type SimpleCelType,
  stringType,
  timestampType,
  uintType,
} from './types.ts';

/** How a field stores its value. Messages use cel-go's names of these types. */
export type FieldStorage =
  | 'bool'
  | 'bytes'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'string'
  | 'values'
  | 'fields'
  | 'list'
  | 'struct';

/** A field: its type for the checker and how it stores values. */
export interface MessageField {
  readonly type: CelType;
  readonly store: FieldStorage;
}

/** A message of the package `google.protobuf`. */
export interface MessageType {
  readonly name: string;
  /** The type of a literal of this message. */
  readonly instance: CelType;
  readonly fields: ReadonlyMap<string, MessageField>;
  /** Whether the name of the message evaluates to a type. */
  readonly isTypeValue: boolean;
}

const wrapperType = (name: string, wrapped: SimpleCelType, store: FieldStorage): MessageType => ({
  name: `google.protobuf.${name}`,
  instance: { kind: wrapped.kind, nullable: true },
  fields: new Map([['value', { type: wrapped, store }]]),
  isTypeValue: false,
});

const messageType = (
  name: string,
  instance: CelType,
  fields: readonly (readonly [string, CelType, FieldStorage])[],
  isTypeValue: boolean,
): MessageType => ({
  name: `google.protobuf.${name}`,
  instance,
  fields: new Map(fields.map(([field, type, store]) => [field, { type, store }])),
  isTypeValue,
});

const secondsAndNanos = [
  ['seconds', intType, 'int64'],
  ['nanos', intType, 'int32'],
] as const;

const jsonMap = mapOf(stringType, dynType);
const jsonList = listOf(dynType);

const allMessageTypes: readonly MessageType[] = [
  wrapperType('BoolValue', boolType, 'bool'),
  wrapperType('BytesValue', bytesType, 'bytes'),
  wrapperType('DoubleValue', doubleType, 'float64'),
  wrapperType('FloatValue', doubleType, 'float32'),
  wrapperType('Int32Value', intType, 'int32'),
  wrapperType('Int64Value', intType, 'int64'),
  wrapperType('StringValue', stringType, 'string'),
  wrapperType('UInt32Value', uintType, 'uint32'),
  wrapperType('UInt64Value', uintType, 'uint64'),
  messageType('Duration', durationType, secondsAndNanos, true),
  messageType('Timestamp', timestampType, secondsAndNanos, true),
  messageType('Empty', objectType('google.protobuf.Empty'), [], true),
  messageType(
    'Any',
    anyType,
    [
      ['type_url', stringType, 'string'],
      ['value', bytesType, 'bytes'],
    ],
    false,
  ),
  messageType('ListValue', jsonList, [['values', jsonList, 'values']], false),
  messageType('Struct', jsonMap, [['fields', jsonMap, 'fields']], false),
  messageType(
    'Value',
    dynType,
    [
      ['null_value', intType, 'int32'],
      ['number_value', doubleType, 'float64'],
      ['string_value', stringType, 'string'],
      ['bool_value', boolType, 'bool'],
      ['struct_value', jsonMap, 'struct'],
      ['list_value', jsonList, 'list'],
    ],
    false,
  ),
];

/** All messages by their full name. */
export const messageTypes: ReadonlyMap<string, MessageType> = new Map(
  allMessageTypes.map((type) => [type.name, type]),
);

/** Names that are constants: the one value of the only enumeration. */
export const enumConstants: ReadonlyMap<string, bigint> = new Map([
  ['google.protobuf.NullValue.NULL_VALUE', 0n],
]);

/**
 * Returns the message whose fields a literal of this type has: `list{}` checks like
 * `google.protobuf.ListValue{}`.
 */
export const messageNameOfType = (type: CelType): string | undefined => {
  switch (type.kind) {
    case 'list':
      return type.element.kind === 'dyn' ? 'google.protobuf.ListValue' : undefined;
    case 'map':
      return type.key.kind === 'string' && type.value.kind === 'dyn'
        ? 'google.protobuf.Struct'
        : undefined;
    case 'bool':
    case 'bytes':
    case 'double':
    case 'int':
    case 'string':
    case 'uint':
      return type.nullable === true ? messageByKind.get(type.kind) : undefined;
    default:
      return messageByKind.get(type.kind);
  }
};

const messageByKind: ReadonlyMap<CelType['kind'], string> = new Map([
  ['any', 'google.protobuf.Any'],
  ['bool', 'google.protobuf.BoolValue'],
  ['bytes', 'google.protobuf.BytesValue'],
  ['double', 'google.protobuf.DoubleValue'],
  ['duration', 'google.protobuf.Duration'],
  ['dyn', 'google.protobuf.Value'],
  ['int', 'google.protobuf.Int64Value'],
  ['null', 'google.protobuf.NullValue'],
  ['string', 'google.protobuf.StringValue'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['uint', 'google.protobuf.UInt64Value'],
]);
