/**
 * A search for constraints in a sorted list in which an item can only be covered by the nearest
 * item before it.
 */

export type ConstraintSide = 'permitted' | 'excluded';

/** Returns the constraint that covers a name; `undefined` if none does. */
export type FindConstraint<Name> = (name: Name) => string | undefined;

export interface CoverageOrder<Item> {
  readonly compare: (left: Item, right: Item) => number;
  readonly covers: (item: Item, other: Item) => boolean;
}

export interface SortedSearch<Item> {
  /** The sorted items, without those that an earlier item covers. */
  readonly reduced: readonly Item[];
  find(value: Item): Item | undefined;
}

/** Sorts the items and creates the search. */
export const sortedSearch = <Item>(
  items: readonly Item[],
  { compare, covers }: CoverageOrder<Item>,
): SortedSearch<Item> => {
  const reduced: Item[] = [];
  for (const item of items.toSorted(compare)) {
    const last = reduced.at(-1);
    if (last === undefined || !covers(last, item)) reduced.push(item);
  }
  return {
    reduced,
    find(value) {
      const at = firstAtOrAfter(reduced, (item) => item !== undefined && compare(item, value) < 0);
      const same = reduced[at];
      if (same !== undefined && compare(same, value) === 0) return same;
      const nearest = reduced[Math.max(at - 1, 0)];
      return nearest !== undefined && covers(nearest, value) ? nearest : undefined;
    },
  };
};

/** Binary search for the first item that is not before the value. */
const firstAtOrAfter = <Item>(
  items: readonly Item[],
  isBefore: (item: Item | undefined) => boolean,
): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
};
