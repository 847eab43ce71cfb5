/** CEL values as `{type, value}` in JSON, the form of the recorded cases; and back. */

import { CelMap, isMap, mapEntries, VariableMap } from '../../engine/src/cel/values/map-value.ts';
import { EmptyMessage } from '../../engine/src/cel/values/message-value.ts';
import { CelDuration, CelTimestamp } from '../../engine/src/cel/values/time.ts';
import {
  formatGoDuration,
  formatTimestampUtc,
  parseDuration,
  parseTimestamp,
} from '../../engine/src/cel/values/time-format.ts';
import {
  CelBytes,
  CelError,
  type CelObject,
  CelOptional,
  CelTypeValue,
  CelUint,
  type CelValue,
  isList,
} from '../../engine/src/cel/values/value.ts';
import { encodeBase64Url } from '../../engine/src/formats/base64.ts';
import { formatDouble } from '../../engine/src/formats/go-float.ts';

export interface TaggedValue {
  readonly type: string;
  readonly value: unknown;
}

/** Numbers are text, bytes base64, a map a list of `{key, value}` sorted by key. */
export const taggedValue = (value: CelValue): TaggedValue => {
  if (value === null) return { type: 'null', value: null };
  switch (typeof value) {
    case 'boolean':
      return { type: 'bool', value };
    case 'bigint':
      return { type: 'int', value: String(value) };
    case 'number':
      return { type: 'double', value: doubleText(value) };
    case 'string':
      return { type: 'string', value };
    default:
      return taggedObject(value);
  }
};

const taggedObject = (value: CelValue & object): TaggedValue => {
  if (isList(value)) return { type: 'list', value: value.map(taggedValue) };
  if (isMap(value)) return { type: 'map', value: taggedEntries(value) };
  if (value instanceof CelUint) return { type: 'uint', value: String(value.value) };
  if (value instanceof CelBytes) return { type: 'bytes', value: base64(value.bytes) };
  if (value instanceof CelTimestamp) return { type: 'timestamp', value: formatTimestampUtc(value) };
  if (value instanceof CelDuration) return { type: 'duration', value: formatGoDuration(value) };
  if (value instanceof CelTypeValue) return { type: 'type', value: value.name };
  if (value instanceof CelOptional) {
    return {
      type: 'optional',
      value: value.value === undefined ? null : taggedValue(value.value),
    };
  }
  if (value instanceof VariableMap) return { type: value.typeName, value: null };
  if (value instanceof EmptyMessage) return { type: value.typeName, value: '' };
  return { type: (value as CelObject).typeName, value: String(value) };
};

const taggedEntries = (
  map: Parameters<typeof mapEntries>[0],
): readonly { readonly key: TaggedValue; readonly value: TaggedValue }[] =>
  mapEntries(map)
    .map(([key, entry]) => ({ key: taggedValue(key), value: taggedLookup(key, entry) }))
    .sort((a, b) => compareText(sortText(a.key), sortText(b.key)));

/** kube-apiserver looks each value up again, and finds none for NaN. */
const taggedLookup = (key: CelValue, entry: CelValue): TaggedValue =>
  Number.isNaN(key) ? { type: 'error', value: 'no such key: NaN' } : taggedValue(entry);

const sortText = (key: TaggedValue): string => `{${key.type} ${String(key.value)}}`;

const compareText = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

const doubleText = (value: number): string => {
  if (!Number.isFinite(value)) return String(value);
  return Object.is(value, -0) ? '-0' : formatDouble(value);
};

const base64 = (bytes: Uint8Array): string => {
  const text = encodeBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
};

/** Converts a tagged value to its CEL value. */
export const readTaggedValue = ({ type, value }: TaggedValue): CelValue => {
  switch (type) {
    case 'null':
    case 'null_type':
      return null;
    case 'bool':
      return value === true;
    case 'int':
      return BigInt(String(value));
    case 'uint':
      return new CelUint(BigInt(String(value)));
    case 'double':
      return Number(value);
    case 'string':
      return String(value);
    case 'bytes':
      return new CelBytes(new Uint8Array(Buffer.from(String(value), 'base64')));
    case 'list':
      return (value as readonly TaggedValue[]).map(readTaggedValue);
    case 'map':
      return new CelMap(
        (value as readonly { key: TaggedValue; value: TaggedValue }[]).map(
          (entry) => [readTaggedValue(entry.key), readTaggedValue(entry.value)] as const,
        ),
      );
    case 'timestamp':
      return readTime(parseTimestamp(String(value)), type);
    case 'duration':
      return readTime(parseDuration(String(value)), type);
    case 'type':
      return new CelTypeValue(String(value));
    case 'optional':
      return new CelOptional(value === null ? undefined : readTaggedValue(value as TaggedValue));
    default:
      throw new Error(`no such tag: ${type}`);
  }
};

const readTime = <Time>(time: Time | CelError | undefined, type: string): Time => {
  if (time === undefined || time instanceof CelError) throw new Error(`no ${type}`);
  return time;
};
