/**
 * Strategic merge patch: a merge patch that knows which lists are merged by a member of their items,
 * with its directives for order, deletion and replacement.
 */
import type { Json, JsonObject } from '../model/json.ts';
import { emptyObject, isList, isObject, listOf } from './object-fields.ts';
import type { FieldRow, Shape, StructShape } from './shape.ts';

export type StrategicResult =
  | { readonly kind: 'merged'; readonly object: JsonObject }
  /** The patch contradicts itself or the kind, or `malformed`: no patch can say so. */
  | { readonly kind: 'error' | 'malformed'; readonly message: string };

/** Merges; what the shape does not know is merged as plain data. */
export const applyStrategicMerge = (
  target: JsonObject,
  patch: JsonObject,
  shape: StructShape,
): StrategicResult => {
  try {
    return { kind: 'merged', object: mergeObject(target, patch, shape) };
  } catch (error) {
    if (error instanceof PatchError) return { kind: error.kind, message: error.message };
    throw error;
  }
};

/** Carries a message up; never leaves this file. */
class PatchError extends Error {
  readonly kind: 'error' | 'malformed';
  constructor(message: string, kind: 'error' | 'malformed' = 'error') {
    super(message);
    this.kind = kind;
  }
}

const directive = '$patch';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';
const retainKeys = '$retainKeys';

const mergeObject = (target: JsonObject, patch: JsonObject, shape: Shape): JsonObject => {
  const told = patch.get(directive);
  if (told === 'replace') return without(patch, [directive]);
  if (told === 'delete') return emptyObject;
  if (told !== undefined && told !== 'merge') {
    throw new PatchError(`unknown patch type: ${shown(told)} in map: ${shown(patch)}`);
  }
  const merged = new Map(retained(target, patch));
  checkOrders(merged, patch, shape);
  for (const [name, value] of patch) {
    if (name.startsWith('$')) continue;
    const row = rowOf(shape, name);
    const member =
      value === null ? undefined : mergeMember(merged.get(name), value, { row, patch });
    if (member === undefined) merged.delete(name);
    else merged.set(name, member);
  }
  for (const [name, order] of patch) {
    const list = merged.get(name.slice(orderPrefix.length));
    if (!name.startsWith(orderPrefix) || patch.has(name.slice(orderPrefix.length))) continue;
    const { name: field, mergeKey: key } = rowOf(shape, name.slice(orderPrefix.length));
    // Only the order is new.
    if (isList(list) && isList(order) && key !== undefined) {
      merged.set(field, inOrder(list, { order, before: list, key }));
    }
  }
  for (const [name, value] of patch) {
    if (name.startsWith(deletePrefix)) deleteTexts(merged, name.slice(deletePrefix.length), value);
  }
  return merged;
};

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  new Map([...object].filter(([name]) => !names.includes(name)));

/** What stays of an object whose patch says what may; it says so of all that it brings. */
const retained = (target: JsonObject, patch: JsonObject): JsonObject => {
  const keys = patch.get(retainKeys);
  if (keys === undefined) return target;
  const names = new Set(listOf(keys));
  const isForgotten = [...patch].some(
    ([name, value]) =>
      value !== null &&
      name !== retainKeys &&
      !name.startsWith(orderPrefix) &&
      !name.startsWith(deletePrefix) &&
      !names.has(name),
  );
  if (!isList(keys) || isForgotten) {
    throw new PatchError('invalid patch format of retainKeys', 'malformed');
  }
  return new Map([...target].filter(([name]) => names.has(name)));
};

/** An order is a list, of a list that the kind has, and has all that the patch brings, in its order. */
const checkOrders = (target: JsonObject, patch: JsonObject, shape: Shape): void => {
  for (const [told, order] of patch) {
    if (!told.startsWith(orderPrefix)) continue;
    const name = told.slice(orderPrefix.length);
    for (const value of [order, target.get(name), patch.get(name)]) {
      if (value === undefined || isList(value)) continue;
      throw new PatchError(`expected a []interface {}, but received a ${goType(value)}`);
    }
    if (shape.kind === 'struct' && !shape.fields.has(name)) {
      const message = `unable to find api field in struct ${shape.name} for the json field "${name}"`;
      throw new PatchError(message);
    }
    const { mergeKey } = rowOf(shape, name);
    const brought = listOf(patch.get(name));
    if (mergeKey !== undefined && !isInOrder(brought, listOf(order), mergeKey)) {
      throw new PatchError(
        `The order in patch list:\n${shown(brought)}\n doesn't match $setElementOrder list:\n${shown(order)}\n`,
      );
    }
  }
};

const goType = (value: Json): string => {
  if (value === null) return '%!s(<nil>)';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Number.isInteger(value) ? 'int64' : 'float64';
};

const isInOrder = (brought: readonly Json[], order: readonly Json[], key: string): boolean => {
  if (order.length === 0) return true;
  const keyOf = (item: Json): Json => (isObject(item) ? keyIn(item, key) : item);
  const kept = brought.filter((item) => !isObject(item) || !item.has(directive));
  let next = 0;
  for (const item of order) {
    const wanted = kept[next];
    if (wanted === undefined) return true;
    if (keyOf(wanted) === keyOf(item)) next += 1;
  }
  return next === kept.length;
};

