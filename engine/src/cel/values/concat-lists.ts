/** Lists that two lists made: the real server has a type of its own for them, which a few messages show. */
import type { CelValue } from './value.ts';

const concatLists = new WeakSet<readonly CelValue[]>();

/** Remembers that the list is made of two. */
export const markConcatList = (list: readonly CelValue[]): readonly CelValue[] => {
  concatLists.add(list);
  return list;
};

export const isConcatList = (list: readonly CelValue[]): boolean => concatLists.has(list);
