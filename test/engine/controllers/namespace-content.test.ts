import { expect, onTestFinished, test } from 'vitest';
import { namespaceContent } from '../../../engine/src/controllers/namespace-content.ts';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import { type Store, StoreError } from '../../../engine/src/ports/store.ts';
import { fakeClock, fakePorts } from '../../support/fake-ports.ts';

const named = (name: string, phase = 'Active'): JsonObject =>
  new Map<string, Json>([
    ['metadata', new Map([['name', name]])],
    ['status', new Map([['phase', phase]])],
  ]);

const begin = async () => {
  const clock = fakeClock();
  const ports = fakePorts({ clock });
  const inner = memoryStore({ clock });
  let broken = false;
  const store: Store = {
    ...inner,
    async delete(key, only) {
      if (broken) throw new StoreError('unavailable', 'the disk is full');
      return inner.delete(key, only);
    },
  };
  const view = storeView({ ...ports, store, resources: ['namespaces'], maxStalenessMs: 300_000 });
  view.start();
  const controller = namespaceContent({ ...ports, store, view });
  onTestFinished(() => view.stop());
  onTestFinished(() => controller.stop());
  const settle = async (ms = 0): Promise<void> => {
    for (let passed = 0; passed <= ms; passed += 50) {
      if (ms > 0) clock.advance(50);
      for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
    }
  };
  await settle();
  const namespace = (name: string, phase?: string) =>
    store.create({ resource: 'namespaces', namespace: '', name }, named(name, phase));
  const account = (inside: string) =>
    store.create({ resource: 'serviceaccounts', namespace: inside, name: 'a' }, named('a'));
  const left = async (): Promise<readonly string[]> => [
    ...(await inner.list('namespaces')).objects.map(({ key }) => key.name),
    ...(await inner.list('serviceaccounts')).objects.map(({ key }) => `${key.namespace}/a`),
  ];
  return {
    store,
    controller,
    settle,
    namespace,
    account,
    left,
    setBroken(value: boolean) {
      broken = value;
    },
  };
};

test('deletes a terminating namespace with its content, and no other', async () => {
  const { store, controller, settle, namespace, account, left } = await begin();
  await namespace('stays');
  await namespace('goes');
  for (const name of ['stays', 'goes']) await account(name);
  controller.start();
  await settle();
  expect(await left()).toEqual(['goes', 'stays', 'goes/a', 'stays/a']);
  const key = { resource: 'namespaces', namespace: '', name: 'goes' };
  await store.update(key, named('goes', 'Terminating'));
  await settle(200);
  expect(await left()).toEqual(['stays', 'stays/a']);
});

test('completes at the start what a crash interrupted', async () => {
  const { controller, settle, namespace, account, left } = await begin();
  await namespace('goes', 'Terminating');
  await account('goes');
  controller.start();
  await settle();
  expect(await left()).toEqual([]);
});

test('retries after the store was unavailable', async () => {
  const { controller, settle, namespace, left, setBroken } = await begin();
  await namespace('goes', 'Terminating');
  setBroken(true);
  controller.start();
  await settle();
  expect(await left()).toEqual(['goes']);
  setBroken(false);
  await settle(1_100);
  expect(await left()).toEqual([]);
});
