import { expect, onTestFinished, test } from 'vitest';
import type { Controller } from '../../../engine/src/controllers/controller.ts';
import { defaultServiceAccount } from '../../../engine/src/controllers/default-service-account.ts';
import { systemNamespacesController } from '../../../engine/src/controllers/system-namespaces.ts';
import type { Json } from '../../../engine/src/model/json.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import { type Store, StoreError } from '../../../engine/src/ports/store.ts';
import { fakeClock, fakePorts } from '../../support/fake-ports.ts';

const begin = async () => {
  const clock = fakeClock();
  const ports = fakePorts({ clock });
  const inner = memoryStore({ clock });
  let broken = false;
  const store: Store = {
    ...inner,
    async create(key, object) {
      if (broken) throw new StoreError('unavailable', 'the disk is full');
      return inner.create(key, object);
    },
  };
  const view = storeView({
    ...ports,
    store,
    resources: ['namespaces', 'serviceaccounts'],
    maxStalenessMs: 300_000,
  });
  view.start();
  onTestFinished(() => view.stop());
  const settle = async (ms = 0): Promise<void> => {
    for (let passed = 0; passed <= ms; passed += 50) {
      if (ms > 0) clock.advance(50);
      for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
    }
  };
  await settle();
  const run = (controller: Controller): void => {
    controller.start();
    onTestFinished(() => controller.stop());
  };
  const accounts = async (): Promise<readonly string[]> =>
    (await inner.list('serviceaccounts')).objects.map(({ key }) => `${key.namespace}/${key.name}`);
  return {
    ...ports,
    clock,
    store,
    view,
    settle,
    run,
    accounts,
    setBroken(value: boolean) {
      broken = value;
    },
  };
};

const namespace = (name: string, members: readonly (readonly [string, Json])[] = []) =>
  [
    { resource: 'namespaces', namespace: '', name },
    new Map<string, Json>([['metadata', new Map([['name', name]])], ...members]),
  ] as const;

test('creates the system namespaces at the start, like kube-apiserver', async () => {
  const rig = await begin();
  rig.run(systemNamespacesController(rig));
  rig.run(systemNamespacesController(rig));
  await rig.settle();
  const { objects } = await rig.store.list('namespaces');
  expect(objects.map(({ key }) => key.name)).toEqual([
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ]);
  const [first] = objects;
  expect(first?.object.get('spec')).toEqual(new Map([['finalizers', ['kubernetes']]]));
  expect(first?.object.get('status')).toEqual(new Map([['phase', 'Active']]));
  const metadata = first?.object.get('metadata');
  expect(metadata instanceof Map && metadata.get('creationTimestamp')).toBe('2023-11-14T22:13:20Z');
  expect(metadata instanceof Map && metadata.get('labels')).toEqual(
    new Map([['kubernetes.io/metadata.name', 'default']]),
  );
});

test('restores a deleted system namespace within a minute, and waits for an unavailable store', async () => {
  const rig = await begin();
  rig.setBroken(true);
  rig.run(systemNamespacesController(rig));
  await rig.settle(2_000);
  expect((await rig.store.list('namespaces')).objects).toHaveLength(0);
  rig.setBroken(false);
  await rig.settle(2_000);
  expect((await rig.store.list('namespaces')).objects).toHaveLength(4);
  await rig.store.delete({ resource: 'namespaces', namespace: '', name: 'kube-node-lease' });
  await rig.settle(61_000);
  expect((await rig.store.list('namespaces')).objects).toHaveLength(4);
});

test('creates the default account in existing and new namespaces, and again after a deletion', async () => {
  const rig = await begin();
  await rig.store.create(...namespace('old'));
  rig.run(defaultServiceAccount(rig));
  await rig.settle(2_000);
  expect(await rig.accounts()).toEqual(['old/default']);
  await rig.store.create(...namespace('new'));
  await rig.settle(200);
  expect(await rig.accounts()).toEqual(['new/default', 'old/default']);
  const deleted = await rig.store.delete({
    resource: 'serviceaccounts',
    namespace: 'new',
    name: 'default',
  });
  await rig.settle(200);
  expect(await rig.accounts()).toEqual(['new/default', 'old/default']);
  const recreated = await rig.store.get({
    resource: 'serviceaccounts',
    namespace: 'new',
    name: 'default',
  });
  const uid = (object: typeof deleted | undefined) => {
    const metadata = object?.object.get('metadata');
    return metadata instanceof Map ? metadata.get('uid') : undefined;
  };
  expect(uid(recreated)).toMatch(/./);
  expect(uid(recreated)).not.toBe(uid(deleted));
});

test('creates none in a terminating namespace', async () => {
  const rig = await begin();
  await rig.store.create(...namespace('going', [['status', new Map([['phase', 'Terminating']])]]));
  await rig.store.create(
    { resource: 'namespaces', namespace: '', name: 'deleted' },
    new Map([
      [
        'metadata',
        new Map([
          ['name', 'deleted'],
          ['deletionTimestamp', '2023-11-14T22:13:20Z'],
        ]),
      ],
    ]),
  );
  rig.run(defaultServiceAccount(rig));
  await rig.settle(3_000);
  expect(await rig.accounts()).toEqual([]);
});

test('retries a failed creation', async () => {
  const rig = await begin();
  rig.setBroken(true);
  await rig.store.list('namespaces');
  rig.setBroken(false);
  await rig.store.create(...namespace('team'));
  rig.setBroken(true);
  rig.run(defaultServiceAccount(rig));
  await rig.settle(3_000);
  expect(await rig.accounts()).toEqual([]);
  expect(rig.events.some(({ message }) => message === 'default service account not created')).toBe(
    true,
  );
  rig.setBroken(false);
  await rig.settle(3_000);
  expect(await rig.accounts()).toEqual(['team/default']);
});

test('lists all namespaces once a minute, however many change in between', async () => {
  const rig = await begin();
  const lists: string[] = [];
  const view: typeof rig.view = {
    ...rig.view,
    list(resource, inside) {
      if (inside === undefined) lists.push(resource);
      return rig.view.list(resource, inside);
    },
  };
  rig.run(defaultServiceAccount({ ...rig, view }));
  await rig.settle(100);
  expect(lists).toEqual(['namespaces', 'serviceaccounts']);
  for (let number = 0; number < 20; number += 1) {
    await rig.store.create(...namespace(`n${number}`));
    await rig.settle(100);
  }
  expect(await rig.accounts()).toHaveLength(20);
  expect(lists).toHaveLength(2);
  await rig.settle(61_000);
  expect(lists).toHaveLength(4);
});
