/** Events of watches, and when they end. */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { watchSlots } from '../../../engine/src/server/api/watch-slots.ts';
import { fakeClock } from '../../support/fake-ports.ts';
import { type Asked, type ObjectApi, objectApi } from '../../support/object-api.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects by path
  readonly object: any;
}

/** Reads the events of a watch one by one. */
const open = ({ answer }: Asked) => {
  const { stream } = answer;
  if (stream === undefined) throw new Error(`no watch: ${answer.body}`);
  const ended = new AbortController();
  const pieces = stream(ended.signal)[Symbol.asyncIterator]();
  const lines: string[] = [];
  return {
    async next(): Promise<Event | 'end'> {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) return JSON.parse(line);
        const { done, value } = await pieces.next();
        if (done === true) return 'end';
        lines.push(
          ...String(value)
            .split('\n')
            .filter((each) => each !== ''),
        );
      }
    },
    close: () => ended.abort(),
  };
};

const make = (api: ObjectApi, name: string, labels: Record<string, string> = {}) =>
  api.ask('POST', accounts, { body: { metadata: { name, labels } } });

const label = (api: ObjectApi, name: string, labels: Record<string, string | null>) =>
  api.ask('PATCH', `${accounts}/${name}`, {
    headers: ['Content-Type: application/merge-patch+json'],
    body: { metadata: { labels } },
  });

const short = (event: Event | 'end') =>
  event === 'end' ? event : [event.type, event.object.metadata.name];

test('sends existing objects first, then each change', async () => {
  const api = await objectApi();
  await make(api, 'old');
  const watch = open(await api.ask('GET', `${accounts}?watch=1`));
  expect(short(await watch.next())).toEqual(['ADDED', 'old']);
  await make(api, 'new');
  await label(api, 'new', { a: 'b' });
  await api.ask('DELETE', `${accounts}/old`);
  expect(short(await watch.next())).toEqual(['ADDED', 'new']);
  expect(short(await watch.next())).toEqual(['MODIFIED', 'new']);
  expect(short(await watch.next())).toEqual(['DELETED', 'old']);
  watch.close();
  expect(await watch.next()).toBe('end');
});

test('changes after a revision, of one namespace', async () => {
  const api = await objectApi();
  await make(api, 'before');
  const { resourceVersion } = (await api.ask('GET', accounts)).body.metadata;
  await api.ask('POST', '/api/v1/namespaces/kube-system/serviceaccounts', {
    body: { metadata: { name: 'elsewhere' } },
  });
  await make(api, 'after');
  const watch = open(
    await api.ask('GET', `${accounts}?watch=1&resourceVersion=${resourceVersion}`),
  );
  expect(short(await watch.next())).toEqual(['ADDED', 'after']);
  watch.close();
});

test('an object that starts or ceases to match is added or deleted', async () => {
  const api = await objectApi();
  await make(api, 'a');
  const watch = open(await api.ask('GET', `${accounts}?watch=1&labelSelector=on`));
  const first = watch.next();
  await label(api, 'a', { on: '1' });
  await label(api, 'a', { on: '2' });
  await label(api, 'a', { on: null });
  const seen = [await first, await watch.next(), await watch.next()].map(short);
  expect(seen).toEqual([
    ['ADDED', 'a'],
    ['MODIFIED', 'a'],
    ['DELETED', 'a'],
  ]);
  watch.close();
});

test('from an expired revision: an error event, 410', async () => {
  const api = await objectApi({ store: memoryStore({ clock: fakeClock(), events: 2 }) });
  await api.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await make(api, name);
  const watch = open(await api.ask('GET', `${accounts}?watch=1&resourceVersion=1`));
  const event = await watch.next();
  expect(event).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  expect(await watch.next()).toBe('end');
});

test('initial events end with an annotated bookmark', async () => {
  const api = await objectApi();
  await make(api, 'a');
  const query =
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = open(await api.ask('GET', `${accounts}?${query}`));
  expect(short(await watch.next())).toEqual(['ADDED', 'a']);
  expect(await watch.next()).toMatchObject({
    type: 'BOOKMARK',
    object: {
      kind: 'ServiceAccount',
      metadata: {
        resourceVersion: expect.any(String),
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    },
  });
  watch.close();
});

test('ends after its timeout', async () => {
  const api = await objectApi();
  const watch = open(await api.ask('GET', `${accounts}?watch=1&timeoutSeconds=5`));
  const end = watch.next();
  await Promise.resolve();
  api.clock.advance(5_000);
  expect(await end).toBe('end');
});

test('only the first table of a watch has column definitions', async () => {
  const api = await objectApi();
  await make(api, 'a');
  await make(api, 'b');
  const accept = 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io';
  const watch = open(await api.ask('GET', `${accounts}?watch=1`, { headers: [accept] }));
  const first = await watch.next();
  const second = await watch.next();
  expect(first).toMatchObject({ object: { kind: 'Table', columnDefinitions: expect.any(Array) } });
  expect(second).toMatchObject({ object: { kind: 'Table', columnDefinitions: null } });
  watch.close();
});

const userOf = (username: string) => ({ username, uid: '', groups: [], extra: new Map() });

test('a slot is released once', () => {
  const slots = watchSlots(1);
  const open = () => slots.open(userOf('alice'), () => {});
  const slot = open();
  expect(open()).toBeUndefined();
  slot?.release();
  slot?.release();
  expect(open()).toBeDefined();
  expect(open()).toBeUndefined();
});

test('a user with fewer watches ends the oldest watch of the user with the most', () => {
  const slots = watchSlots(2);
  const ended: string[] = [];
  const open = (username: string, name: string) =>
    slots.open(userOf(username), () => ended.push(name));
  open('alice', 'first');
  open('alice', 'second');
  expect(open('bob', 'third')).toBeDefined();
  expect(ended).toEqual(['first']);
  expect(open('alice', 'fourth')).toBeUndefined();
  expect(ended).toEqual(['first']);
});
