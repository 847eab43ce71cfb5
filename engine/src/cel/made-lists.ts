/**
 * Lists that an operator or a function made, by the real server's own type of them: a few of its
 * messages show it. Lists that are written, or that data holds, are not remembered here.
 */
import type { CelValue } from './value.ts';

const goNames = new WeakMap<readonly CelValue[], string>();

/** Two lists put together are a type of their own. */
export const joinedList = (list: readonly CelValue[]): readonly CelValue[] =>
  remember(list, '*types.concatList');

/** A list of its own, where data may have been given through. */
export const ownList = (list: readonly CelValue[]): readonly CelValue[] =>
  remember(list, '*types.baseList');

/** `undefined` for a list that nobody made. */
export const goNameOfMade = (list: readonly CelValue[]): string | undefined => goNames.get(list);

const remember = (list: readonly CelValue[], name: string): readonly CelValue[] => {
  goNames.set(list, name);
  return list;
};
