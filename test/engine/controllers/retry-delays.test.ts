/** Delays between the attempts to handle objects that a controller failed to handle. */
import { expect, test } from 'vitest';
import { retryDelays } from '../../../engine/src/controllers/retry-delays.ts';
import { fakeClock } from '../../support/fake-ports.ts';

const begin = () => {
  const clock = fakeClock();
  return { clock, delays: retryDelays({ clock, firstDelayMs: 100, maxTries: 4 }) };
};

test('doubles the delay until the last attempt, and starts over with another version', () => {
  const { clock, delays } = begin();
  const never = Number.POSITIVE_INFINITY;
  expect([1, 2, 3, 4, 5].map(() => delays.fail('a', '1'))).toEqual([100, 200, 400, never, never]);
  expect(delays.dueAt('a', '1')).toBe(never);
  expect(delays.dueAt('a', '2')).toBeUndefined();
  clock.advance(1_000);
  expect(delays.fail('a', '2')).toBe(100);
  expect(delays.nextAt()).toBe(1_100);
  delays.giveUp('a', '2');
  expect(delays.nextAt()).toBe(never);
});

test('forgets objects that succeeded or no longer exist', () => {
  const { delays } = begin();
  for (const key of ['a', 'b', 'c']) delays.fail(key, '1');
  delays.succeed('a');
  delays.retainOnly(new Set(['a', 'b']));
  expect(['a', 'b', 'c'].map((key) => delays.dueAt(key, '1'))).toEqual([undefined, 100, undefined]);
  delays.retainOnly(new Set());
  expect(delays.nextAt()).toBe(Number.POSITIVE_INFINITY);
});
