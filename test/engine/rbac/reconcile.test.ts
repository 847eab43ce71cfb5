/** Bootstrap roles in a real store, and the aggregation after their reconciliation. */
import { afterEach, describe, expect, test } from 'vitest';
import { bootstrapRoles } from '../../../engine/src/controllers/bootstrap-roles.ts';
import { clusterRoleAggregation } from '../../../engine/src/controllers/cluster-role-aggregation.ts';
import type { JsonObject } from '../../../engine/src/model/json.ts';
import { nodeClock } from '../../../engine/src/node/clock.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import { type Store, StoreError } from '../../../engine/src/ports/store.ts';
import { withAggregatedRules } from '../../../engine/src/rbac/aggregation.ts';
import { bootstrapObjects } from '../../../engine/src/rbac/bootstrap-roles.ts';
import { fixedView } from '../../../engine/src/rbac/fixed-view.ts';
import { reconcileBootstrapRoles } from '../../../engine/src/rbac/reconcile.ts';
import { objectsAt, stringAt, withMember } from '../../../engine/src/resources/object-fields.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';
import { fakePorts, settle } from '../../support/fake-ports.ts';

const clusterRole = (name: string) => ({ resource: 'clusterroles', namespace: '', name });
const bindingKey = (name: string) => ({ resource: 'clusterrolebindings', namespace: '', name });

const world = () => {
  const ports = fakePorts();
  const store = memoryStore({ clock: ports.clock });
  return { ports, store, reconcile: () => reconcileBootstrapRoles({ ...ports, store }) };
};

const change = async (
  store: Store,
  key: ReturnType<typeof clusterRole>,
  edit: (object: JsonObject) => JsonObject,
) => {
  const found = await store.get(key);
  if (found === undefined) throw new Error(`no ${key.name}`);
  await store.update(key, edit(found.object));
};

const found = async (store: Store, key: ReturnType<typeof clusterRole>): Promise<JsonObject> =>
  (await store.get(key))?.object ?? new Map();

describe('reconcile', () => {
  test('creates all objects once, with the fields that the API sets', async () => {
    const { store, reconcile } = world();
    const all = bootstrapObjects('k8s.io').length;
    expect(all).toBeGreaterThan(120);
    expect(await reconcile()).toEqual({ written: all, failed: [] });
    const admin = await found(store, clusterRole('cluster-admin'));
    expect(stringAt(admin, 'metadata', 'uid')).toMatch(/^[\da-f-]{36}$/);
    expect(stringAt(admin, 'metadata', 'creationTimestamp')).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    expect(stringAt(admin, 'metadata', 'labels', 'kubernetes.io/bootstrapping')).toBe(
      'rbac-defaults',
    );
    expect(objectsAt(admin, 'metadata', 'managedFields').length).toBe(1);
    expect(await reconcile()).toEqual({ written: 0, failed: [] });
  });

  test('adds what is missing and removes nothing', async () => {
    const { store, reconcile } = world();
    await reconcile();
    const mine = { verbs: ['get'], apiGroups: ['mine.example'], resources: ['things'] };
    await change(store, clusterRole('system:basic-user'), (object) =>
      withMember(
        withMember(object, ['rules'], [objectOf(mine)]),
        ['metadata', 'labels', 'kubernetes.io/bootstrapping'],
        'changed',
      ),
    );
    await change(store, bindingKey('system:basic-user'), (object) =>
      withMember(object, ['subjects'], [objectOf({ kind: 'User', name: 'ann' })]),
    );
    expect(await reconcile()).toEqual({ written: 2, failed: [] });
    const role = await found(store, clusterRole('system:basic-user'));
    const resources = objectsAt(role, 'rules').map((rule) => rule.get('resources'));
    expect(resources).toEqual([
      ['things'],
      ['selfsubjectaccessreviews'],
      ['selfsubjectrulesreviews'],
      ['selfsubjectreviews'],
    ]);
    expect(stringAt(role, 'metadata', 'labels', 'kubernetes.io/bootstrapping')).toBe('changed');
    const binding = await found(store, bindingKey('system:basic-user'));
    expect(objectsAt(binding, 'subjects').map((one) => stringAt(one, 'name'))).toEqual([
      'ann',
      'system:authenticated',
    ]);
  });
  test('skips objects whose annotation disables updates', async () => {
    const { store, reconcile } = world();
    await reconcile();
    await change(store, bindingKey('system:discovery'), (object) =>
      withMember(
        withMember(object, ['subjects'], undefined),
        ['metadata', 'annotations', 'rbac.authorization.kubernetes.io/autoupdate'],
        'false',
      ),
    );
    expect(await reconcile()).toEqual({ written: 0, failed: [] });
  });

  test('recreates a binding that references another role', async () => {
    const { store, reconcile } = world();
    await reconcile();
    const before = stringAt(await found(store, bindingKey('system:discovery')), 'metadata', 'uid');
    await change(store, bindingKey('system:discovery'), (object) =>
      withMember(object, ['roleRef', 'name'], 'cluster-admin'),
    );
    expect(await reconcile()).toEqual({ written: 1, failed: [] });
    const binding = await found(store, bindingKey('system:discovery'));
    expect(stringAt(binding, 'roleRef', 'name')).toBe('system:discovery');
    expect(stringAt(binding, 'metadata', 'uid')).not.toBe(before);
  });

  test('retries after conflicts, and reports an unavailable store', async () => {
    const { ports, store } = world();
    let conflicts = 2;
    const contended = {
      ...store,
      create: async (...args: Parameters<Store['create']>) => {
        conflicts -= 1;
        if (conflicts >= 0) throw new StoreError('exists', 'taken');
        return store.create(...args);
      },
    };
    expect((await reconcileBootstrapRoles({ ...ports, store: contended })).failed).toEqual([]);
    const away = {
      ...store,
      get: () => Promise.reject(new StoreError('unavailable', 'no leader')),
    };
    expect(await reconcileBootstrapRoles({ ...ports, store: away })).toEqual({
      written: 0,
      failed: [stringAt(bootstrapObjects('k8s.io')[0] ?? new Map(), 'metadata', 'name')],
    });
    expect(ports.events.length).toBe(1);
  });

  test('retries in the controller until all objects exist', async () => {
    const { ports, store } = world();
    let isAway = true;
    const controller = bootstrapRoles({
      ...ports,
      store: {
        ...store,
        get: (key) =>
          isAway ? Promise.reject(new StoreError('unavailable', 'no leader')) : store.get(key),
      },
    });
    let isSettled = false;
    void controller.settled.then(() => {
      isSettled = true;
    });
    controller.start();
    await settle();
    expect(isSettled).toBe(false);
    isAway = false;
    ports.clock.advance(1000);
    await controller.settled;
    expect((await found(store, clusterRole('view'))).size).toBeGreaterThan(0);
    await controller.stop();
  });
});

