/** Reproducible random numbers for the fuzzers: the same seed yields the same run. */

export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number;
  /** Returns an integer from 0 up to, but not including, `below`. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Returns a xorshift128 generator, seeded from one number. */
export const randomOf = (seed: number): Random => {
  let a = (seed ^ 0x9e3779b9) >>> 0;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 0xdeadbeef;
  const next = (): number => {
    let t = a ^ (a << 11);
    t ^= t >>> 8;
    a = b;
    b = c;
    c = d;
    d = (d ^ (d >>> 19) ^ t) >>> 0;
    return d;
  };
  for (let warm = 0; warm < 20; warm += 1) next();
  const fraction = (): number => next() / 0x1_0000_0000;
  return {
    fraction,
    below: (below) => Math.floor(fraction() * below),
    chance: (probability) => fraction() < probability,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new Error('unreachable: nothing to pick from');
      return from[Math.floor(fraction() * from.length)] as T;
    },
  };
};
