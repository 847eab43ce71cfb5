/** Numbers that look random and are the same in every run. */

/** Returns a function that returns an integer from 0 to `limit - 1`. */
export const randomNumbers = (seed: number): ((limit: number) => number) => {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};
