/**
 * Applies JSON Patch (RFC 6902) exactly like kube-apiserver, step by step like its library
 * (evanphx/json-patch).
 */
import type { JsonNode } from '../formats/json-with-positions.ts';
import {
  areEqualLazyJson,
  containerOf,
  type JsonContainer,
  type JsonItems,
  JsonPatchError,
  type JsonPatchFailure,
  type LazyJson,
  type LazySlot,
  lazyJson,
  nilPointerError,
  parseLazyJson,
  writeContainer,
  writeLazyJson,
} from './lazy-json.ts';

export type PatchResult =
  | { readonly kind: 'patched'; readonly text: string }
  | { readonly kind: JsonPatchFailure; readonly message: string };

/** A patch as it was sent: null, or a list of objects and nulls. */
export interface JsonPatch {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
}

/** Maximum number of operations; a longer patch is rejected before it is applied. */
export const maxPatchOperations = 10_000;

/** Maximum number of bytes that the operations of one patch may copy in total. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** Applies the operations in order; the first failure ends the patch. */
export const applyJsonPatch = (object: Uint8Array, patch: JsonPatch): PatchResult => {
  try {
    const root = parseLazyJson(object);
    const document = root === undefined ? undefined : containerOf(root);
    if (document === undefined) throw cannotApply('no object');
    const state: State = { document, copied: 0 };
    for (const operation of operationsOf(patch)) apply(operation, state);
    return { kind: 'patched', text: writeContainer(state.document) };
  } catch (error) {
    if (error instanceof JsonPatchError) return { kind: error.kind, message: error.message };
    throw error;
  }
};

const cannotApply = (message: string): JsonPatchError => new JsonPatchError('impossible', message);

interface State {
  document: JsonContainer;
  copied: number;
}

/** Members by name; a null is a `LazyJson` without `raw`. */
type Operation = ReadonlyMap<string, LazyJson>;

const operationsOf = ({ bytes, root }: JsonPatch): readonly Operation[] =>
  (root.kind === 'array' ? root.items : []).map((item) => {
    const members = item.kind === 'object' ? item.members : [];
    return new Map(
      members.map(({ name, value }) => [name, value.kind === 'null' ? {} : lazyJson(bytes, value)]),
    );
  });

const apply = (operation: Operation, state: State): void => {
  switch (stringIn(operation, 'op')) {
    case 'add':
      add(resolvePointer(state, stringIn(operation, 'path')), operation.get('value'));
      break;
    case 'remove':
      removeAt(resolvePointer(state, stringIn(operation, 'path')));
      break;
    case 'replace':
      replace(operation, state);
      break;
    case 'move': {
      const moved = removeAt(resolvePointer(state, stringIn(operation, 'from')));
      add(resolvePointer(state, stringIn(operation, 'path')), moved);
      break;
    }
    case 'test':
      test(operation, state);
      break;
    case 'copy':
      copy(operation, state);
      break;
    default:
      throw cannotApply('unknown operation');
  }
};

/** Returns a member that must be a string. */
const stringIn = (operation: Operation, name: string): string => {
  const node = operation.get(name)?.raw?.node;
  if (node?.kind !== 'string') throw cannotApply(`no ${name}`);
  return node.text;
};

interface Target {
  readonly container: JsonContainer;
  readonly key: string;
}

/**
 * Resolves a JSON pointer: `/a~1b/0` is `0` in `a/b`. Anything before the first slash is ignored.
 */
const resolvePointer = ({ document }: State, pointer: string): Target => {
  const [, ...parts] = pointer.split('/').map(unescaped);
  const key = parts.pop();
  if (key === undefined) throw cannotApply('no place');
  let container = document;
  for (const part of parts) {
    const next = valueAt({ container, key: part });
    const deeper = next === undefined ? undefined : containerOf(next);
    if (deeper === undefined) throw cannotApply('no such place');
    container = deeper;
  }
  return { container, key };
};

const unescaped = (part: string): string =>
  part.replaceAll(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));

/** Returns the value at the target; an absent member is like a null. */
const valueAt = ({ container, key }: Target): LazySlot => {
  if (container.kind === 'items') return container.items[indexIn(container, key)];
  return container.members === 'none' ? undefined : container.members.get(key);
};

/**
 * Parses an index; negative ones count from the end. `free` is the number of valid positions after
 * the last item.
 */
const indexIn = ({ items }: JsonItems, key: string, free = 0): number => {
  if (!/^[+-]?\d+$/.test(key)) throw cannotApply('no index');
  const number = Number(key);
  const index = number < 0 ? number + items.length + free : number;
  if (index < 0 || index >= items.length + free) throw cannotApply('index out of range');
  return index;
};

const add = ({ container, key }: Target, value: LazySlot): void => {
  if (container.kind === 'members') {
    set({ container, key }, value);
    return;
  }
  const { items } = container;
  items.splice(key === '-' ? items.length : indexIn(container, key, 1), 0, value);
};

const set = ({ container, key }: Target, value: LazySlot): void => {
  if (container.kind === 'items') container.items[indexIn(container, key)] = value;
  else if (container.members !== 'none') container.members.set(key, value);
  else throw new JsonPatchError('panic', 'runtime error: assignment to entry in nil map');
};

const removeAt = ({ container, key }: Target): LazySlot => {
  if (container.kind === 'items') return container.items.splice(indexIn(container, key), 1)[0];
  if (container.members === 'none' || !container.members.has(key))
    throw cannotApply('no such member');
  const value = container.members.get(key);
  container.members.delete(key);
  return value;
};

const replace = (operation: Operation, state: State): void => {
  const path = stringIn(operation, 'path');
  const value = operation.get('value');
  if (path !== '') {
    set(resolvePointer(state, path), value);
    return;
  }
  if (value === undefined) throw nilPointerError();
  const document = containerOf(value);
  if (document === undefined) throw cannotApply('no object and no list');
  state.document = document;
};

const test = (operation: Operation, state: State): void => {
  const path = stringIn(operation, 'path');
  const wanted = operation.get('value');
  const there = path === '' ? { container: state.document } : valueAt(resolvePointer(state, path));
  const isSame =
    there === undefined || (path !== '' && wanted === undefined)
      ? there === undefined && wanted?.raw === undefined
      : areEqualLazyJson(there, wanted);
  if (!isSame) throw cannotApply('test failed');
};

const copy = (operation: Operation, state: State): void => {
  const value = valueAt(resolvePointer(state, stringIn(operation, 'from')));
  const place = resolvePointer(state, stringIn(operation, 'path'));
  add(place, value === undefined ? undefined : copyOf(value, state));
};

const copyOf = (value: LazyJson, state: State): LazyJson => {
  const bytes = new TextEncoder().encode(writeLazyJson(value));
  state.copied += bytes.length;
  if (state.copied > maxCopiedBytes) throw cannotApply('too much is copied');
  const copied = parseLazyJson(bytes);
  if (copied === undefined) throw cannotApply('exceeded max depth');
  return copied;
};
