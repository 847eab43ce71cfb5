/**
 * Normalizes objects to the form in which they are stored and returned: members in the order of
 * kube-apiserver's structs, and empty ones omitted where kube-apiserver omits them.
 */
import { parseGoRfc3339 } from '../formats/go-rfc3339.ts';
import type { FieldRow, Shape, StructShape } from '../formats/go-struct/shape.ts';
import { byCodePoint } from '../formats/string-order.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { emptyObject, isList, isObject } from './object-fields.ts';

/**
 * Returns the normalized object, without members that the shape lacks. An empty list that is always
 * written becomes null; for a `request`, an empty list that was sent remains.
 */
export const normalForm = (
  object: JsonObject,
  shape: StructShape,
  purpose: 'stored' | 'request' = 'stored',
): JsonObject => {
  const members = new Map<string, Json>();
  for (const row of shape.rows) {
    const sent = object.get(row.name);
    const isEmptyList = isList(sent) && sent.length === 0 && row.written === 'always';
    const value = isEmptyList && purpose === 'request' ? sent : normalMember(sent, row);
    if (value !== undefined) members.set(row.name, value);
  }
  return members;
};

const normalMember = (value: Json | undefined, { shape, written }: FieldRow): Json | undefined => {
  if (written === 'always' && (value === undefined || value === null)) return zeroOf(shape);
  if (value === undefined || value === null) return undefined;
  const normal = normalValue(value, shape);
  if (written === 'when-set') return normal;
  if (!isEmpty(normal)) return normal;
  return written === 'always' ? zeroOf(shape) : undefined;
};

const normalValue = (value: Json, shape: Shape): Json => {
  if (shape.kind === 'struct') return normalForm(isObject(value) ? value : emptyObject, shape);
  if (shape.kind === 'list') {
    return isList(value) ? value.map((item) => normalValue(item, shape.item)) : [];
  }
  if (shape.kind === 'map' && isObject(value)) {
    return new Map(
      [...value]
        .sort(([left], [right]) => byCodePoint(left, right))
        .map(([key, member]) => [key, normalValue(member, shape.value)]),
    );
  }
  if (shape.kind === 'time' && typeof value === 'string') return wholeSeconds(value);
  return value;
};

/** Converts a time to UTC with a precision of seconds. */
const wholeSeconds = (text: string): string => {
  const time = parseGoRfc3339(text);
  return time === undefined
    ? text
    : new Date(time.seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
};

const isEmpty = (value: Json): boolean =>
  value === '' ||
  value === 0 ||
  value === false ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && value.size === 0);

/** Returns what Go writes for a field that was never set. */
const zeroOf = (shape: Shape): Json => {
  switch (shape.kind) {
    case 'struct':
      return normalForm(emptyObject, shape);
    case 'list':
    case 'time':
      return null;
    case 'bool':
      return false;
    case 'int64':
      return 0;
    case 'string':
    case 'bytes':
      return '';
    default:
      return emptyObject;
  }
};
