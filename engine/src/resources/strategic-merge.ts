/**
 * Applies strategic merge patches: merge patches that merge certain lists by a key of their items,
 * with directives for order, deletion and replacement. The steps follow kube-apiserver's
 * `strategicpatch`, because the effect of malformed directives depends on them.
 */

import { foldName } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { FieldRow, Shape, StructShape } from '../formats/go-struct/shape.ts';
import type { JsonObject } from '../model/json.ts';
import { MergeBudget } from './merge-budget.ts';
import {
  areAllMaps,
  indexByKey,
  normalizeElementOrder,
  validatePatchWithSetOrderList,
} from './patch-order.ts';
import {
  areEqual,
  copyOfObject,
  formatAsString,
  formatValue,
  goSet,
  goType,
  isItems,
  isMembers,
  itemsOf,
  keyOf,
  membersOf,
  type PatchItems,
  type PatchMembers,
  type PatchValue,
  StrategicMergeError,
  type StrategicMergeProblem,
} from './patch-values.ts';

export type StrategicResult =
  | {
      readonly kind: 'merged';
      readonly object: PatchMembers;
      /** The patch as messages about the object print it: without the parts that were applied. */
      readonly rest: string;
    }
  | { readonly kind: StrategicMergeProblem; readonly message: string };

/**
 * Merges a patch into an object; the shape determines which lists are merged. Applied parts are
 * removed from `rest`.
 */
export const applyStrategicMerge = (
  target: JsonObject,
  rest: PatchMembers,
  shape: StructShape,
): StrategicResult => {
  try {
    const budget = new MergeBudget();
    const object = mergeMembers(copyOfObject(target), rest, { shape, budget });
    return { kind: 'merged', object, rest: formatValue(rest) };
  } catch (error) {
    if (error instanceof StrategicMergeError) return { kind: error.kind, message: error.message };
    throw error;
  }
};

const directiveKey = '$patch';
const orderPrefix = '$setElementOrder';
const deletionPrefix = '$deleteFromPrimitiveList';
const retainKeysKey = '$retainKeys';

/** Inputs for the merge of a value. */
interface MergeContext {
  readonly shape: Shape;
  readonly budget: MergeBudget;
}

const mergeMembers = (
  target: PatchMembers,
  patch: PatchMembers,
  known: MergeContext,
): PatchMembers => {
  const directive = patch.get(directiveKey);
  if (directive !== undefined) return applyMapDirective(patch, directive);
  applyRetainKeys(target, patch);
  for (const name of [...patch.keys()]) {
    if (name.startsWith(orderPrefix)) mergeOrdered(name, { target, patch, ...known });
  }
  for (const [name, value] of patch) mergeMember(name, value, { target, ...known });
  return target;
};

/** Applies the directive of a map. */
const applyMapDirective = (patch: PatchMembers, directive: PatchValue): PatchMembers => {
  if (directive === 'delete') return new Map();
  if (directive !== 'replace') return throwUnknownDirective(directive, patch);
  patch.delete(directiveKey);
  return patch;
};

const throwUnknownDirective = (directive: PatchValue, patch: PatchMembers): never => {
  throw new StrategicMergeError(
    `unknown patch type: ${formatAsString(directive)} in map: ${formatValue(patch)}`,
  );
};

/**
 * Applies `$retainKeys`: removes all members that it does not list; it must list all members of the
 * patch.
 */
const applyRetainKeys = (target: PatchMembers, patch: PatchMembers): void => {
  const keys = patch.get(retainKeysKey);
  if (keys === undefined) return;
  patch.delete(retainKeysKey);
  const malformed = new StrategicMergeError('invalid patch format of retainKeys', 'malformed');
  if (!isItems(keys)) throw malformed;
  const names = goSet(keys);
  for (const [name, value] of patch) {
    const isFree =
      value === null || name.startsWith(deletionPrefix) || name.startsWith(orderPrefix);
    if (!isFree && !names.has(name)) throw malformed;
  }
  for (const name of [...target.keys()]) if (!names.has(name)) target.delete(name);
};

