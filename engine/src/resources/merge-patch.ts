/** JSON Merge Patch (RFC 7386). */
import type { Json, JsonObject } from '../model/json.ts';
import { emptyObject, isList, isObject, sortedMembers } from './object-fields.ts';

/**
 * Null takes a member away; lists are replaced whole, without the nulls of their objects. What was
 * touched is sorted by name.
 */
export const applyMergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  const merged = new Map(target);
  for (const [name, value] of patch) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergedValue(target.get(name), value));
  }
  return sortedMembers(merged);
};

const mergedValue = (before: Json | undefined, value: Json): Json => {
  if (isList(value)) return value.map((item) => mergedValue(undefined, item));
  return isObject(value) ? applyMergePatch(isObject(before) ? before : emptyObject, value) : value;
};
