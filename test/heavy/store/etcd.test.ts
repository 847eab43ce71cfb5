/** The store in a real etcd: the contract, and what happens when members fail. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../engine/src/node/clock.ts';
import { nodeRandomness } from '../../../engine/src/node/randomness.ts';
import { etcdStore } from '../../../engine/src/node/store/etcd.ts';
import { openStore } from '../../../engine/src/node/store/open-store.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import type { ObjectKey, Store } from '../../../engine/src/ports/store.ts';
import { makeCert } from '../../attacks/lib/der.mjs';
import { account, objectOf, storeContract, take } from '../../engine/node/store/store-contract.ts';
import { type EtcdCluster, etcdCluster } from '../../support/etcd-cluster.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open = (cluster: EtcdCluster, prefix: string): Store =>
  etcdStore({ endpoints: cluster.endpoints, prefix, readTls: async () => ({}) });

/** Creates the object of a test. A write that a member has not answered in time is repeated. */
const createObject = (store: Store, key: ObjectKey): Promise<void> => {
  const exists = () =>
    store.get(key).then(
      (found) => found !== undefined,
      () => false,
    );
  const write = () => store.create(key, objectOf(key)).then(() => true, exists);
  return expect.poll(write, { timeout: 15_000 }).toBe(true);
};

describe('one member', () => {
  let cluster: EtcdCluster;
  let prefixes = 0;
  beforeAll(async () => {
    cluster = await etcdCluster();
  });
  afterAll(() => cluster.stop());
  const fresh = (): Store => {
    prefixes += 1;
    return open(cluster, `/test-${prefixes}`);
  };

  describe('store contract', () => {
    storeContract(async () => {
      const store = fresh();
      return { store, other: open(cluster, `/test-${prefixes}`) };
    });
  });

  test('rejects a watch from a compacted revision, at its start and later', async () => {
    const store = fresh();
    const { revision } = await store.list('serviceaccounts');
    for (let at = 0; at < 20; at += 1)
      await store.create(account(`a-${at}`), objectOf(account(`a-${at}`)));
    const { revision: later } = await store.list('serviceaccounts');
    cluster.compact(later);
    await expect(
      take(store.watch('serviceaccounts', revision, AbortSignal.timeout(5_000)), 1),
    ).rejects.toMatchObject({ problem: 'gone' });
    const beyond = store.watch('serviceaccounts', `${later}000`, AbortSignal.timeout(5_000));
    await expect(take(beyond, 1)).rejects.toMatchObject({ problem: 'gone' });
    await store.close();
  });

  test.each([
    [1_600_000, 'etcdserver: request is too large'],
    [3_000_000, 'grpc: received message larger than max'],
  ])('an object of %i bytes is rejected with the message of etcd', async (bytes, text) => {
    const store = fresh();
    const key = account('large');
    await expect(
      store.create(key, objectOf(key, [['large', 'x'.repeat(bytes)]])),
    ).rejects.toMatchObject({
      problem: 'refused',
      apiError: { code: 500, message: expect.stringContaining(text) },
    });
    expect(await store.get(key)).toBeUndefined();
    await store.close();
  });

  test('lists several pages at one revision', async () => {
    const store = fresh();
    const keys = Array.from({ length: 1_234 }, (_, at) => account(`a-${at}`));
    for (let at = 0; at < keys.length; at += 100) {
      await Promise.all(keys.slice(at, at + 100).map((key) => store.create(key, objectOf(key))));
    }
    expect((await store.list('serviceaccounts')).objects).toHaveLength(1_234);
    await store.close();
  });

  test('finds a member again that was killed and restarted', async () => {
    const store = fresh();
    await store.create(account('robot'), objectOf(account('robot')));
    await cluster.signal(0, 'SIGKILL');
    const askedAt = performance.now();
    await expect(store.get(account('robot'))).rejects.toMatchObject({ problem: 'unavailable' });
    expect(performance.now() - askedAt).toBeLessThan(4_000);
    await cluster.revive(0);
    expect(await store.get(account('robot'))).toBeDefined();
    await store.close();
  });
});

