/** Each construct that a proof may contain is decided rightly: its change is found, and its other spelling is proved. */
import { describe, expect, test } from 'vitest';
import { directedTests } from './constructs.ts';

describe.each(directedTests)('%s', (_title, tests) => {
  test.each(tests)('$name', ({ answer }) => {
    const { actual, expected } = answer();
    expect(actual).toEqual(expected);
  });
});