const plain: Shape = { kind: 'raw' };

/** What is known of a member; a member of a map is of the map's values. */
const rowOf = (shape: Shape, name: string): FieldRow => {
  if (shape.kind === 'struct') {
    const row = shape.rows.find((candidate) => candidate.name === name);
    if (row !== undefined) return row;
  }
  return { name, shape: shape.kind === 'map' ? shape.value : plain };
};

/** `undefined`: nothing stays. */
const mergeMember = (
  before: Json | undefined,
  value: Json,
  { row, patch }: { readonly row: FieldRow; readonly patch: JsonObject },
): Json | undefined => {
  if (isObject(value)) {
    return isObject(before) ? mergeObject(before, value, row.shape) : withoutDirectives(value);
  }
  if (!isList(value) || row.mergeKey === undefined)
    return isList(before) ? value : withoutDirectives(value);
  const key = row.mergeKey;
  const item = row.shape.kind === 'list' ? row.shape.item : plain;
  const merged = isList(before)
    ? key === 'value'
      ? [...new Set([...before, ...value])]
      : mergeItems(before, value, { key, item })
    : listOf(withoutDirectives(value) ?? null);
  const order = patch.get(`${orderPrefix}${row.name}`);
  return inOrder(merged, { order: isList(order) ? order : value, before: listOf(before), key });
};

/** What there is nothing to merge with is taken as it is, but for its directives and its nulls. */
const withoutDirectives = (value: Json): Json | undefined => {
  const kept = (member: Json): readonly Json[] => {
    const cleaned = withoutDirectives(member);
    return cleaned === undefined ? [] : [cleaned];
  };
  if (isList(value)) return value.flatMap(kept);
  if (!isObject(value)) return value;
  if (value.has(directive)) return undefined;
  return new Map(
    [...value].flatMap(([name, member]) =>
      member === null ? [] : kept(member).map((cleaned): [string, Json] => [name, cleaned]),
    ),
  );
};

interface ItemRules {
  readonly key: string;
  readonly item: Shape;
}

const mergeItems = (
  before: readonly Json[],
  patch: readonly Json[],
  { key, item }: ItemRules,
): readonly Json[] => {
  const isReplaced = patch.some((entry) => isObject(entry) && entry.get(directive) === 'replace');
  const entries = patch.filter(isObject);
  if (isReplaced) return entries.filter((entry) => entry.get(directive) !== 'replace');
  const merged = [...before];
  for (const entry of entries) {
    const value = keyIn(entry, key);
    const at = merged.findIndex((other) => isObject(other) && keyIn(other, key) === value);
    if (entry.get(directive) === 'delete') {
      if (at >= 0) merged.splice(at, 1);
      continue;
    }
    const old = merged[at];
    if (isObject(old)) merged[at] = mergeObject(old, entry, item);
    else merged.push(mergeObject(emptyObject, entry, item));
  }
  return merged;
};

const keyIn = (item: JsonObject, key: string): Json => {
  const value = item.get(key);
  if (value !== undefined) return value;
  throw new PatchError(`map: ${shown(item)} does not contain declared merge key: ${key}`);
};

/** As Go prints a map. */
const shown = (value: Json): string => {
  if (isList(value)) return `[${value.map(shown).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const members = [...value].sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${shown(member)}`).join(' ')}]`;
};

/** The whole patch as messages about it print it. */
export const printPatch = (patch: JsonObject): string => shown(patch);

const deleteTexts = (merged: Map<string, Json>, name: string, value: Json): void => {
  const gone = listOf(value);
  const list = merged.get(name);
  if (isList(list))
    merged.set(
      name,
      list.filter((item) => !gone.includes(item)),
    );
};

interface Order {
  /** As the patch has it. */
  readonly order: readonly Json[];
  /** As it was. */
  readonly before: readonly Json[];
  readonly key: string;
}

/** Items that the patch names stand in its order, the others between them as they stood before. */
const inOrder = (merged: readonly Json[], { order, before, key }: Order): readonly Json[] => {
  const keyOf = (item: Json): Json | undefined =>
    key === 'value' || !isObject(item) ? item : item.get(key);
  const wanted = order.map(keyOf);
  const known = before.map(keyOf);
  const named = merged
    .filter((item) => wanted.includes(keyOf(item)))
    .sort((left, right) => wanted.indexOf(keyOf(left)) - wanted.indexOf(keyOf(right)));
  const result: Json[] = [];
  for (const item of merged.filter((other) => !wanted.includes(keyOf(other)))) {
    const place = known.indexOf(keyOf(item));
    for (let next = named[0]; next !== undefined; next = named[0]) {
      const stood = known.indexOf(keyOf(next));
      if (stood >= 0 && place >= 0 && place < stood) break;
      result.push(next);
      named.shift();
    }
    result.push(item);
  }
  return [...result, ...named];
};
