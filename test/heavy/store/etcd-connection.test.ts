/** The gRPC connections of the etcd store, against a real etcd: GOAWAY, large pages, deadlines, cancellation. */
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etcdStore } from '../../../engine/src/node/store/etcd.ts';
import { etcdMember } from '../../../engine/src/node/store/etcd-member.ts';
import type { Store } from '../../../engine/src/ports/store.ts';
import { account, objectOf, take } from '../../engine/node/store/store-contract.ts';
import { type EtcdCluster, etcdCluster } from '../../support/etcd-cluster.ts';
import { type GrpcRelay, grpcRelay } from '../../support/grpc-relay.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

let cluster: EtcdCluster;
let relay: GrpcRelay;
beforeAll(async () => {
  cluster = await etcdCluster();
  relay = await grpcRelay(cluster.endpoints[0] ?? '');
});
afterAll(async () => {
  await relay.stop();
  await cluster.stop();
});

const open = (endpoint: string, prefix: string): Store =>
  etcdStore({ endpoints: [endpoint], prefix, readTls: async () => ({}) });

const until = async (holds: () => boolean, timeoutMs = 5_000): Promise<void> => {
  const endsAt = performance.now() + timeoutMs;
  while (!holds() && performance.now() < endsAt) await pause(10);
  expect(holds()).toBe(true);
};

test('continues a watch after a GOAWAY, uses a new connection for calls, and leaks none', async () => {
  const store = open(relay.endpoint, '/goaway');
  const rounds = 5;
  for (let round = 0; round < rounds; round += 1) {
    const { revision } = await store.list('serviceaccounts');
    const ends = new AbortController();
    const seen: string[] = [];
    const watch = (async () => {
      for await (const event of store.watch('serviceaccounts', revision, ends.signal)) {
        if (event.kind !== 'bookmark') seen.push(event.stored.key.name);
      }
    })();
    const path = '/etcdserverpb.Watch/Watch';
    await until(() => relay.streams.filter((stream) => stream.path === path).length === round + 1);
    const before = relay.connections();
    relay.goAway();
    await pause(50);
    await store.create(account(`r-${round}`), objectOf(account(`r-${round}`)));
    // The watch is on the connection that got the GOAWAY, and receives the change nevertheless.
    await until(() => seen.length === 1);
    expect(relay.connections()).toBe(before + 1);
    expect(relay.openConnections()).toBe(2);
    ends.abort();
    await watch;
    await until(() => relay.openConnections() === 1);
  }
  expect(relay.connections()).toBe(rounds + 1);
  await store.close();
  await until(() => relay.openConnections() === 0);
});

test('closes connections on which watches are still open after a GOAWAY', async () => {
  const store = open(relay.endpoint, '/goaway-close');
  const { revision } = await store.list('serviceaccounts');
  const watch = take(store.watch('serviceaccounts', revision, AbortSignal.timeout(30_000)), 1);
  const before = relay.streams.length;
  await until(() => relay.streams.slice(before - 1).some(({ path }) => path.includes('Watch')));
  relay.goAway();
  await pause(50);
  await store.list('serviceaccounts');
  expect(relay.openConnections()).toBe(2);
  await store.close();
  await watch.catch(() => {});
  await until(() => relay.openConnections() === 0);
});