describe('a member with TLS', () => {
  const { write } = temporaryFolder();
  const authority = makeCert({ subject: [['CN', 'authority']], ca: true });
  const serving = makeCert(
    { subject: [['CN', 'etcd']], eku: ['serverAuth'], san: [['ip', '7f000001']] },
    authority,
  );
  const client = makeCert({ subject: [['CN', 'authgraph']], eku: ['clientAuth'] }, authority);
  const authorityFile = write('ca.crt', authority.pem);
  const certificateFile = write('client.crt', client.pem);
  const keyFile = write('client.key', client.keyPem);
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await etcdCluster({
      scheme: 'https',
      extra: [
        `--cert-file=${write('etcd.crt', serving.pem)}`,
        `--key-file=${write('etcd.key', serving.keyPem)}`,
        `--trusted-ca-file=${authorityFile}`,
        '--client-cert-auth',
      ],
      control: [`--cacert=${authorityFile}`, `--cert=${certificateFile}`, `--key=${keyFile}`],
    });
  });
  afterAll(async () => {
    await cluster.stop();
  });
  const openWith = (files: {
    readonly authorityFile: string;
    readonly certificateFile: string;
    readonly keyFile: string;
  }) =>
    openStore(
      { kind: 'etcd', endpoints: cluster.endpoints, prefix: '/tls', ...files },
      { clock: nodeClock(), apiDomain: 'k8s.io' },
    );

  test('accepts only clients with a certificate, and is trusted only with the right authority', async () => {
    const store = await openWith({ authorityFile, certificateFile, keyFile });
    await store.create(account('robot'), objectOf(account('robot')));
    expect(await store.get(account('robot'))).toBeDefined();
    await store.close();
    const unknown = await openWith({ authorityFile, certificateFile: '', keyFile: '' });
    await expect(unknown.get(account('robot'))).rejects.toMatchObject({ problem: 'unavailable' });
    await unknown.close();
    const distrustful = await openWith({ authorityFile: '', certificateFile, keyFile });
    await expect(distrustful.get(account('robot'))).rejects.toMatchObject({
      problem: 'unavailable',
    });
    await distrustful.close();
  });
});

