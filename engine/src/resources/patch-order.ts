/**
 * The order of a list after a strategic merge: items that the patch names stand in its order, the
 * others between them as they stood before.
 */
import {
  areEqual,
  goSet,
  goType,
  requireHashable,
  isItems,
  isMembers,
  keyOf,
  membersOf,
  StrategicMergeError,
  type PatchItems,
  type PatchValue,
  formatValue,
} from './patch-values.ts';

/** What a list is put in order by. */
export interface ListOrder {
  /** As the patch has it. */
  readonly order: readonly PatchValue[];
  /** As it was. */
  readonly before: PatchItems;
  /** Empty: items are compared as they are. */
  readonly key: string;
}

/** The merged items in their order; whether they are maps is asked when they are parted. */
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

/** A list may be of other items than maps and still have a key. */
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

/** Where the item with that value of the key stands; -1 where none has it. */
export const indexByKey = (items: readonly PatchValue[], key: string, value: PatchValue): number =>
  items.findIndex((item, index) => {
    if (!isMembers(item)) throw new StrategicMergeError(`value for key ${index} is not a map`);
    const own = item.get(key);
    return own !== undefined && areEqual(own, value);
  });

/**
 * Stable, by insertion: an item that the order does not have goes before all that came earlier, as
 * the real server's comparison says of it that it is always less.
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

/** The named ones keep their order; each other one goes before the first that it stood before. */
const mergeSorted = (others: PatchItems, named: PatchItems, rules: OrderRules): PatchItems => {
  const { before } = rules;
  const result: PatchItems = [];
  let next = 0;
  for (const other of others) {
    const place = indexIn(before, other, rules);
    for (; next < named.length; next += 1) {
      const item = named[next] ?? null;
      const stood = indexIn(before, item, rules);
      if (place >= 0 && stood >= 0 && place < stood) break;
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

/** What the patch brings has to be in its order, as far as nothing is deleted. */
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

/** Whether all items are maps. They have to be of one type, and no lists. */
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
