/**
 * Searches a sorted list by halving it: returns the index of the first item, from `low` on, that
 * does not come before what is searched; the length of the list if there is none.
 */
export const sortedIndex = <Item>(
  items: readonly Item[],
  isBefore: (item: Item) => boolean,
  low = 0,
): number => {
  let from = low;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) from = middle + 1;
    else to = middle;
  }
  return from;
};
