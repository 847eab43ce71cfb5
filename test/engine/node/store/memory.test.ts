import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { memoryStore } from '../../../../engine/src/node/store/memory.ts';
import { hastenedClock } from '../../../support/hastened-clock.ts';
import { account, objectOf, storeContract, take } from './store-contract.ts';

describe('store contract', () => {
  storeContract(async () => ({ store: memoryStore({ clock: hastenedClock() }) }));
});

test('removes old changes, and rejects watches that need them', async () => {
  const store = memoryStore({ clock: nodeClock(), events: 10 });
  const { revision } = await store.list('serviceaccounts');
  for (let at = 0; at < 25; at += 1) {
    const key = account(`a-${at}`);
    await store.create(key, objectOf(key));
  }
  const watch = (after: string) =>
    store.watch('serviceaccounts', after, AbortSignal.timeout(5_000));
  await expect(take(watch(revision), 1)).rejects.toMatchObject({ problem: 'gone' });
  expect(await take(watch('16'), 10)).toHaveLength(10);
  for (const other of ['1000', 'x', '0', '', '-1']) {
    await expect(take(watch(other), 1)).rejects.toMatchObject({ problem: 'gone' });
  }
});
