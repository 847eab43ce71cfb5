/** Choices that a seed decides: the same seed makes the same choices. */

export interface Chance {
  /** From 0 to 1. */
  next(): number;
  one<T>(items: readonly T[]): T;
  /** So many places at most. */
  some(most: number): readonly number[];
  maybe(likely: number): boolean;
}

/** mulberry32. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    one<T>(items: readonly T[]): T {
      for (const item of items.slice(Math.floor(next() * items.length))) return item;
      throw new Error('nothing to choose from');
    },
    some: (most) => Array.from({ length: Math.floor(next() * (most + 1)) }, (_, index) => index),
    maybe: (likely) => next() < likely,
  };
};
