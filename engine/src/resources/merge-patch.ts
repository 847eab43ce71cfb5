/** Applies JSON Merge Patch (RFC 7386) exactly like kube-apiserver. */
import type { JsonNode } from '../formats/json-with-positions.ts';
import {
  containerOf,
  type JsonContainer,
  JsonPatchError,
  type LazyJson,
  type LazySlot,
  lazyJson,
  parseLazyJson,
  writeLazyJson,
} from './lazy-json.ts';

/**
 * Returns the text of the patched object; `undefined` if the patch is neither an object nor a list.
 */
export const applyMergePatch = (
  object: Uint8Array,
  { bytes, root }: { readonly bytes: Uint8Array; readonly root: JsonNode },
): string | undefined => {
  if (root.kind !== 'object' && root.kind !== 'array') return undefined;
  const target = parseLazyJson(object);
  if (target === undefined) return undefined;
  try {
    const brought = lazyJson(bytes, root);
    return writeLazyJson(root.kind === 'array' ? withoutNulls(brought) : merged(target, brought));
  } catch (error) {
    if (error instanceof JsonPatchError) return undefined;
    throw error;
  }
};

/**
 * Merges a patch into a value: null removes a member, and anything that is not an object is
 * replaced.
 */
const merged = (target: LazyJson, patch: LazyJson): LazyJson => {
  const own = membersOf(containerOf(target));
  if (own === undefined) return withoutNulls(patch);
  const brought = membersOf(containerOf(patch));
  if (brought === undefined) return patch;
  for (const [name, value] of brought) {
    const before = own.get(name);
    if (value === undefined) own.delete(name);
    else own.set(name, before === undefined ? withoutNulls(value) : merged(before, value));
  }
  return target;
};

const membersOf = (container: JsonContainer | undefined): Map<string, LazySlot> | undefined =>
  container?.kind === 'members' && container.members !== 'none' ? container.members : undefined;

/** Removes members that are null; nulls in lists remain. */
const withoutNulls = (value: LazyJson): LazyJson => {
  const container = containerOf(value);
  if (container?.kind === 'items') {
    for (const item of container.items) if (item !== undefined) withoutNulls(item);
  }
  const members = membersOf(container);
  for (const [name, member] of members ?? []) {
    if (member === undefined) members?.delete(name);
    else withoutNulls(member);
  }
  return value;
};
