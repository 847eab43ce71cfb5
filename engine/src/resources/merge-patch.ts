/** JSON Merge Patch (RFC 7386). */
import type { Json, JsonObject } from '../model/json.ts';
import { emptyObject, isObject, sortedMembers } from './object-fields.ts';

/** Null takes a member away; lists are replaced whole. What was touched is sorted by name. */
export const applyMergePatch = (target: JsonObject, patch: JsonObject): JsonObject => {
  const merged = new Map(target);
  for (const [name, value] of patch) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergedValue(target.get(name), value));
  }
  return sortedMembers(merged);
};

const mergedValue = (before: Json | undefined, value: Json): Json =>
  isObject(value) ? applyMergePatch(isObject(before) ? before : emptyObject, value) : value;