test('leaks no connection if etcd restarts several times during a watch', async () => {
  const [host = '', port = ''] = (cluster.endpoints[0] ?? '').replace('http://', '').split(':');
  const proxy = createServer((socket) => {
    const onward = connect(Number(port), host);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    onward.once('close', () => socket.destroy());
    socket.once('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const { port: proxyPort, sockets, close } = await listenOnLoopback(proxy);
  const store = open(`http://127.0.0.1:${proxyPort}`, '/restarts');
  await store.create(account('robot'), objectOf(account('robot')));
  for (let round = 0; round < 3; round += 1) {
    const { revision } = await store.list('serviceaccounts');
    const ended = take(
      store.watch('serviceaccounts', revision, AbortSignal.timeout(20_000)),
      1_000,
    );
    const outcome = ended.catch((cause: unknown) => cause);
    await pause(200);
    await cluster.signal(0, 'SIGTERM');
    expect(await outcome).toMatchObject({ name: 'StoreError', problem: 'unavailable' });
    await cluster.revive(0);
    expect(await store.get(account('robot'))).toBeDefined();
    expect(sockets.size).toBe(1);
  }
  await store.close();
  await until(() => sockets.size === 0);
  await close();
});

test('reads pages of 1 to 32 MiB in linear processor time', async () => {
  const mebibyte = 1024 * 1024;
  const member = etcdMember(cluster.endpoints[0] ?? '', async () => ({}));
  const store = open(cluster.endpoints[0] ?? '', '/pages');
  const padding = 'x'.repeat(mebibyte - 512);
  for (let at = 0; at < 32; at += 1) {
    const key = account(`page-${String(at).padStart(2, '0')}`);
    const object = objectOf(key);
    await store.create(key, new Map([...object, ['padding', padding]]));
  }
  const cpuOf = async (pages: number): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      const before = process.cpuUsage();
      const answer = await member.range(
        { key: Buffer.from('/pages/'), rangeEnd: Buffer.from('/pages0'), limit: BigInt(pages) },
        20_000,
      );
      const { user, system } = process.cpuUsage(before);
      expect(answer.kvs).toHaveLength(pages);
      times.push((user + system) / 1_000);
    }
    return Math.min(...times);
  };
  const figures = new Map<number, number>();
  for (const pages of [1, 4, 8, 12, 16, 24, 32]) figures.set(pages, await cpuOf(pages));
  console.log(
    'CPU ms by MiB',
    Object.fromEntries([...figures].map(([pages, ms]) => [pages, Math.round(ms)])),
  );
  // Quadratic time would make the last page 16 times as expensive per byte as the first.
  expect((figures.get(32) ?? 0) / 32).toBeLessThan((4 * (figures.get(4) ?? 0)) / 4 + 2);
  // This is a whole list with its deadline.
  expect((await store.list('serviceaccounts')).objects).toHaveLength(32);
  member.close();
  await store.close();
});

test('sends the deadline of a call to etcd, and resets a late call with CANCEL', async () => {
  const member = etcdMember(relay.endpoint, async () => ({}));
  await member.range({ key: Buffer.from('/deadline') }, 2_000);
  const [timeout] = /^\d+m$/.exec(String(relay.streams.at(-1)?.headers['grpc-timeout'])) ?? [];
  expect(Number.parseInt(String(timeout), 10)).toBeGreaterThan(1_000);
  expect(relay.streams.at(-1)?.headers.hasleader).toBe('true');
  await cluster.signal(0, 'SIGSTOP');
  const sentAt = performance.now();
  const failure = await member
    .range({ key: Buffer.from('/deadline') }, 300)
    .catch((cause: unknown) => cause);
  const tookMs = performance.now() - sentAt;
  await cluster.signal(0, 'SIGCONT');
  expect(failure).toMatchObject({
    name: 'EtcdCallError',
    code: 4,
    sent: true,
    message: `${relay.endpoint}: no response within 300 ms`,
  });
  expect(tookMs).toBeGreaterThan(250);
  expect(tookMs).toBeLessThan(1_500);
  const late = relay.streams.at(-1);
  await until(() => late?.closed === true);
  expect(late?.resetCode).toBe(8);
  expect(await member.range({ key: Buffer.from('/deadline') }, 2_000)).toBeDefined();
  member.close();
});

test('resets a watch that its reader leaves with CANCEL', async () => {
  const store = open(relay.endpoint, '/cancel');
  const { revision } = await store.list('serviceaccounts');
  const ends = new AbortController();
  const watch = take(store.watch('serviceaccounts', revision, ends.signal), 1);
  const before = relay.streams.length;
  await until(() => relay.streams.slice(before).some(({ path }) => path.includes('Watch')));
  await pause(100);
  const stream = relay.streams.findLast(({ path }) => path.includes('Watch'));
  ends.abort();
  await watch.catch(() => {});
  await until(() => stream?.closed === true);
  expect(stream?.resetCode).toBe(8);
  await store.close();
});
