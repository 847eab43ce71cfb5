/**
 * Reads and changes members of JSON objects by path. A member that is absent or of another type is
 * read as empty.
 */
import type { Json, JsonObject } from '../model/json.ts';

/** An object without members. */
export const emptyObject: JsonObject = new Map();

/** Returns whether the value is an object. */
export const isObject = (value: Json | undefined): value is JsonObject => value instanceof Map;

/** Returns whether the value is a list. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Returns the object, or an empty one for a value that is not an object. */
export const objectOf = (value: Json | undefined): JsonObject =>
  isObject(value) ? value : emptyObject;

/** Returns the list, or an empty one for a value that is not a list. */
export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** Returns the string, or an empty one for a value that is not a string. */
export const stringOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : '';

/** Returns the items that are strings. */
export const stringsOf = (value: Json | undefined): readonly string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');

/** Returns the items that are objects. */
export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  listOf(value).filter(isObject);

/** Returns the value at the path; `undefined` if a part of the path is absent. */
export const memberAt = (object: JsonObject, ...path: readonly string[]): Json | undefined => {
  let value: Json | undefined = object;
  for (const name of path) value = isObject(value) ? value.get(name) : undefined;
  return value;
};

/** Returns the string at the path. */
export const stringAt = (object: JsonObject, ...path: readonly string[]): string =>
  stringOf(memberAt(object, ...path));

/** Returns the object at the path. */
export const objectAt = (object: JsonObject, ...path: readonly string[]): JsonObject =>
  objectOf(memberAt(object, ...path));

/** Returns the list at the path. */
export const listAt = (object: JsonObject, ...path: readonly string[]): readonly Json[] =>
  listOf(memberAt(object, ...path));

/** Returns the strings of the list at the path. */
export const stringsAt = (object: JsonObject, ...path: readonly string[]): readonly string[] =>
  stringsOf(memberAt(object, ...path));

/** Returns the objects of the list at the path. */
export const objectsAt = (object: JsonObject, ...path: readonly string[]): readonly JsonObject[] =>
  objectsOf(memberAt(object, ...path));

/** Returns a copy with the value at the path; `undefined` removes the member. */
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