/** Returns `secrets` for `$setElementOrder/secrets`. */
const listNameIn = (name: string, prefix: string, what: string): string => {
  if (name.startsWith(`${prefix}/`)) return name.slice(prefix.length + 1);
  throw new StrategicMergeError(`invalid patch format of ${what} list`, 'malformed');
};

interface OrderedMergeContext extends MergeContext {
  readonly target: PatchMembers;
  readonly patch: PatchMembers;
}

/** Applies `$setElementOrder`: takes the list out of the patch, merges it and sorts the result. */
const mergeOrdered = (directiveName: string, around: OrderedMergeContext): void => {
  const { target, patch, budget } = around;
  const order = itemsOf(patch.get(directiveName));
  patch.delete(directiveName);
  const name = listNameIn(directiveName, orderPrefix, 'setElementOrder');
  const [known, given] = [target.get(name), patch.get(name)];
  const [before, patched] = [itemsOf(known), itemsOf(given)];
  const rules = listRules(around, name);
  const { key } = rules;
  validatePatchWithSetOrderList(patched, order, key);
  budget.spend(before.length + patched.length + order.length);
  if (known === undefined && given === undefined) return;
  const merged =
    given === undefined
      ? before
      : known === undefined
        ? itemsOf(withoutDirectives(patched))
        : mergeLists(before, patched, rules);
  const sorted = normalizeElementOrder(merged, { order, before, key }, () =>
    areAllMaps(before, patched),
  );
  target.set(name, sorted);
  patch.delete(name);
};

const mergeMember = (
  patchName: string,
  value: PatchValue,
  { target, shape, budget }: Omit<OrderedMergeContext, 'patch'>,
): void => {
  const isDeletion = patchName.startsWith(deletionPrefix);
  const name = (isDeletion && listNameIn(patchName, deletionPrefix, 'primitive')) || patchName;
  const before = target.get(name);
  if (value === null) target.delete(name);
  else if (isMembers(before) && isMembers(value)) {
    target.set(name, mergeMembers(before, value, { shape: fieldOf(shape, name).shape, budget }));
  } else if (isItems(before) && isItems(value)) {
    const rules = listRules({ shape, budget }, name);
    target.set(name, mergeLists(before, value, isDeletion ? { ...rules, isDeletion } : rules));
  } else if (!isDeletion || (before !== undefined && goType(before) === goType(value))) {
    dropNulls(value);
    const remaining = withoutDirectives(value);
    if (remaining === undefined) target.delete(name);
    else target.set(name, remaining);
  }
};

/** Removes the null members of a value that is added without a merge. */
const dropNulls = (value: PatchValue): void => {
  if (isItems(value)) for (const item of value) dropNulls(item);
  if (!isMembers(value)) return;
  for (const [name, member] of value) {
    if (member === null) value.delete(name);
    else dropNulls(member);
  }
};

/**
 * Removes maps with directives from a value that is added without a merge; returns `undefined` if
 * the value is such a map.
 */
const withoutDirectives = (value: PatchValue): PatchValue | undefined => {
  if (isItems(value)) {
    return value.map(withoutDirectives).filter((item): item is PatchValue => item !== undefined);
  }
  if (!isMembers(value)) return value;
  if (value.has(directiveKey)) return undefined;
  for (const [name, member] of value) {
    const remaining = withoutDirectives(member);
    if (remaining === undefined) value.delete(name);
    else value.set(name, remaining);
  }
  return value;
};

const fieldOf = (shape: Shape, name: string): FieldRow => {
  if (shape.kind !== 'struct') {
    const why = `merging an object in json but data type is not struct, instead is: ${shape.kind}`;
    throw new StrategicMergeError(why);
  }
  const folded = foldName(name);
  const row =
    shape.rows.find((candidate) => candidate.name === name) ??
    shape.rows.find((candidate) => foldName(candidate.name) === folded);
  if (row !== undefined) return row;
  throw new StrategicMergeError(
    `unable to find api field in struct ${shape.name} for the json field ${goQuote(name)}`,
  );
};

interface ListRules {
  /** Merge key; empty for lists of strings. */
  readonly key: string;
  /** Whether lists are merged; otherwise the patch replaces the list. */
  readonly isMerged: boolean;
  readonly item: Shape;
  readonly budget: MergeBudget;
  /** The patch lists the items to remove. */
  readonly isDeletion?: true;
}

