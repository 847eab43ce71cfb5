/**
 * F-12, F-13, F-14 with the whole server: its disk is full, it is killed while it writes, members
 * of its etcd are killed. Tokens that need no store are not affected. Tests of the store alone:
 * test/heavy/store.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EtcdCluster, etcdCluster } from '../support/etcd-cluster.ts';
import { identityOf, lastAcceptedMs, sendRequest } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  call,
  createAccount,
  createEnvironment,
  fixedQuestions,
  leaks,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report, until } from './parts/form.ts';
import type { Question } from './parts/questions.ts';
import { type Served, serve } from './parts/served.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await createEnvironment({ issuers: 1 });
});
afterAll(() => environment.end());

const storeless = async (): Promise<readonly Question[]> => {
  const [issuer] = environment.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  return [...fixedQuestions, await personOf(issuer, 0, 'ada')];
};

const accounts = '/api/v1/namespaces/team/serviceaccounts';
const create = (way: Served, name: string, padding = 0) =>
  call(way, 'POST', accounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, annotations: { padding: 'x'.repeat(padding) } },
  });
const remove = (way: Served, name: string) => call(way, 'DELETE', `${accounts}/${name}`);

const names = async (way: Served): Promise<readonly string[]> => {
  const { body } = await call(way, 'GET', accounts);
  return JSON.parse(body).items.map((item: { metadata: { name: string } }) => item.metadata.name);
};

/** Arguments with another `--store-path` and decision log. */
const argsWith = (...more: readonly string[]) => [
  ...environment.args.filter(
    (flag) => !flag.startsWith('--store') && !flag.startsWith('--decision-log'),
  ),
  ...more,
];

describe('F-12 the disk is full', () => {
  let disk = '';
  let server: Served;
  beforeAll(async () => {
    disk = join(environment.folder, 'disk');
    mkdirSync(disk);
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`a small disk needs the right to mount one: ${stderr}`);
    server = await serve({
      folder: environment.folder,
      args: argsWith('--store-path=disk/state', '--decision-log=disk/decisions.jsonl'),
    });
  });
  afterAll(async () => {
    await server?.stop();
    spawnSync('umount', ['-l', disk]);
  });

  /** Fills the remaining space. */
  const fill = (): void => {
    const file = openSync(join(disk, 'ballast'), 'w');
    for (const size of [65_536, 4_096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // Full for pieces of that size.
      }
    }
    closeSync(file);
  };

  test('authentication continues, writes report the reason, and everything recovers when there is space again', async () => {
    const robot = await createAccount(server, 'robot');
    const clients = await startClients({
      port: server.port,
      lanes: 4,
      perSecond: 40,
      questions: [...(await storeless()), robot],
    });
    fill();
    const acknowledged: string[] = [];
    let refusal = await create(server, 'full-0', 2_000);
    for (let at = 1; at < 2_000 && refusal.status === 201; at += 1) {
      acknowledged.push(`full-${at - 1}`);
      refusal = await create(server, `full-${at}`, 2_000);
    }
    const removal = await remove(server, 'robot');
    // A token request stores no object: it succeeds, or reports why not.
    const seconds = byRunLength(8, 60);
    await pause(seconds * 1_000);
    const during = await server.vitals();
    const ready = await sendRequest(server, { path: '/readyz' });
    const seen = await names(server);
    const tally = await clients.stop();
    unlinkSync(join(disk, 'ballast'));
    const tookMs = await until(
      async () => (await create(server, `late-${Math.random()}`)).status === 201,
      10_000,
    );
    report('F-12', {
      'written before': acknowledged.length,
      answer: refusal.status,
      asked: tally.asked,
      'p99 ms': tally.p99Ms,
      'memory MB': during.rssMegabytes,
      ready: ready.status,
      'writes again after ms': tookMs,
    });
    expect(refusal.status).toBe(503);
    expect(JSON.parse(refusal.body)).toMatchObject({
      message: expect.stringMatching(/disk is full/),
    });
    expect([200, 503]).toContain(removal.status);
    if (removal.status === 503) expect(tally.findings).toEqual([]);
    expect(tally.verdicts['wrong allow']).toBe(0);
    expect(tally.verdicts.error).toBe(0);
    expect(tally.broken).toBe(0);
    expect(ready.status).toBe(200);
    expect(seen).toEqual(expect.arrayContaining(acknowledged));
    expect(server.alive()).toBe(true);
    expect(leaks(server.output(), [robot])).toEqual([]);
  });
});

