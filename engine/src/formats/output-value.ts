/**
 * An object on its way out: maps keep the order of the real server's struct fields, so the writers
 * need no table. Fields that the real server leaves out are not in the map.
 */
import { byCodePoint } from './string-order.ts';

export type OutputValue = null | string | number | boolean | readonly OutputValue[] | OutputMap;
export type OutputMap = ReadonlyMap<string, OutputValue>;

/** A map of the members that are there; `undefined` is left out. */
export const outputMap = (
  ...members: readonly (readonly [string, OutputValue | undefined])[]
): OutputMap => {
  const map = new Map<string, OutputValue>();
  for (const [key, value] of members) if (value !== undefined) map.set(key, value);
  return map;
};

/** `undefined` for what Go's `omitempty` leaves out. */
export const omitEmpty = <T extends string | readonly OutputValue[] | OutputMap>(
  value: T,
): T | undefined => {
  const size =
    typeof value === 'string' || Array.isArray(value) ? value.length : (value as OutputMap).size;
  return size === 0 ? undefined : value;
};

/** A map with sorted keys, as Go writes maps. */
export const sortedMap = <T extends OutputValue>(
  entries: Iterable<readonly [string, T]>,
): OutputMap => {
  const list = [...entries];
  return new Map(list.length < 2 ? list : list.sort(([left], [right]) => byCodePoint(left, right)));
};
