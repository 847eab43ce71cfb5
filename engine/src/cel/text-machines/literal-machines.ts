/** Machines that compare a string with a literal, or measure its length. */
import { boundariesAround, codePointsOf, type StringMachine } from './string-machine.ts';

/** How a string is compared with a literal. */
export type LiteralTest = 'equals' | 'startsWith' | 'endsWith' | 'contains';

/** Creates a machine that answers `T` if the string passes the test, otherwise `F`. */
export const literalMachine = (test: LiteralTest, literal: string): StringMachine => {
  const expected = codePointsOf(literal);
  const { length } = expected;
  const isAtStart = test === 'equals' || test === 'startsWith';
  const failed = length + 1;
  const fallbacks = fallbacksOf(expected);
  const staysPassed = test === 'startsWith' || test === 'contains';
  return {
    start: 0,
    step(state, codePoint) {
      if (state === failed || (state === length && staysPassed)) return state;
      if (isAtStart) return codePoint === expected[state] ? state + 1 : failed;
      return longestPrefix(expected, fallbacks, state, codePoint);
    },
    answer: (state) => (state === length ? 'T' : 'F'),
    boundaries: boundariesAround(expected),
    classOf: (codePoint) => String(expected.indexOf(codePoint)),
  };
};

/** Creates a machine that answers `<`, `=` or `>`: how the string is ordered against the literal. */
export const orderMachine = (literal: string): StringMachine => {
  const expected = codePointsOf(literal);
  const { length } = expected;
  const less = length + 1;
  const greater = length + 2;
  const characters = [...new Set(expected)].toSorted((a, b) => a - b);
  return {
    start: 0,
    step(state, codePoint) {
      if (state > length) return state;
      const other = expected[state];
      if (codePoint === other) return state + 1;
      return other !== undefined && codePoint < other ? less : greater;
    },
    answer(state) {
      if (state === length) return '=';
      return state === greater ? '>' : '<';
    },
    boundaries: boundariesAround(expected),
    classOf(codePoint) {
      const rank = characters.filter((character) => character < codePoint).length;
      return `${rank}${characters.includes(codePoint) ? '=' : ''}`;
    },
  };
};

/** Creates a machine that answers the number of code points, or `limit` if there are more. */
export const lengthMachine = (limit: number): StringMachine => ({
  start: 0,
  step: (state) => Math.min(state + 1, limit),
  answer: String,
  boundaries: new Set(),
  classOf: () => '',
});

/** Creates a machine that gives every string the same answer; only wrappers add errors. */
export const constantMachine = (): StringMachine => ({
  start: 0,
  step: () => 0,
  answer: () => 'T',
  boundaries: new Set(),
  classOf: () => '',
});

/**
 * Returns for each length of a prefix the length of the longest shorter prefix that the prefix ends
 * with.
 */
const fallbacksOf = (expected: readonly number[]): readonly number[] => {
  const fallbacks = [0, 0];
  for (let length = 1; length < expected.length; length++) {
    let shorter = fallbacks[length] ?? 0;
    while (shorter > 0 && expected[shorter] !== expected[length]) shorter = fallbacks[shorter] ?? 0;
    fallbacks.push(expected[shorter] === expected[length] ? shorter + 1 : 0);
  }
  return fallbacks;
};

/** Returns the length of the longest prefix that the string read so far ends with. */
const longestPrefix = (
  expected: readonly number[],
  fallbacks: readonly number[],
  state: number,
  codePoint: number,
): number => {
  let length = state;
  while (expected[length] !== codePoint) {
    if (length === 0) return 0;
    length = fallbacks[length] ?? 0;
  }
  return length + 1;
};
