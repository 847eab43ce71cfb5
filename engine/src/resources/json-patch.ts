/** JSON Patch (RFC 6902) as the real server applies it: step by step the way of its library. */
import type { JsonNode } from '../formats/json-tree.ts';
import {
  areSameJson,
  insideOf,
  type JsonInside,
  type JsonItems,
  type LazyJson,
  type LazySlot,
  lazyJson,
  nilFault,
  type PatchFailure,
  PatchFault,
  parseLazyJson,
  writeInside,
  writeLazyJson,
} from './lazy-json.ts';

export type PatchResult =
  | { readonly kind: 'patched'; readonly text: string }
  | { readonly kind: PatchFailure; readonly message: string };

/** The patch as it was sent: a list of objects and nulls, or null. */
export interface JsonPatch {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
}

/** More operations than this are refused before any is tried. */
export const maxPatchOperations = 10_000;

/** Bytes that the operations of one patch may copy, all together. */
const copiedBytes = 3 * 1024 * 1024;

/** Operations in order; the first that can't be done ends it. */
export const applyJsonPatch = (object: Uint8Array, patch: JsonPatch): PatchResult => {
  try {
    const whole = parseLazyJson(object);
    const document = whole === undefined ? undefined : insideOf(whole);
    if (document === undefined) throw impossible('no object');
    const state: State = { document, copied: 0 };
    for (const operation of operationsOf(patch)) apply(operation, state);
    return { kind: 'patched', text: writeInside(state.document) };
  } catch (error) {
    if (error instanceof PatchFault) return { kind: error.kind, message: error.message };
    throw error;
  }
};

const impossible = (message: string): PatchFault => new PatchFault('impossible', message);

interface State {
  document: JsonInside;
  copied: number;
}

/** Members by name, null where they are so. */
type Operation = ReadonlyMap<string, LazyJson>;

const operationsOf = ({ bytes, root }: JsonPatch): readonly Operation[] =>
  (root.kind === 'array' ? root.items : []).map((item) => {
    const members = item.kind === 'object' ? item.members : [];
    return new Map(
      members.map(({ name, value }) => [name, value.kind === 'null' ? {} : lazyJson(bytes, value)]),
    );
  });

const apply = (operation: Operation, state: State): void => {
  switch (textIn(operation, 'op')) {
    case 'add':
      add(placeAt(state, textIn(operation, 'path')), operation.get('value'));
      break;
    case 'remove':
      take(placeAt(state, textIn(operation, 'path')));
      break;
    case 'replace':
      replace(operation, state);
      break;
    case 'move': {
      const moved = take(placeAt(state, textIn(operation, 'from')));
      add(placeAt(state, textIn(operation, 'path')), moved);
      break;
    }
    case 'test':
      test(operation, state);
      break;
    case 'copy':
      copy(operation, state);
      break;
    default:
      throw impossible('unknown operation');
  }
};

/** A member that has to be a text. */
const textIn = (operation: Operation, name: string): string => {
  const node = operation.get(name)?.raw?.node;
  if (node?.kind !== 'string') throw impossible(`no ${name}`);
  return node.text;
};

interface Place {
  readonly inside: JsonInside;
  readonly key: string;
}

/** `/a~1b/0` -> in `a/b`, `0`; what stands before the first slash is not looked at. */
const placeAt = ({ document }: State, pointer: string): Place => {
  const [, ...parts] = pointer.split('/').map(unescaped);
  const key = parts.pop();
  if (key === undefined) throw impossible('no place');
  let inside = document;
  for (const part of parts) {
    const next = found({ inside, key: part });
    const deeper = next === undefined ? undefined : insideOf(next);
    if (deeper === undefined) throw impossible('no such place');
    inside = deeper;
  }
  return { inside, key };
};

const unescaped = (part: string): string =>
  part.replaceAll(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));

/** What is there; an absent member is like a null. */
const found = ({ inside, key }: Place): LazySlot => {
  if (inside.kind === 'items') return inside.items[indexIn(inside, key)];
  return inside.members === 'none' ? undefined : inside.members.get(key);
};

/** Negative ones count from the end. `free`: the places after the last one count too. */
const indexIn = ({ items }: JsonItems, key: string, free = 0): number => {
  if (!/^[+-]?\d+$/.test(key)) throw impossible('no index');
  const number = Number(key);
  const index = number < 0 ? number + items.length + free : number;
  if (index < 0 || index >= items.length + free) throw impossible('index out of range');
  return index;
};

const add = ({ inside, key }: Place, value: LazySlot): void => {
  if (inside.kind === 'members') {
    set({ inside, key }, value);
    return;
  }
  const { items } = inside;
  items.splice(key === '-' ? items.length : indexIn(inside, key, 1), 0, value);
};

const set = ({ inside, key }: Place, value: LazySlot): void => {
  if (inside.kind === 'items') inside.items[indexIn(inside, key)] = value;
  else if (inside.members !== 'none') inside.members.set(key, value);
  else throw new PatchFault('panic', 'runtime error: assignment to entry in nil map');
};

const take = ({ inside, key }: Place): LazySlot => {
  if (inside.kind === 'items') return inside.items.splice(indexIn(inside, key), 1)[0];
  if (inside.members === 'none' || !inside.members.has(key)) throw impossible('no such member');
  const value = inside.members.get(key);
  inside.members.delete(key);
  return value;
};

const replace = (operation: Operation, state: State): void => {
  const path = textIn(operation, 'path');
  const value = operation.get('value');
  if (path !== '') {
    set(placeAt(state, path), value);
    return;
  }
  if (value === undefined) throw nilFault();
  const document = insideOf(value);
  if (document === undefined) throw impossible('no object and no list');
  state.document = document;
};

const test = (operation: Operation, state: State): void => {
  const path = textIn(operation, 'path');
  const wanted = operation.get('value');
  const there = path === '' ? { inside: state.document } : found(placeAt(state, path));
  const isSame =
    there === undefined || (path !== '' && wanted === undefined)
      ? there === undefined && wanted?.raw === undefined
      : areSameJson(there, wanted);
  if (!isSame) throw impossible('test failed');
};

const copy = (operation: Operation, state: State): void => {
  const value = found(placeAt(state, textIn(operation, 'from')));
  const place = placeAt(state, textIn(operation, 'path'));
  add(place, value === undefined ? undefined : copyOf(value, state));
};

const copyOf = (value: LazyJson, state: State): LazyJson => {
  const bytes = new TextEncoder().encode(writeLazyJson(value));
  state.copied += bytes.length;
  if (state.copied > copiedBytes) throw impossible('too much is copied');
  const copied = parseLazyJson(bytes);
  if (copied === undefined) throw impossible('exceeded max depth');
  return copied;
};
