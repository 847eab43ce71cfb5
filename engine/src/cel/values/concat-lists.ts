/**
 * Tracks lists that are the result of `list + list`. cel-go has a Go type of its own for them,
 * which a few messages name.
 */
import type { CelValue } from './value.ts';

const concatLists = new WeakSet<readonly CelValue[]>();

/** Marks the list as the result of a concatenation and returns it. */
export const markConcatList = (list: readonly CelValue[]): readonly CelValue[] => {
  concatLists.add(list);
  return list;
};

export const isConcatList = (list: readonly CelValue[]): boolean => concatLists.has(list);
