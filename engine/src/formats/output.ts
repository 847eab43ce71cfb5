/**
 * An object on its way out: maps keep the order of the real server's struct fields, so the writers
 * need no table. Fields that the real server leaves out are not in the map.
 */
import { byCodePoint } from './string-order.ts';

export type Output = null | string | number | boolean | readonly Output[] | OutputMap;
export type OutputMap = ReadonlyMap<string, Output>;

/** A map of the members that are there; `undefined` is left out. */
export const outputMap = (
  ...members: readonly (readonly [string, Output | undefined])[]
): OutputMap => {
  const map = new Map<string, Output>();
  for (const [key, value] of members) if (value !== undefined) map.set(key, value);
  return map;
};

/** `undefined` for what Go's `omitempty` leaves out. */
export const unlessEmpty = <T extends string | readonly Output[] | OutputMap>(
  value: T,
): T | undefined => {
  const size =
    typeof value === 'string' || Array.isArray(value) ? value.length : (value as OutputMap).size;
  return size === 0 ? undefined : value;
};

/** A map with sorted keys, as Go writes maps. */
export const sortedMap = <T extends Output>(entries: Iterable<readonly [string, T]>): OutputMap => {
  const list = [...entries];
  return new Map(list.length < 2 ? list : list.sort(([left], [right]) => byCodePoint(left, right)));
};
