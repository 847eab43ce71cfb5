/**
 * Values that are written as JSON, YAML or protobuf. Maps have the order of kube-apiserver's struct
 * fields, so writers need no schema; omitted fields are not in the map.
 */
import { byCodePoint } from './string-order.ts';

export type OutputValue = null | string | number | boolean | readonly OutputValue[] | OutputMap;
export type OutputMap = ReadonlyMap<string, OutputValue>;

/** Creates a map without the members that are `undefined`. */
export const outputMap = (
  ...members: readonly (readonly [string, OutputValue | undefined])[]
): OutputMap => {
  const map = new Map<string, OutputValue>();
  for (const [key, value] of members) if (value !== undefined) map.set(key, value);
  return map;
};

/** Returns `undefined` for values that Go's `omitempty` omits. */
export const omitEmpty = <T extends string | readonly OutputValue[] | OutputMap>(
  value: T,
): T | undefined => {
  const size =
    typeof value === 'string' || Array.isArray(value) ? value.length : (value as OutputMap).size;
  return size === 0 ? undefined : value;
};

/** Creates a map with sorted keys, as Go writes maps. */
export const sortedMap = <T extends OutputValue>(
  entries: Iterable<readonly [string, T]>,
): OutputMap => {
  const list = [...entries];
  return new Map(list.length < 2 ? list : list.sort(([left], [right]) => byCodePoint(left, right)));
};
