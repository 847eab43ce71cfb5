import { describe, expect, onTestFinished, test } from 'vitest';
import type { Controller } from '../../../engine/src/controllers/controller.ts';
import { tokenCleaner } from '../../../engine/src/controllers/token-cleaner.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import { type ObjectKey, type Store, StoreError } from '../../../engine/src/ports/store.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';
import { fakePorts, settle } from '../../support/fake-ports.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const keyOf = (name: string, namespace = 'kube-system'): ObjectKey => ({
  resource: 'secrets',
  namespace,
  name,
});

interface TokenSecret {
  readonly expiration?: string;
  readonly uid?: string;
  readonly type?: string;
  readonly namespace?: string;
}

const secretOf = (name: string, { expiration, uid, type, namespace }: TokenSecret) =>
  objectOf({
    metadata: {
      name,
      namespace: namespace ?? 'kube-system',
      ...(uid === undefined ? {} : { uid }),
    },
    type: type ?? 'bootstrap.kubernetes.io/token',
    data: expiration === undefined ? {} : { expiration: base64(expiration) },
  });

/** Tests of the token cleaner with a real store and view and a manual clock. */
const setUp = async (change: (store: Store) => Pick<Store, 'delete'> = (store) => store) => {
  const ports = fakePorts();
  const { clock } = ports;
  const store = memoryStore({ clock });
  const view = storeView({
    ...ports,
    store,
    resources: ['secrets'],
    maxStalenessMs: 3_600_000,
  });
  view.start();
  const services = { ...ports, store: change(store), view, apiDomain: 'k8s.io' };
  const start = (): Controller => {
    const cleaner = tokenCleaner(services);
    onTestFinished(() => cleaner.stop());
    cleaner.start();
    return cleaner;
  };
  onTestFinished(async () => {
    await view.stop();
    await store.close();
  });
  const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
  const put = (name: string, fields: TokenSecret = {}) =>
    store.create(keyOf(name, fields.namespace), secretOf(name, fields));
  const names = async () =>
    (await store.list('secrets')).objects.map(({ key }) => `${key.namespace}/${key.name}`);
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await settle();
  };
  return { ports, store, start, at, put, names, pass };
};

test('deletes expired tokens at the start, and nothing else', async () => {
  const { start, at, put, names } = await setUp();
  await put('a', { expiration: at(-1) });
  await put('b', { expiration: 'soon', uid: 'u-1' });
  await put('c', { expiration: at(60_000) });
  await put('d');
  await put('e', { expiration: at(-1), type: 'Opaque' });
  await put('f', { expiration: at(-1), namespace: 'default' });
  start();
  await settle();
  expect(await names()).toEqual(['default/f', 'kube-system/c', 'kube-system/d', 'kube-system/e']);
});

test('deletes a token at the moment of its expiration', async () => {
  const { start, at, put, names, pass } = await setUp();
  await put('a', { expiration: at(5_000) });
  start();
  await settle();
  await pass(4_999);
  expect(await names()).toEqual(['kube-system/a']);
  await pass(1);
  expect(await names()).toEqual([]);
});

test('notices new and changed Secrets', async () => {
  const { store, start, at, put, names, pass } = await setUp();
  start();
  await settle();
  await put('a', { expiration: at(3_000) });
  await put('b', { expiration: at(-1) });
  await settle();
  expect(await names()).toEqual(['kube-system/a']);
  await store.update(keyOf('a'), secretOf('a', { expiration: at(600_000) }));
  await settle();
  await pass(3_000);
  expect(await names()).toEqual(['kube-system/a']);
  await store.update(keyOf('a'), secretOf('a', { expiration: at(-1) }));
  await settle();
  expect(await names()).toEqual([]);
});

test('notices a clock that is set forward', async () => {
  const { ports, start, at, put, names, pass } = await setUp();
  await put('a', { expiration: at(3_600_000) });
  start();
  await settle();
  ports.clock.jump(3_600_000);
  await pass(59_999);
  expect(await names()).toEqual(['kube-system/a']);
  await pass(1);
  expect(await names()).toEqual([]);
});

