/**
 * F-19 in small: all that `npm run soak` does, in a short time. Slopes of memory need more than an
 * hour.
 */
import { expect, test } from 'vitest';
import { byRunLength, report } from './parts/form.ts';
import { runSoak } from './parts/soak-run.ts';

test('F-19 a steady mix while everything changes: no wrong decision, constant handles', async () => {
  const soak = await runSoak({
    seconds: byRunLength(28, 3_600),
    perSecond: byRunLength(40, 100),
    pace: byRunLength(0.05, 1),
  });
  report('F-19', {
    asked: soak.asked,
    reloads: soak.reloads,
    'memory MB/h': soak.rssSlopeMegabytesPerHour,
    'heap MB/h': soak.heapSlopeMegabytesPerHour,
    descriptors: [soak.descriptorsFirst, soak.descriptorsLast],
    'deleted account refused after ms': soak.slowestRefusalOfGoneMs,
  });
  expect(soak.faults).toEqual([]);
  expect(soak.verdicts['wrong allow']).toBe(0);
  expect(soak.reloads).toBeGreaterThan(1);
  expect(soak.asked).toBeGreaterThan(100);
  // The number of client connections varies by a few.
  expect(Math.abs(soak.descriptorsLast - soak.descriptorsFirst)).toBeLessThan(15);
  // The limit of the row applies from the second hour.
  if (soak.seconds > 3_600) expect(soak.heapSlopeMegabytesPerHour).toBeLessThan(0.5);
}, 4_000_000);
