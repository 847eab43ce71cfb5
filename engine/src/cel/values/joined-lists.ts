/** Lists that two lists made: the real server has a type of its own for them, which a few messages show. */
import type { CelValue } from './value.ts';

const joined = new WeakSet<readonly CelValue[]>();

/** Remembers that the list is made of two. */
export const joinedList = (list: readonly CelValue[]): readonly CelValue[] => {
  joined.add(list);
  return list;
};

export const isJoined = (list: readonly CelValue[]): boolean => joined.has(list);
