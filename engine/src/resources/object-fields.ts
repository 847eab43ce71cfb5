/** Reading and changing JSON objects by paths; what is absent or of another type reads as empty. */
import type { Json, JsonObject } from '../model/json.ts';

export const emptyObject: JsonObject = new Map();

export const isObject = (value: Json | undefined): value is JsonObject => value instanceof Map;

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const memberAt = (object: JsonObject, ...path: readonly string[]): Json | undefined => {
  let value: Json | undefined = object;
  for (const name of path) value = isObject(value) ? value.get(name) : undefined;
  return value;
};

export const textAt = (object: JsonObject, ...path: readonly string[]): string => {
  const value = memberAt(object, ...path);
  return typeof value === 'string' ? value : '';
};

export const objectAt = (object: JsonObject, ...path: readonly string[]): JsonObject => {
  const value = memberAt(object, ...path);
  return isObject(value) ? value : emptyObject;
};

export const listAt = (object: JsonObject, ...path: readonly string[]): readonly Json[] => {
  const value = memberAt(object, ...path);
  return isList(value) ? value : [];
};

export const textsAt = (object: JsonObject, ...path: readonly string[]): readonly string[] =>
  listAt(object, ...path).filter((item): item is string => typeof item === 'string');

export const objectsAt = (object: JsonObject, ...path: readonly string[]): readonly JsonObject[] =>
  listAt(object, ...path).filter(isObject);

/** A copy with the value at the path; `undefined` takes the member away. */
export const withMember = (
  object: JsonObject,
  path: readonly string[],
  value: Json | undefined,
): JsonObject => {
  const [name, ...rest] = path;
  if (name === undefined) return object;
  const copy = new Map(object);
  const inner = object.get(name);
  const changed =
    rest.length === 0 ? value : withMember(isObject(inner) ? inner : emptyObject, rest, value);
  if (changed === undefined) copy.delete(name);
  else copy.set(name, changed);
  return copy;
};

/** A copy with its members in the order of their names. */
export const sortedMembers = (object: JsonObject): JsonObject =>
  new Map([...object].sort(([left], [right]) => (left < right ? -1 : 1)));

/** Equal as data; the order of members means nothing. */
export const sameJson = (left: Json | undefined, right: Json | undefined): boolean => {
  if (left === right) return true;
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right) || left.size !== right.size) return false;
  return [...left].every(([name, value]) => right.has(name) && sameJson(value, right.get(name)));
};
