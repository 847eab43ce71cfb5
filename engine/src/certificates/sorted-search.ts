/** A sorted list in which each item covers a stretch: the nearest item before a value covers it, or none. */

export interface Order<Item> {
  readonly compare: (left: Item, right: Item) => number;
  readonly covers: (item: Item, other: Item) => boolean;
}

export interface SortedSearch<Item> {
  /** In order, without those that the one before covers. */
  readonly kept: readonly Item[];
  find(value: Item): Item | undefined;
}

export const sortedSearch = <Item>(
  items: readonly Item[],
  { compare, covers }: Order<Item>,
): SortedSearch<Item> => {
  const kept: Item[] = [];
  for (const item of items.toSorted(compare)) {
    const last = kept.at(-1);
    if (last === undefined || !covers(last, item)) kept.push(item);
  }
  return {
    kept,
    find(value) {
      const after = kept.findIndex((item) => compare(item, value) >= 0);
      const at = after === -1 ? kept.length : after;
      const same = kept[at];
      if (same !== undefined && compare(same, value) === 0) return same;
      const nearest = kept[Math.max(at - 1, 0)];
      return nearest !== undefined && covers(nearest, value) ? nearest : undefined;
    },
  };
};
