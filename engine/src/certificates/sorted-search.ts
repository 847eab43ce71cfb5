/**
 * A search for constraints in a sorted list in which an item can only be covered by the nearest
 * item before it.
 */
import { sortedIndex } from '../formats/sorted-index.ts';

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
      const at = sortedIndex(reduced, (item) => compare(item, value) < 0);
      const same = reduced[at];
      if (same !== undefined && compare(same, value) === 0) return same;
      const nearest = reduced[Math.max(at - 1, 0)];
      return nearest !== undefined && covers(nearest, value) ? nearest : undefined;
    },
  };
};