describe('three members', () => {
  let cluster: EtcdCluster;
  beforeAll(async () => {
    cluster = await etcdCluster({ members: 3 });
  });
  afterAll(() => cluster.stop());

  test('loses nothing, restores no deleted object and recovers if the leader is killed under load', async () => {
    const store = open(cluster, '/killed');
    const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
    const view = storeView({
      ...ports,
      store,
      resources: ['serviceaccounts'],
      maxStalenessMs: 300_000,
    });
    view.start();
    while (!view.readiness().isReady) await pause(20);
    const created = new Set<string>();
    const deleted = new Map<string, number>();
    let lookups = 0;
    const unsure = new Set<string>();
    let wrong = 0;
    let stop = false;
    const write = async (lane: number): Promise<void> => {
      for (let step = 0; !stop; step += 1) {
        const key = account(`l${lane}-${step}`);
        try {
          await store.create(key, objectOf(key));
          created.add(key.name);
          if (step % 2 === 0) continue;
          unsure.add(key.name);
          await store.delete(key);
          unsure.delete(key.name);
          deleted.set(key.name, performance.now());
        } catch {
          unsure.add(key.name);
          await pause(50);
        }
      }
    };
    // Objects that were deleted more than five seconds ago must be rejected, whichever member leads.
    const read = async (): Promise<void> => {
      for (; !stop; await pause(20)) {
        const old = [...deleted].filter(([, at]) => performance.now() - at > 5_000);
        for (const [name] of old.slice(-50)) {
          lookups += 1;
          if ((await view.find(account(name))).kind === 'found') wrong += 1;
        }
      }
    };
    const lanes = [write(0), write(1), write(2), write(3), read()];
    await pause(2_000);
    const leader = cluster.leader();
    const before = created.size;
    await cluster.signal(leader, 'SIGKILL');
    const killedAt = performance.now();
    const atKill = created.size;
    while (created.size < atKill + 20 && performance.now() - killedAt < 30_000) await pause(20);
    const recoveredMs = performance.now() - killedAt;
    await pause(8_000);
    await cluster.revive(leader);
    await pause(2_000);
    stop = true;
    await Promise.all(lanes);
    expect(before).toBeGreaterThan(20);
    expect(lookups).toBeGreaterThan(100);
    expect(recoveredMs).toBeLessThan(8_000);
    const names = new Set((await store.list('serviceaccounts')).objects.map(({ key }) => key.name));
    const lost = [...created].filter(
      (name) => !names.has(name) && !deleted.has(name) && !unsure.has(name),
    );
    const back = [...deleted.keys()].filter((name) => names.has(name));
    expect({ lost, back, wrong }).toEqual({ lost: [], back: [], wrong: 0 });
    while (view.list('serviceaccounts')?.length !== names.size) await pause(50);
    expect(view.readiness().isReady).toBe(true);
    await view.stop();
    await store.close();
  });

  test('delays a lookup by less than 2 s if a member hangs, and leaves that member', async () => {
    const hanging = (cluster.leader() + 1) % 3;
    // The member that is used first.
    const endpoints = [0, 1, 2].map((at) => cluster.endpoints[(hanging + at) % 3] ?? '');
    const store = etcdStore({ endpoints, prefix: '/hangs', readTls: async () => ({}) });
    await createObject(store, account('robot'));
    await cluster.signal(hanging, 'SIGSTOP');
    const askedAt = performance.now();
    const found = await store.get(account('robot')).catch(() => undefined);
    const firstMs = performance.now() - askedAt;
    const again = performance.now();
    for (let at = 0; at < 10; at += 1) await store.get(account('robot'));
    const nextMs = performance.now() - again;
    await cluster.signal(hanging, 'SIGCONT');
    expect(found).toBeDefined();
    expect(firstMs).toBeLessThan(2_500);
    expect(nextMs).toBeLessThan(1_000);
    await store.close();
  });

  test('reports a hanging leader within the deadline, and recovers without a restart', async () => {
    const store = open(cluster, '/replaced');
    await createObject(store, account('robot'));
    const leader = cluster.leader();
    await cluster.signal(leader, 'SIGSTOP');
    const stoppedAt = performance.now();
    const answers: (readonly [tookMs: number, outcome: unknown])[] = [];
    while (performance.now() - stoppedAt < 15_000) {
      const askedAt = performance.now();
      const outcome = await store.get(account('robot')).catch((cause) => cause.problem);
      answers.push([performance.now() - askedAt, outcome]);
      if (typeof outcome === 'object') break;
    }
    await cluster.signal(leader, 'SIGCONT');
    expect(answers.at(-1)?.[1]).toMatchObject({ key: account('robot') });
    expect(answers.slice(0, -1).every(([, outcome]) => outcome === 'unavailable')).toBe(true);
    expect(Math.max(...answers.map(([tookMs]) => tookMs))).toBeLessThan(3_000);
    await store.close();
  });

  test('is unavailable without a majority, and recovers with one', async () => {
    const store = open(cluster, '/minority');
    await createObject(store, account('robot'));
    await cluster.signal(0, 'SIGKILL');
    await cluster.signal(1, 'SIGKILL');
    await expect(store.get(account('robot'))).rejects.toMatchObject({ problem: 'unavailable' });
    await expect(store.create(account('pilot'), objectOf(account('pilot')))).rejects.toMatchObject({
      problem: 'unavailable',
    });
    await cluster.revive(0);
    await cluster.revive(1);
    // A member that has just started may still be silent until the members agree on a leader.
    await expect
      .poll(() => store.get(account('robot')).catch(() => undefined), { timeout: 15_000 })
      .toBeDefined();
    await store.close();
  });

  test('lists again after a compaction during a watch, and the view is never empty', async () => {
    const store = open(cluster, '/compacted');
    await createObject(store, account('robot'));
    const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
    const view = storeView({
      ...ports,
      store,
      resources: ['serviceaccounts'],
      maxStalenessMs: 300_000,
    });
    view.start();
    while (!view.readiness().isReady) await pause(20);
    let empty = 0;
    for (let round = 0; round < 10; round += 1) {
      for (let at = 0; at < 20; at += 1) await createObject(store, account(`r${round}-${at}`));
      cluster.compact((await store.list('serviceaccounts')).revision);
      if (round % 3 === 0) {
        // The member is down for a moment: the revision of the watch has been compacted when it is
        // back.
        const leader = cluster.leader();
        await cluster.signal(leader, 'SIGSTOP');
        await pause(200);
        await cluster.signal(leader, 'SIGCONT');
      }
      if (view.list('serviceaccounts')?.length === 0) empty += 1;
    }
    const until = performance.now() + 30_000;
    while (view.list('serviceaccounts')?.length !== 201 && performance.now() < until)
      await pause(50);
    expect(view.list('serviceaccounts')).toHaveLength(201);
    expect(empty).toBe(0);
    for (const until = performance.now() + 10_000; performance.now() < until; ) {
      await pause(500);
      expect(view.age()).toBeLessThan(5_000);
    }
    await view.stop();
    await store.close();
  });
});
