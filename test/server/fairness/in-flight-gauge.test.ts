import { expect, test } from 'vitest';
import { InFlightGauge } from '../../../engine/src/server/fairness/in-flight-gauge.ts';
import { manualClock } from '../../support/manual-clock.ts';

test('reports the maximum of each second, by kind', () => {
  const { clock, pass, waiting } = manualClock();
  const values: (readonly [number, string | undefined])[] = [];
  const gauge = new InFlightGauge();
  const stop = gauge.report(
    {
      increment() {},
      observe() {},
      forget() {},
      set: (_name, value, labels) => values.push([value, labels?.request_kind]),
    },
    clock,
  );
  for (const kind of ['readOnly', 'readOnly', 'mutating'] as const) gauge.enter(kind);
  gauge.leave('readOnly');
  pass(1_000);
  expect(values.splice(0)).toEqual([
    [2, 'readOnly'],
    [1, 'mutating'],
  ]);
  gauge.leave('mutating');
  pass(1_000);
  expect(values.splice(0)).toEqual([
    [1, 'readOnly'],
    [1, 'mutating'],
  ]);
  pass(1_000);
  expect(values).toEqual([
    [1, 'readOnly'],
    [0, 'mutating'],
  ]);
  stop();
  expect(waiting()).toBe(0);
});
