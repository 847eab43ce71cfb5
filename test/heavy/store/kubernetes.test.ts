/**
 * The store in the API of a real cluster. If the program is missing, the test fails and prints how
 * to build it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodeClock } from '../../../engine/src/node/clock.ts';
import { nodeHttpPeer } from '../../../engine/src/node/http-peer.ts';
import { nodeRandomness } from '../../../engine/src/node/randomness.ts';
import { kubernetesStore } from '../../../engine/src/node/store/kubernetes.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import type { ObjectKey, Store } from '../../../engine/src/ports/store.ts';
import { take } from '../../engine/node/store/store-contract.ts';
import { clusterDeletions } from '../../server/api/cluster-deletions.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../../support/kube-apiserver.ts';

const program = kubeApiserverProgram();

const robot: ObjectKey = { resource: 'serviceaccounts', namespace: 'team', name: 'robot' };
const objectOf = ({ name, namespace }: ObjectKey, kind: string, note: string): JsonObject =>
  new Map<string, Json>([
    ['apiVersion', 'v1'],
    ['kind', kind],
    [
      'metadata',
      new Map<string, Json>([
        ['name', name],
        ...(namespace === '' ? [] : [['namespace', namespace] as const]),
        ['annotations', new Map([['note', note]])],
      ]),
    ],
  ]);
const member = (object: JsonObject, ...path: readonly string[]): Json | undefined => {
  let value: Json | undefined = object;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return value;
};

describe('kube-apiserver', () => {
  let server: KubeApiserver;
  let store: Store;
  beforeAll(async () => {
    server = await startKubeApiserver(program);
    store = kubernetesStore({
      peer: nodeHttpPeer(
        {
          origin: server.origin,
          certificateAuthority: { pem: secret(server.certificateAuthority) },
          credential: { kind: 'bearer', token: secret(server.token) },
          insecureSkipVerify: false,
          headers: [],
          compression: false,
        },
        {},
      ),
      basePath: '',
      apiDomain: 'k8s.io',
    });
    for (let tries = 0; tries < 300; tries += 1) {
      const ready = await store
        .get({ resource: 'namespaces', namespace: '', name: 'kube-system' })
        .catch(() => undefined);
      if (ready !== undefined) break;
      await pause(200);
    }
    const team = { resource: 'namespaces', namespace: '', name: 'team' };
    await store.create(team, objectOf(team, 'Namespace', ''));
  }, 120_000);
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  test('creates, updates, validates and deletes objects', async () => {
    const created = await store.create(robot, objectOf(robot, 'ServiceAccount', 'a'));
    const uid = String(member(created.object, 'metadata', 'uid'));
    await expect(store.create(robot, objectOf(robot, 'ServiceAccount', 'a'))).rejects.toMatchObject(
      { problem: 'exists' },
    );
    const next = await store.update(robot, objectOf(robot, 'ServiceAccount', 'b'), {
      revision: created.revision,
      uid,
    });
    expect(next.revision).not.toBe(created.revision);
    await expect(
      store.update(robot, objectOf(robot, 'ServiceAccount', 'c'), { revision: created.revision }),
    ).rejects.toMatchObject({ problem: 'conflict' });
    await expect(
      store.update(robot, objectOf(robot, 'ServiceAccount', 'c'), { uid: 'another' }),
    ).rejects.toMatchObject({ problem: 'conflict' });
    await expect(store.delete(robot, { uid: 'another' })).rejects.toMatchObject({
      problem: 'conflict',
    });
    const last = await store.delete(robot, { uid });
    expect(member(last.object, 'metadata', 'annotations', 'note')).toBe('b');
    expect(await store.get(robot)).toBeUndefined();
    await expect(store.delete(robot)).rejects.toMatchObject({ problem: 'missing' });
    await expect(store.update(robot, objectOf(robot, 'ServiceAccount', 'c'))).rejects.toMatchObject(
      { problem: 'missing' },
    );
    const astray = { ...robot, namespace: 'absent' };
    await expect(
      store.create(astray, objectOf(astray, 'ServiceAccount', '')),
    ).rejects.toMatchObject({ problem: 'refused' });
  });

  test('reports changes in a watch', async () => {
    const { revision } = await store.list('serviceaccounts');
    const seen = take(store.watch('serviceaccounts', revision, AbortSignal.timeout(20_000)), 3);
    await store.create(robot, objectOf(robot, 'ServiceAccount', 'a'));
    await store.update(robot, objectOf(robot, 'ServiceAccount', 'b'));
    await store.delete(robot);
    expect(await seen).toEqual(['added team/robot', 'modified team/robot', 'deleted team/robot']);
  });

  test('lists every kind', async () => {
    for (const resource of [
      'namespaces',
      'nodes',
      'pods',
      'secrets',
      'serviceaccounts',
      'clusterroles',
      'clusterrolebindings',
      'roles',
      'rolebindings',
    ]) {
      expect((await store.list(resource)).revision).toMatch(/^\d+$/);
    }
    // They are created a moment after the start.
    let { objects } = await store.list('clusterroles');
    for (; objects.length <= 20; await pause(200)) ({ objects } = await store.list('clusterroles'));
    expect(
      objects.every(({ object }) => object.get('apiVersion') === 'rbac.authorization.k8s.io/v1'),
    ).toBe(true);
  });

  describe('decides the result of a deletion', () => clusterDeletions(async () => store));

  test('keeps the view younger than 5 seconds while nothing changes', async () => {
    const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
    const view = storeView({
      ...ports,
      store,
      resources: ['serviceaccounts', 'secrets', 'clusterroles'],
      maxStalenessMs: 300_000,
    });
    view.start();
    while (!view.readiness().isReady) await pause(20);
    for (const until = performance.now() + 15_000; performance.now() < until; ) {
      await pause(250);
      expect(view.age()).toBeLessThan(5_000);
    }
    await store.create(robot, objectOf(robot, 'ServiceAccount', 'a'));
    expect((await view.find(robot)).kind).toBe('found');
    await store.delete(robot);
    const deletedAt = performance.now();
    while ((await view.find(robot)).kind === 'found') await pause(5);
    expect(performance.now() - deletedAt).toBeLessThan(5_000);
    await view.stop();
  });

  test('survives a restart of the cluster, and lists again after a compaction', async () => {
    const { revision } = await store.list('serviceaccounts');
    const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
    const resources = ['serviceaccounts', 'namespaces'];
    const view = storeView({ ...ports, store, resources, maxStalenessMs: 300_000 });
    view.start();
    while (!view.readiness().isReady) await pause(20);
    for (let at = 0; at < 20; at += 1) {
      const key = { ...robot, name: `a-${at}` };
      await store.create(key, objectOf(key, 'ServiceAccount', ''));
    }
    await server.restart();
    expect(view.list('namespaces')).not.toHaveLength(0);
    const key = { ...robot, name: 'late' };
    for (let created = false; !created; await pause(100)) {
      created = await store.create(key, objectOf(key, 'ServiceAccount', '')).then(
        () => true,
        () => false,
      );
    }
    while (view.list('serviceaccounts', 'team')?.length !== 21) await pause(50);
    const old = store.watch('serviceaccounts', revision, AbortSignal.timeout(20_000));
    await expect(take(old, 1)).rejects.toMatchObject({ problem: 'gone' });
    await view.stop();
  });
});
