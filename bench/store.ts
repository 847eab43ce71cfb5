/**
 * How fast are the store and the local view? Prints one line per figure; nothing is compared. With
 * `--etcd URL` a running etcd is measured too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '../engine/src/model/json.ts';
import { nodeClock } from '../engine/src/node/clock.ts';
import { nodeRandomness } from '../engine/src/node/randomness.ts';
import { etcdStore } from '../engine/src/node/store/etcd.ts';
import { memoryStore } from '../engine/src/node/store/memory.ts';
import { sqliteStore } from '../engine/src/node/store/sqlite.ts';
import { storeView } from '../engine/src/node/store/store-view.ts';
import type { ObjectKey, Store } from '../engine/src/ports/store.ts';

const { values } = parseArgs({ options: { etcd: { type: 'string' } } });
const writes = 2_000;
const lanes = 20;
const lookups = 2_000_000;

const keyOf = (at: number): ObjectKey => ({
  resource: 'serviceaccounts',
  namespace: `ns-${at % 50}`,
  name: `account-${at}`,
});
const objectOf = ({ namespace, name }: ObjectKey): JsonObject =>
  new Map([
    ['apiVersion', 'v1'],
    ['kind', 'ServiceAccount'],
    [
      'metadata',
      new Map([
        ['name', name],
        ['namespace', namespace],
        ['uid', `00000000-0000-4000-8000-${name.padStart(12, '0')}`],
      ]),
    ],
  ]);
const quantile = (times: readonly number[], part: number): string =>
  `${(times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(3)} ms`;
const line = (what: string, ...figures: readonly string[]): void =>
  console.log(`${what.padEnd(28)} ${figures.join('   ')}`);

const measure = async (name: string, store: Store): Promise<void> => {
  const silent = {
    event: () => {},
    increment: () => {},
    set: () => {},
    observe: () => {},
    forget: () => {},
  };
  const view = storeView({
    store,
    resources: ['serviceaccounts'],
    maxStalenessMs: 300_000,
    clock: nodeClock(),
    randomness: nodeRandomness(),
    log: silent,
    metrics: silent,
  });
  view.start();
  while (!view.readiness().isReady) await new Promise((resolve) => setTimeout(resolve, 5));
  const sentAt = new Map<unknown, number>();
  const watched: number[] = [];
  view.onChange('serviceaccounts', ({ object }) => {
    const metadata = object.get('metadata');
    const sent = metadata instanceof Map ? sentAt.get(metadata.get('name')) : undefined;
    if (sent !== undefined) watched.push(performance.now() - sent);
  });
  const single: number[] = [];
  for (let at = 0; at < writes; at += 1) {
    const startedAt = performance.now();
    sentAt.set(keyOf(at).name, startedAt);
    await store.create(keyOf(at), objectOf(keyOf(at)));
    single.push(performance.now() - startedAt);
    if (at % 10 === 0) await new Promise(setImmediate);
  }
  const one = single.reduce((sum, time) => sum + time, 0);
  line(
    `${name}: put, one by one`,
    `${Math.round((1000 * writes) / one)}/s`,
    `p50 ${quantile(single, 0.5)}`,
    `p99 ${quantile(single, 0.99)}`,
  );
  const parallelAt = performance.now();
  const lane = async (first: number): Promise<void> => {
    for (let at = writes + first; at < 2 * writes; at += lanes) {
      await store.create(keyOf(at), objectOf(keyOf(at)));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
  const together = performance.now() - parallelAt;
  line(`${name}: put, ${lanes} at once`, `${Math.round((1000 * writes) / together)}/s`);
  const gets: number[] = [];
  for (let at = 0; at < writes; at += 1) {
    const startedAt = performance.now();
    await store.get(keyOf(at));
    gets.push(performance.now() - startedAt);
  }
  line(`${name}: get`, `p50 ${quantile(gets, 0.5)}`, `p99 ${quantile(gets, 0.99)}`);
  line(
    `${name}: seen in the view`,
    `p50 ${quantile(watched, 0.5)}`,
    `p99 ${quantile(watched, 0.99)}`,
    `(from the start of the put, ${watched.length} seen)`,
  );
  const keys = Array.from({ length: writes }, (_, at) => keyOf(at));
  let found = 0;
  while (view.list('serviceaccounts')?.length !== 2 * writes) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const before = process.threadCpuUsage();
  for (let at = 0; at < lookups; at += 1) {
    const lookup = view.find(keys[at % writes] ?? keyOf(0));
    if ('kind' in lookup && lookup.kind === 'found') found += 1;
  }
  const { user, system } = process.threadCpuUsage(before);
  const each = (((user + system) * 1000) / lookups).toFixed(0);
  line(`${name}: view look-up`, `${each} ns of the processor`, `(${found} found)`);
  await view.stop();
  await store.close();
};

const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
await measure('memory', memoryStore({ clock: nodeClock() }));
await measure('sqlite', await sqliteStore({ folder }, nodeClock()));
if (values.etcd !== undefined) {
  const prefix = `/bench-${Date.now()}`;
  await measure('etcd', etcdStore({ endpoints: [values.etcd], prefix, readTls: async () => ({}) }));
}
rmSync(folder, { recursive: true });
