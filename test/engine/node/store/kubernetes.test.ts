import { afterEach, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { nodeHttpPeer } from '../../../../engine/src/node/http-peer.ts';
import { kubernetesStore } from '../../../../engine/src/node/store/kubernetes.ts';
import { memoryStore } from '../../../../engine/src/node/store/memory.ts';
import type { Store } from '../../../../engine/src/ports/store.ts';
import { hastenedClock } from '../../../support/hastened-clock.ts';
import { type ServedStore, serveStore } from '../../../support/store-as-api.ts';
import { account, objectOf, storeContract, take } from './store-contract.ts';

const connection = { insecureSkipVerify: false, headers: [], compression: false };
const storeAt = (origin: string): Store =>
  kubernetesStore({
    peer: nodeHttpPeer({ ...connection, origin }, {}),
    basePath: '',
    apiDomain: 'k8s.io',
  });

describe('store contract', () => {
  storeContract(async () => {
    const served = await serveStore(memoryStore({ clock: hastenedClock() }));
    return {
      store: storeAt(served.origin),
      other: storeAt(served.origin),
      stop: () => served.close(),
    };
  });
});

describe('cluster store', () => {
  let served: ServedStore | undefined;
  let store: Store | undefined;
  afterEach(async () => {
    await store?.close();
    await served?.close();
  });
  const begin = async (inner = memoryStore({ clock: nodeClock() })) => {
    served = await serveStore(inner);
    store = storeAt(served.origin);
    return { served, store, inner };
  };

  test('uses the path of each kind', async () => {
    const { served, store } = await begin();
    await store.get({ resource: 'secrets', namespace: 'team', name: 'a b' });
    await store.get({ resource: 'namespaces', namespace: '', name: 'team' });
    await store.get({ resource: 'clusterroles', namespace: '', name: 'system:x' });
    await store.list('rolebindings', { namespace: 'team' });
    expect(served.seen).toEqual([
      'GET /api/v1/namespaces/team/secrets/a%20b',
      'GET /api/v1/namespaces/team',
      'GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Ax',
      'GET /apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings?limit=500',
    ]);
    await expect(store.list('configmaps')).rejects.toMatchObject({ problem: 'refused' });
  });

  test('lists page by page, and adds kind and apiVersion to each item', async () => {
    const { served, store, inner } = await begin();
    for (let at = 0; at < 1_100; at += 1)
      await inner.create(account(`a-${at}`), objectOf(account(`a-${at}`)));
    const { objects } = await store.list('serviceaccounts');
    expect(objects).toHaveLength(1_100);
    expect(served.seen).toHaveLength(3);
    expect(
      objects.every(
        ({ object }) =>
          object.get('kind') === 'ServiceAccount' && object.get('apiVersion') === 'v1',
      ),
    ).toBe(true);
  });

  test('reports a revision that has been compacted', async () => {
    const { store, inner } = await begin(memoryStore({ clock: nodeClock(), events: 5 }));
    for (let at = 0; at < 20; at += 1)
      await inner.create(account(`a-${at}`), objectOf(account(`a-${at}`)));
    const watch = store.watch('serviceaccounts', '2', AbortSignal.timeout(5_000));
    await expect(take(watch, 1)).rejects.toMatchObject({ problem: 'gone' });
  });

  test.each([
    [503, 'unavailable'],
    [500, 'unavailable'],
    [429, 'unavailable'],
    [401, 'unavailable'],
    [403, 'refused'],
    [422, 'refused'],
  ])('that answers %i is %s', async (code, problem) => {
    const { served, store } = await begin();
    served.fail(code);
    await expect(store.get(account('robot'))).rejects.toMatchObject({ problem });
    await expect(store.create(account('robot'), objectOf(account('robot')))).rejects.toMatchObject({
      problem,
    });
    const watch = store.watch('serviceaccounts', '1', AbortSignal.timeout(5_000));
    await expect(take(watch, 1)).rejects.toMatchObject({ problem });
    served.fail(undefined);
    await store.create(account('robot'), objectOf(account('robot')));
  });

  test('reports an unreachable cluster as unavailable', async () => {
    const { served, store } = await begin();
    await served.close();
    await expect(store.get(account('robot'))).rejects.toMatchObject({ problem: 'unavailable' });
    served.close = async () => {};
  });

  test('emits a bookmark at least every 5 seconds in a quiet watch', async () => {
    const { store } = await begin();
    const stop = new AbortController();
    const bookmarks: number[] = [performance.now()];
    for await (const event of store.watch('serviceaccounts', '1', stop.signal)) {
      expect(event.kind).toBe('bookmark');
      bookmarks.push(performance.now());
      if (bookmarks.length === 6) stop.abort();
    }
    const gaps = bookmarks.slice(1).map((at, index) => at - (bookmarks[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(5_000);
  });
});