test('F-13 a server that is killed while it writes loses no acknowledged write, and starts again', async () => {
  const rounds = byRunLength(5, 50);
  const acknowledged = new Set<string>();
  const gone = new Set<string>();
  const unsure = new Set<string>();
  const startsMs: number[] = [];
  let port: number | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const server = await serve({
      folder: environment.folder,
      args: argsWith('--store-path=killed'),
      ...(port === undefined ? {} : { port }),
    });
    startsMs.push(performance.now() - startedAt);
    port = server.port;
    if (round === 0) await createAccount(server, 'first');
    else {
      const now = new Set(await names(server));
      const lost = [...acknowledged].filter((name) => !now.has(name) && !unsure.has(name));
      const back = [...gone].filter((name) => now.has(name));
      expect({ round, lost, back }).toEqual({ round, lost: [], back: [] });
    }
    let stop = false;
    const write = async (lane: number): Promise<void> => {
      for (let step = 0; !stop; step += 1) {
        const name = `r${round}-${lane}-${step}`;
        try {
          const { status } = await create(server, name, 500);
          if (status !== 201) continue;
          acknowledged.add(name);
          if (step % 3 !== 0) continue;
          unsure.add(name);
          if ((await remove(server, name)).status !== 200) continue;
          acknowledged.delete(name);
          unsure.delete(name);
          gone.add(name);
        } catch {
          // Killed in the middle: the write may have succeeded or not.
          unsure.add(name);
        }
      }
    };
    const lanes = [write(0), write(1), write(2)];
    // In the middle of writing, at a random time.
    const enough = acknowledged.size + 6 + Math.random() * 20;
    await until(() => acknowledged.size >= enough, 30_000, 5);
    await pause(Math.random() * 50);
    server.signal('SIGKILL');
    stop = true;
    await Promise.all(lanes);
    await until(() => !server.alive(), 5_000);
  }
  rmSync(join(environment.folder, 'killed'), { recursive: true, force: true });
  report('F-13', {
    kills: rounds,
    acknowledged: acknowledged.size,
    deleted: gone.size,
    'slowest start s': Math.max(...startsMs) / 1_000,
  });
  expect(acknowledged.size).toBeGreaterThan(rounds * 5);
});

describe('F-14 etcd as the store', () => {
  let cluster: EtcdCluster;
  let server: Served;
  let robot: Question;
  beforeAll(async () => {
    cluster = await etcdCluster({ members: 3 });
    server = await serve({
      folder: environment.folder,
      args: argsWith(`--etcd-servers=${cluster.endpoints.join(',')}`, '--store-max-staleness=30s'),
    });
    robot = await createAccount(server, 'robot');
  });
  afterAll(async () => {
    await server.stop();
    await cluster.stop();
  });

  const load = async () =>
    startClients({
      port: server.port,
      lanes: 4,
      perSecond: 40,
      questions: [...(await storeless()), robot],
    });
  let made = 0;
  const writes = async (): Promise<boolean> => {
    made += 1;
    return (await create(server, `etcd-${made}`)).status === 201;
  };

  test.each([
    ['a follower', 1],
    ['the leader', 0],
  ] as const)(
    '%s is killed: tokens are not affected, writes continue within seconds',
    async (_, offset) => {
      const clients = await load();
      const member = (cluster.leader() + offset) % 3;
      await cluster.signal(member, 'SIGKILL');
      const tookMs = await until(writes, 20_000);
      // A deleted account is rejected, whichever member leads.
      const guest = await createAccount(server, `guest-${offset}`);
      expect(guest.expected).toContain(await identityOf(server, guest.token));
      await remove(server, `guest-${offset}`);
      const goneMs = await lastAcceptedMs(server, guest.token);
      const tally = await clients.stop();
      await cluster.revive(member);
      report(`F-14 1 of 3 (${offset === 0 ? 'leader' : 'follower'})`, {
        'writes after ms': tookMs,
        'deleted account refused after ms': goneMs,
        asked: tally.asked,
      });
      expect(tally.findings).toEqual([]);
      expect(goneMs).toBeLessThan(10_000);
      expect(tookMs).toBeLessThan(10_000);
    },
  );

  test('without a majority: writes get a 503, the view serves until it is too old, then a 401; everything recovers', async () => {
    const members = [0, 1];
    for (const member of members) await cluster.signal(member, 'SIGKILL');
    const lostAt = performance.now();
    const refusal = await create(server, 'never');
    expect(refusal.status).toBe(503);
    expect(JSON.parse(refusal.body).message).not.toBe('');
    // The view is still recent enough.
    expect(await identityOf(server, robot.token)).toBe(robot.expected[0]);
    const tookMs = await until(
      async () => (await identityOf(server, robot.token)) === '401',
      60_000,
      500,
    );
    const servedMs = performance.now() - lostAt;
    // Identities are known as before. Permissions are not, except for administrators: the roles are
    // too old as well, and grant nothing.
    const answers = new Map<string, string>();
    for (const { name, token, expected: right } of await storeless()) {
      const answer = await identityOf(server, token);
      answers.set(name, right.includes(answer) ? 'right' : answer);
    }
    const ready = await sendRequest(server, { path: '/readyz' });
    const { body: why } = await sendRequest(
      server,
      (await storeless()).find(({ name }) => name === 'clerk') ?? {},
    );
    for (const member of members) await cluster.revive(member);
    const backMs = await until(
      async () => (await identityOf(server, robot.token)) === robot.expected[0],
      20_000,
    );
    report('F-14 2 of 3', {
      'served from the view s': servedMs / 1_000,
      'refused s': tookMs / 1_000,
      ready: ready.status,
      answers: Object.fromEntries(answers),
      why,
      'back after ms': backMs,
    });
    expect(ready.status).toBe(500);
    expect(answers.get('admin')).toBe('right');
    expect(answers.get('stranger')).toBe('right');
    for (const [name, answer] of answers) expect(['right', '500', '503'], name).toContain(answer);
    // `--store-max-staleness`, the ten seconds of a cached acceptance, and the age of the view.
    expect(servedMs).toBeLessThan(47_000);
    expect(backMs).toBeLessThan(10_000);
    expect(await until(writes, 10_000)).toBeLessThan(10_000);
  });
});
