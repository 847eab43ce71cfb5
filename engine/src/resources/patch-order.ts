/**
 * Orders a list after a strategic merge: items in the patch get the order of the patch, and the
 * other items remain in their relative positions.
 */
import {
  areEqual,
  formatValue,
  goSet,
  goType,
  isItems,
  isMembers,
  keyOf,
  membersOf,
  type PatchItems,
  type PatchValue,
  requireHashable,
  StrategicMergeError,
} from './patch-values.ts';

/** Inputs that determine the order of a merged list. */
export interface ListOrder {
  /** Order of the items in the patch. */
  readonly order: readonly PatchValue[];
  /** The list before the merge. */
  readonly before: PatchItems;
  /** Merge key; empty if items are compared as a whole. */
  readonly key: string;
}

/**
 * Returns the merged items in their order. `areMaps` is called only after the items are
 * partitioned.
 */
export const normalizeElementOrder = (
  merged: PatchItems,
  orders: ListOrder,
  areMaps: () => boolean,
): PatchItems => {
  const { named, others } = partitionByPatch(merged, orders);
  const rules = { ...orders, areMaps: areMaps() };
  const inPatch = sortByOrder(named, rules.order, rules);
  return mergeSorted(sortByOrder(others, rules.before, rules), inPatch, rules);
};

/** A list that does not consist of maps may still have a key. */
interface OrderRules extends ListOrder {
  readonly areMaps: boolean;
}

interface Partition {
  readonly named: PatchItems;
  readonly others: PatchItems;
}

const partitionByPatch = (merged: PatchItems, { order, key }: ListOrder): Partition => {
  const [named, others]: [PatchItems, PatchItems] = [[], []];
  const names = key === '' ? goSet(order) : undefined;
  for (const item of merged) {
    const isNamed =
      names === undefined
        ? indexByKey(order, key, keyOf(membersOf(item), key)) >= 0
        : names.has(requireHashable(item));
    (isNamed ? named : others).push(item);
  }
  return { named, others };
};

/** Returns the index of the item with that value of the key, or -1. */
export const indexByKey = (items: readonly PatchValue[], key: string, value: PatchValue): number =>
  items.findIndex((item, index) => {
    if (!isMembers(item)) throw new StrategicMergeError(`value for key ${index} is not a map`);
    const own = item.get(key);
    return own !== undefined && areEqual(own, value);
  });

/**
 * Sorts by insertion, which is stable: an item that is not in the order goes before all earlier
 * ones, because kube-apiserver's comparison considers it less than any other.
 */
const sortByOrder = (
  items: PatchItems,
  order: readonly PatchValue[],
  rules: OrderRules,
): PatchItems => {
  if (rules.areMaps) for (const item of [...items, ...order]) keyOf(membersOf(item), rules.key);
  const isDeletion = (item: PatchValue): boolean =>
    rules.areMaps && isMembers(item) && item.get('$patch') === 'delete';
  const placed: { readonly item: PatchValue; readonly rank: number }[] = [];
  for (const item of items.filter((candidate) => !isDeletion(candidate))) {
    const rank = indexIn(order, item, rules);
    const last = placed.findLastIndex(
      (other) => rank >= 0 && other.rank >= 0 && other.rank <= rank,
    );
    placed.splice(last + 1, 0, { item, rank });
  }
  return [...placed.map(({ item }) => item), ...items.filter(isDeletion)];
};

/**
 * Merges two sorted lists: items of the patch keep their order, and each other item goes before the
 * first one that followed it originally.
 */
const mergeSorted = (others: PatchItems, named: PatchItems, rules: OrderRules): PatchItems => {
  const { before } = rules;
  const result: PatchItems = [];
  let next = 0;
  for (const other of others) {
    const otherIndex = indexIn(before, other, rules);
    for (; next < named.length; next += 1) {
      const item = named[next] ?? null;
      const itemIndex = indexIn(before, item, rules);
      if (otherIndex >= 0 && itemIndex >= 0 && otherIndex < itemIndex) break;
      result.push(item);
    }
    result.push(other);
  }
  return [...result, ...named.slice(next)];
};

const indexIn = (
  items: readonly PatchValue[],
  wanted: PatchValue,
  { key, areMaps }: OrderRules,
): number => {
  const comparedIn = (item: PatchValue): PatchValue => {
    if (!areMaps) return item;
    return isMembers(item) ? (item.get(key) ?? null) : null;
  };
  const value = comparedIn(wanted);
  return items.findIndex((item) => areEqual(value, comparedIn(item)));
};

/** Checks that the items of the patch are in the given order; deletions are ignored. */
export const validatePatchWithSetOrderList = (
  brought: PatchItems,
  order: PatchItems,
  key: string,
): void => {
  if (order.length === 0 || brought.length === 0) return;
  const remaining =
    key === '' ? brought : brought.filter((item) => membersOf(item).get('$patch') !== 'delete');
  let [next, at] = [0, 0];
  while (next < remaining.length && at < order.length) {
    const [item = null, other = null] = [remaining[next], order[at]];
    if (isMembers(item) && item.has('$patch')) {
      next += 1;
      continue;
    }
    if (haveEqualKeys(item, other, key)) next += 1;
    at += 1;
  }
  if (next === remaining.length) return;
  throw new StrategicMergeError(
    `The order in patch list:\n${formatValue(brought)}\n doesn't match $setElementOrder list:\n${formatValue(order)}\n`,
  );
};

const haveEqualKeys = (left: PatchValue, right: PatchValue, key: string): boolean => {
  if (key === '') return areEqual(left, right);
  const [one, other] = [membersOf(left), membersOf(right)];
  return areEqual(keyOf(one, key), keyOf(other, key));
};

/**
 * Returns whether all items are maps. All items must have the same type, and lists of lists are not
 * supported.
 */
export const areAllMaps = (...lists: readonly PatchItems[]): boolean => {
  const items = lists.flat(1);
  const [first] = items;
  if (first === undefined) throw new StrategicMergeError('no elements in any of the given slices');
  if (first === null) throw new StrategicMergeError(nilDereference, 'panic');
  if (isItems(first))
    throw new StrategicMergeError('lists of lists are not supported', 'unprocessable');
  if (items.some((item) => goType(item) !== goType(first))) {
    throw new StrategicMergeError(
      `list element types are not identical: ${formatValue([...lists])}`,
    );
  }
  return isMembers(first);
};

const nilDereference = 'runtime error: invalid memory address or nil pointer dereference';
