/** Pseudorandom choices: the same seed gives the same choices. */

export interface SeededRandom {
  /** Returns a number from 0 to 1. */
  next(): number;
  pick<T>(items: readonly T[]): T;
  /** Returns the indexes of an array with a random length of at most `max`. */
  indexes(max: number): readonly number[];
  chance(probability: number): boolean;
}

/** Creates a generator with the mulberry32 algorithm. */
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
