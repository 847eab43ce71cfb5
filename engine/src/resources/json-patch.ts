/** JSON Patch (RFC 6902) as the real server applies it. */
import { sameJson } from '../formats/json-object.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isList, isObject, sortedMembers } from './object-fields.ts';

export type PatchResult =
  | { readonly kind: 'patched'; readonly value: Json }
  /** The operation can't be done on this object. */
  | { readonly kind: 'impossible' };

/** More operations than this are refused before any is tried. */
export const maxPatchOperations = 10_000;

/** Operations in order; the first that can't be done ends it. */
export const applyJsonPatch = (
  object: JsonObject,
  operations: readonly JsonObject[],
): PatchResult => {
  try {
    // What the real server prints of a patched object is sorted where a patch reached.
    let value: Json = sortedMembers(object);
    for (const operation of operations) value = applyOperation(value, operation);
    return { kind: 'patched', value };
  } catch (error) {
    if (error instanceof Impossible) return { kind: 'impossible' };
    throw error;
  }
};

/** Carries a failure up; never leaves this file. */
class Impossible extends Error {}

const applyOperation = (value: Json, operation: JsonObject): Json => {
  const path = pathOf(operation.get('path'));
  switch (operation.get('op')) {
    case 'add':
      return put(value, path, { value: valueIn(operation), mode: 'add' });
    case 'replace':
      if (path.length === 0) return container(valueIn(operation));
      return put(value, path, { value: valueIn(operation), mode: 'replace' });
    case 'remove':
      return take(value, path);
    case 'test':
      if (!sameJson(find(value, path) ?? null, operation.get('value') ?? null)) {
        throw new Impossible('test failed');
      }
      return touched(value, path);
    case 'move': {
      const from = pathOf(operation.get('from'));
      const moved = found(value, from);
      return put(take(value, from), path, { value: moved, mode: 'add' });
    }
    case 'copy':
      return put(value, path, {
        value: find(value, pathOf(operation.get('from'))) ?? null,
        mode: 'add',
      });
    default:
      throw new Impossible('unknown operation');
  }
};

/** The whole can only be what has members or items. */
const container = (value: Json): Json => {
  if (!isObject(value) && !isList(value)) throw new Impossible('no object and no list');
  return value;
};

const valueIn = (operation: JsonObject): Json => operation.get('value') ?? null;

/** `/a~1b/0` -> `a/b`, `0`; what stands before the first slash is not looked at. */
const pathOf = (pointer: Json | undefined): readonly string[] => {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.includes('/'))) {
    throw new Impossible('no path');
  }
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
};

const find = (value: Json, path: readonly string[]): Json | undefined => {
  let here: Json | undefined = value;
  for (const part of path) {
    if (isObject(here)) here = here.get(part);
    else if (isList(here)) here = here[indexIn(here, part, here.length - 1)];
    else throw new Impossible('no such place');
  }
  return here;
};

const found = (value: Json, path: readonly string[]): Json => {
  const there = find(value, path);
  if (there === undefined) throw new Impossible('no such member');
  return there;
};

/** Negative indices count from the end. */
const indexIn = (list: readonly Json[], part: string, last: number): number => {
  if (!/^-?\d+$/.test(part)) throw new Impossible('no index');
  const number = Number(part);
  const index = number < 0 ? number + list.length : number;
  if (index < 0 || index > last) throw new Impossible('index out of range');
  return index;
};

/** What was looked into is printed sorted, though nothing in it has changed. */
const touched = (value: Json, path: readonly string[]): Json => {
  const [part, ...rest] = path;
  if (part === undefined || !isObject(value)) return value;
  const inner = value.get(part);
  return sortedMembers(
    inner === undefined ? value : new Map(value).set(part, touched(inner, rest)),
  );
};

interface Put {
  readonly value: Json;
  readonly mode: 'add' | 'replace';
}

const put = (target: Json, path: readonly string[], what: Put): Json => {
  const [part, ...rest] = path;
  if (part === undefined) throw new Impossible('the whole object');
  if (isObject(target)) {
    const inner = target.get(part);
    if (inner === undefined && (rest.length > 0 || what.mode === 'replace')) {
      throw new Impossible('no such member');
    }
    return sortedMembers(
      new Map(target).set(part, rest.length === 0 ? what.value : put(inner ?? null, rest, what)),
    );
  }
  if (!isList(target)) throw new Impossible('no such place');
  const copy = [...target];
  if (rest.length > 0 || what.mode === 'replace') {
    const index = indexIn(target, part, target.length - 1);
    copy[index] = put(target[index] ?? null, rest, what);
    return copy;
  }
  const index = part === '-' ? target.length : indexIn(target, part, target.length);
  copy.splice(index, 0, what.value);
  return copy;
};

const take = (target: Json, path: readonly string[]): Json => {
  const [part, ...rest] = path;
  if (part === undefined) throw new Impossible('the whole object');
  if (isObject(target)) {
    const inner = target.get(part);
    if (inner === undefined) throw new Impossible('no such member');
    const copy = new Map(target);
    if (rest.length === 0) copy.delete(part);
    else copy.set(part, take(inner, rest));
    return sortedMembers(copy);
  }
  if (!isList(target)) throw new Impossible('no such place');
  const index = indexIn(target, part, target.length - 1);
  const inner = target[index] ?? null;
  return rest.length === 0
    ? target.filter((_, at) => at !== index)
    : target.map((item, at) => (at === index ? take(inner, rest) : item));
};
