import { expect, test } from 'vitest';
import { FairPlaces } from '../../../engine/src/fairness/fair-places.ts';
import { SharedWork } from '../../../engine/src/fairness/shared-work.ts';
import type { Waiter } from '../../../engine/src/fairness/waiter.ts';

const callerOf = (name: string): Waiter & { leave(): void } => {
  const controller = new AbortController();
  return { signal: controller.signal, flow: [name], leave: () => controller.abort() };
};

const begun = (places: FairPlaces, first: Waiter, weight = 1) => {
  const work = new SharedWork<string>(first);
  let abandoned = 0;
  const hasBegun = work.begin({
    places,
    size: { weight },
    refused: 'refused',
    left: () => 'left',
    onAbandoned: () => {
      abandoned += 1;
    },
  });
  return { work, hasBegun, abandoned: () => abandoned };
};

test('aborts the work and releases its place when the last caller has left', async () => {
  const places = new FairPlaces(1);
  const [ann, bob] = [callerOf('ann'), callerOf('bob')];
  const { work, abandoned } = begun(places, ann);
  const answers = [work.join(ann), work.join(bob)];
  const { signal } = work;
  bob.leave();
  expect(await answers[1]).toBe('left');
  expect([signal.aborted, places.size, abandoned()]).toEqual([false, 1, 0]);
  ann.leave();
  expect(await answers[0]).toBe('left');
  expect([signal.aborted, places.size, abandoned()]).toEqual([true, 0, 1]);
});

test('moves the place into the share of the next caller when its caller leaves', () => {
  const places = new FairPlaces(3);
  const [ann, bob] = [callerOf('ann'), callerOf('bob')];
  const { work } = begun(places, ann);
  void work.join(ann);
  void work.join(bob);
  expect([[...places.flows], work.flow]).toEqual([['ann'], ['ann']]);
  ann.leave();
  expect([[...places.flows], work.flow]).toEqual([['bob'], ['bob']]);
});

test('refuses a caller that loses the place, and continues the work for the others', async () => {
  const places = new FairPlaces(2);
  const [ann, bob, carol] = [callerOf('ann'), callerOf('bob'), callerOf('carol')];
  const shared = begun(places, ann);
  const answers = [shared.work.join(ann), shared.work.join(bob)];
  const own = begun(places, ann);
  const lost = own.work.join(ann);
  // Ann holds both places: the older one passes to Bob, so the other one is displaced for Carol.
  expect(begun(places, carol).hasBegun).toBe(true);
  expect(await answers[0]).toBe('refused');
  expect([shared.work.signal.aborted, shared.abandoned()]).toEqual([false, 0]);
  expect([...places.flows].toSorted()).toEqual(['bob', 'carol']);
  shared.work.settle('done');
  expect(await answers[1]).toBe('done');
  expect([await lost, own.work.signal.aborted, own.abandoned()]).toEqual(['refused', true, 1]);
});

test('aborts the work if there is no place', () => {
  const places = new FairPlaces(1);
  const ann = callerOf('ann');
  begun(places, ann);
  const { work, hasBegun } = begun(places, ann);
  expect([hasBegun, work.signal.aborted, places.size]).toEqual([false, true, 1]);
});

test('does not wait for a caller that has already left', async () => {
  const places = new FairPlaces(1);
  const ann = callerOf('ann');
  ann.leave();
  const { work, abandoned } = begun(places, ann);
  expect(await work.join(ann)).toBe('left');
  expect([abandoned(), places.size]).toEqual([1, 0]);
});