describe('aggregation', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });

  const running = async () => {
    const { ports, store, reconcile } = world();
    const clock = nodeClock();
    const view = storeView({
      ...ports,
      clock,
      store,
      resources: ['clusterroles'],
      maxStalenessMs: 5000,
    });
    view.start();
    const controller = clusterRoleAggregation({ ...ports, clock, store, view });
    controller.start();
    stops.push(async () => {
      await controller.stop();
      await view.stop();
    });
    return { store, reconcile };
  };

  const rulesOf = async (store: Store, name: string): Promise<readonly JsonObject[]> =>
    objectsAt(await found(store, clusterRole(name)), 'rules');

  test('gives admin, edit and view the same rules as without a store', async () => {
    const { store, reconcile } = await running();
    await reconcile();
    const expected = fixedView(withAggregatedRules(bootstrapObjects('k8s.io')));
    for (const name of ['view', 'edit', 'admin']) {
      const wanted = expected
        .list('clusterroles')
        ?.find((one) => stringAt(one, 'metadata', 'name') === name);
      await expect
        .poll(() => rulesOf(store, name))
        .toEqual(objectsAt(wanted ?? new Map(), 'rules'));
    }
    expect((await rulesOf(store, 'admin')).length).toBeGreaterThan(20);
  });

  test('follows a role that is created, changed and deleted', async () => {
    const { store, reconcile } = await running();
    await reconcile();
    const rule = { verbs: ['get'], apiGroups: ['mine.example'], resources: ['things'] };
    const key = clusterRole('mine');
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const resources = async () =>
      (await rulesOf(store, 'admin')).map((one) => one.get('resources'));
    await store.create(
      key,
      objectOf({ kind: 'ClusterRole', metadata: { name: 'mine', labels }, rules: [rule] }),
    );
    await expect.poll(resources, { timeout: 10_000 }).toContainEqual(['things']);
    await store.delete(key);
    await expect.poll(resources, { timeout: 10_000 }).not.toContainEqual(['things']);
  });

  test('retries while the store is unavailable', async () => {
    const ports = fakePorts();
    const object = objectOf({
      kind: 'ClusterRole',
      metadata: { name: 'all', resourceVersion: '1' },
      aggregationRule: { clusterRoleSelectors: [{}] },
      rules: [],
    });
    const other = objectOf({
      kind: 'ClusterRole',
      metadata: { name: 'other' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    });
    const written: unknown[] = [];
    let isAway = true;
    const controller = clusterRoleAggregation({
      ...ports,
      view: fixedView([object, other]),
      store: {
        update: async (_key, next, only) => {
          if (isAway) throw new StoreError('unavailable', 'no leader');
          written.push([objectsAt(next, 'rules').length, only]);
          return { key: _key, revision: '2', object: next };
        },
      },
    });
    controller.start();
    await settle();
    expect(written).toEqual([]);
    expect(ports.events.map(({ message }) => message)).toEqual(['cluster role not aggregated']);
    isAway = false;
    ports.clock.advance(250);
    await settle();
    expect(written).toEqual([[1, { revision: '1' }]]);
    await controller.stop();
  });
});
