/** Choices that a seed decides: the same seed makes the same choices. */

export interface SeededRandom {
  /** From 0 to 1. */
  next(): number;
  pick<T>(items: readonly T[]): T;
  /** So many places at most. */
  indexes(max: number): readonly number[];
  chance(probability: number): boolean;
}

/** mulberry32. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    pick<T>(items: readonly T[]): T {
      for (const item of items.slice(Math.floor(next() * items.length))) return item;
      throw new Error('nothing to choose from');
    },
    indexes: (max) => Array.from({ length: Math.floor(next() * (max + 1)) }, (_, index) => index),
    chance: (probability) => next() < probability,
  };
};