const listRules = ({ shape, budget }: MergeContext, name: string): ListRules => {
  const { mergeKey, shape: own, written } = fieldOf(shape, name);
  // kube-apiserver does not check what a pointer points to; it may be a list.
  const isPointer = written === 'when-set' || own.kind === 'time';
  if (own.kind !== 'list' && !isPointer) {
    throw new StrategicMergeError(`expected slice or array type, but got: ${shape.kind}`);
  }
  return {
    key: mergeKey === undefined || mergeKey === 'value' ? '' : mergeKey,
    isMerged: mergeKey !== undefined,
    item: own.kind === 'list' ? own.item : own,
    budget,
  };
};

const mergeLists = (before: PatchItems, patch: PatchItems, rules: ListRules): PatchItems => {
  const { key, item, isMerged, isDeletion, budget } = rules;
  if (!isMerged && isDeletion === undefined) return patch;
  if (before.length === 0 && patch.length === 0) return before;
  if (areAllMaps(before, patch)) {
    budget.spend(before.length + patch.length);
    if (key !== '') return mergeMaps(before, patch, { key, item, budget });
    throw new StrategicMergeError(`cannot merge lists without merge key for ${item.kind}`);
  }
  if (isDeletion) {
    const gone = goSet(patch);
    return before.filter((value) => !gone.has(value));
  }
  budget.spend(before.length + patch.length);
  const merged = withoutRepeated([...before, ...patch]);
  return normalizeElementOrder(merged, { order: patch, before, key }, () => false);
};

/** Removes duplicates by moving the last item to their positions; the order is set later. */
const withoutRepeated = (values: PatchItems): PatchItems => {
  for (let at = 0; at < values.length; at += 1) {
    for (let other = at + 1; other < values.length; other += 1) {
      if (!areEqual(values[at] ?? null, values[other] ?? null)) continue;
      const last = values.pop() ?? null;
      if (other < values.length) values[other] = last;
      other -= 1;
    }
  }
  return values;
};

const mergeMaps = (
  before: PatchItems,
  patch: PatchItems,
  { key, item, budget }: Pick<ListRules, 'key' | 'item' | 'budget'>,
): PatchItems => {
  const { remaining, patched, isCut } = applyListDirectives(before, patch, key);
  const merged = [...remaining];
  for (const entry of patched) {
    const at = indexByKey(merged, key, keyOf(entry, key));
    const old = merged[at];
    if (isMembers(old)) merged[at] = mergeMembers(old, entry, { shape: item, budget });
    else merged.push(entry);
  }
  // Go slices share their memory: removing an item from one shifts the items in the other, which
  // then determines the order.
  for (const [at, entry] of merged.slice(0, isCut ? before.length : 0).entries()) {
    before[at] = entry;
  }
  return normalizeElementOrder(merged, { order: patched, before: remaining, key }, () => true);
};

interface AppliedDirectives {
  readonly remaining: PatchItems;
  readonly patched: readonly PatchMembers[];
  readonly isCut: boolean;
}

/** Applies and removes the items that are directives. */
const applyListDirectives = (
  before: PatchItems,
  patch: PatchItems,
  key: string,
): AppliedDirectives => {
  const [remaining, patched]: [PatchItems, PatchMembers[]] = [[...before], []];
  let isReplaced = false;
  for (const entry of patch.map(membersOf)) {
    const directive = entry.get(directiveKey);
    if (directive === undefined) patched.push(entry);
    else if (directive === 'delete') removeByKey(remaining, key, keyOf(entry, key));
    else if (directive === 'replace') isReplaced = true;
    else if (directive !== 'merge') throwUnknownDirective(directive, entry);
    else throw new StrategicMergeError('merging lists cannot yet be specified in the patch');
  }
  if (isReplaced) return { remaining: patched, patched: [], isCut: false };
  return { remaining, patched, isCut: remaining.length < before.length };
};

const removeByKey = (items: PatchItems, key: string, value: PatchValue): void => {
  for (let at = indexByKey(items, key, value); at >= 0; at = indexByKey(items, key, value)) {
    items.splice(at, 1);
  }
};