test('continues the work of a stopped cleaner', async () => {
  const { start, at, put, names, pass } = await setUp();
  await put('a', { expiration: at(1_000) });
  const first = start();
  await settle();
  await first.stop();
  await pass(2_000);
  expect(await names()).toEqual(['kube-system/a']);
  start();
  await settle();
  expect(await names()).toEqual([]);
});

describe('results of the store', () => {
  test('deletes only the object that it has read', async () => {
    const deletions: unknown[] = [];
    const { start, at, put } = await setUp((store) => ({
      delete: (key, only) => {
        deletions.push([key.name, only]);
        return store.delete(key, only);
      },
    }));
    await put('a', { expiration: at(-1), uid: 'u-1' });
    await put('b', { expiration: at(-1) });
    start();
    await settle();
    expect(deletions).toEqual([
      ['a', { uid: 'u-1' }],
      ['b', undefined],
    ]);
  });

  test.each(['missing', 'conflict'] as const)('treats %s as success', async (problem) => {
    let deletions = 0;
    const { ports, start, at, put, pass } = await setUp(() => ({
      delete: () => {
        deletions += 1;
        return Promise.reject(new StoreError(problem, problem));
      },
    }));
    await put('a', { expiration: at(-1), uid: 'u-1' });
    start();
    await settle();
    await pass(30_000);
    expect(deletions).toBe(1);
    expect(ports.counted.get('authgraph_expired_bootstrap_tokens_total{"result":"gone"}')).toBe(1);
    expect(ports.events.filter(({ message }) => message.includes('bootstrap'))).toEqual([]);
  });

  test('retries unavailable with a growing delay', async () => {
    let away = true;
    let deletions = 0;
    const { ports, start, at, put, names, pass } = await setUp((store) => ({
      delete: (key, only) => {
        deletions += 1;
        if (away) return Promise.reject(new StoreError('unavailable', 'disk full'));
        return store.delete(key, only);
      },
    }));
    await put('a', { expiration: at(-1) });
    start();
    await settle();
    expect(deletions).toBe(1);
    await pass(999);
    expect(deletions).toBe(1);
    await pass(1);
    expect(deletions).toBe(2);
    await pass(1_000);
    expect(deletions).toBe(2);
    await pass(1_000);
    expect(deletions).toBe(3);
    away = false;
    await pass(4_000);
    expect(await names()).toEqual([]);
    expect(ports.counted.get('authgraph_expired_bootstrap_tokens_total{"result":"failed"}')).toBe(
      3,
    );
  });

  test('survives an unexpected error', async () => {
    let deletions = 0;
    const { start, at, put, names, pass } = await setUp((store) => ({
      delete(key, only) {
        deletions += 1;
        if (deletions === 1) throw new Error('bug');
        return store.delete(key, only);
      },
    }));
    await put('a', { expiration: at(-1) });
    start();
    await settle();
    await pass(1_000);
    expect(await names()).toEqual([]);
  });
});

test('tries again while the view is not ready', async () => {
  const ports = fakePorts();
  const deleted: string[] = [];
  let known = false;
  const cleaner = tokenCleaner({
    ...ports,
    apiDomain: 'platform.io',
    store: {
      delete: (key) => {
        deleted.push(key.name);
        return Promise.reject(new StoreError('missing', 'gone'));
      },
    },
    view: {
      list: () =>
        known
          ? [secretOf('a', { expiration: 'x', type: 'bootstrap.platform.io/token' })]
          : undefined,
      onChange: () => () => {},
    },
  });
  cleaner.start();
  await settle();
  known = true;
  ports.clock.advance(1_000);
  await settle();
  expect(deleted).toEqual(['a']);
  await cleaner.stop();
  ports.clock.advance(600_000);
  await settle();
  expect(deleted).toEqual(['a']);
});

test('waits for work in progress when it is stopped', async () => {
  let finish = () => {};
  const { start, at, put } = await setUp(() => ({
    delete: () =>
      new Promise((_resolve, reject) => {
        finish = () => reject(new StoreError('missing', 'gone'));
      }),
  }));
  await put('a', { expiration: at(-1) });
  const cleaner = start();
  await settle();
  let stopped = false;
  const stopping = cleaner.stop().then(() => {
    stopped = true;
  });
  await settle();
  expect(stopped).toBe(false);
  finish();
  await stopping;
});
