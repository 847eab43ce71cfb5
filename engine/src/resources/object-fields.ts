/** Reading and changing JSON objects by paths; what is absent or of another type reads as empty. */
import type { Json, JsonObject } from '../model/json.ts';

/** What is absent. */
export const emptyObject: JsonObject = new Map();

/** A map of members. */
export const isObject = (value: Json | undefined): value is JsonObject => value instanceof Map;

/** A list of values. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The members; none of what is no object. */
export const objectOf = (value: Json | undefined): JsonObject =>
  isObject(value) ? value : emptyObject;

/** The items; none of what is no list. */
export const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** The text; empty of what is none. */
export const stringOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : '';

/** The items that are texts. */
export const stringsOf = (value: Json | undefined): readonly string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');

/** The items that are objects. */
export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  listOf(value).filter(isObject);

/** The value at the path; `undefined` where something on the way is absent. */
export const memberAt = (object: JsonObject, ...path: readonly string[]): Json | undefined => {
  let value: Json | undefined = object;
  for (const name of path) value = isObject(value) ? value.get(name) : undefined;
  return value;
};

/** The text at the path. */
export const stringAt = (object: JsonObject, ...path: readonly string[]): string =>
  stringOf(memberAt(object, ...path));

/** The object at the path. */
export const objectAt = (object: JsonObject, ...path: readonly string[]): JsonObject =>
  objectOf(memberAt(object, ...path));

/** The list at the path. */
export const listAt = (object: JsonObject, ...path: readonly string[]): readonly Json[] =>
  listOf(memberAt(object, ...path));

/** The texts of the list at the path. */
export const stringsAt = (object: JsonObject, ...path: readonly string[]): readonly string[] =>
  stringsOf(memberAt(object, ...path));

/** The objects of the list at the path. */
export const objectsAt = (object: JsonObject, ...path: readonly string[]): readonly JsonObject[] =>
  objectsOf(memberAt(object, ...path));

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
