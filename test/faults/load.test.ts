/**
 * F-1, F-2, F-16, F-17: many connections, many tokens, no processor time, no memory. Speed is
 * compared by ratios only; the test requires that no wrong decision is made and that the process
 * lives.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { identityOf } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import type { FromCrowd, ToCrowd } from './parts/crowd-messages.ts';
import {
  call,
  createEnvironment,
  fixedQuestions,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report } from './parts/form.ts';
import type { Issuer } from './parts/peer.ts';
import { type Served, serve, type Vitals } from './parts/served.ts';
import { startVisitors } from './parts/visitors.ts';

let environment: TestEnvironment;
let server: Served | undefined;
let issuer: Issuer;

beforeEach(async () => {
  environment = await createEnvironment({ issuers: 1 });
  const [first] = environment.issuers;
  if (first === undefined) throw new Error('no issuer');
  issuer = first;
});
afterEach(async () => {
  await server?.stop();
  environment.end();
});

const crowdMain = join(import.meta.dirname, 'parts/crowd-main.ts');

/** Opens idle connections from addresses of their own; returns what became of them. */
const startCrowd = (message: ToCrowd) => {
  const child = fork(crowdMain, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(message);
  return {
    async opened(): Promise<FromCrowd> {
      const [message]: unknown[] = await once(child, 'message');
      return message as FromCrowd;
    },
    async look(): Promise<FromCrowd> {
      child.send({ kind: 'look' });
      const [message]: unknown[] = await once(child, 'message');
      return message as FromCrowd;
    },
    end: () => child.kill('SIGKILL'),
  };
};

test('F-1 thousands of connections, one in a hundred active', async () => {
  const count = byRunLength(1_000, 10_000);
  const started = await serve({ folder: environment.folder, args: environment.args });
  server = started;
  const questions = [await personOf(issuer, 0, 'ada'), ...fixedQuestions];
  const active = { port: started.port, lanes: Math.ceil(count / 100), perSecond: 40, questions };
  const quiet = await startClients(active);
  await pause(4_000);
  const alone = await quiet.stop();
  const before = await started.vitals({ collect: true });
  const crowds = [1, 2].map((last) =>
    startCrowd({
      kind: 'open',
      port: started.port,
      count: count / 2,
      localAddress: `127.0.0.${last}`,
    }),
  );
  const openedAt = performance.now();
  const opened = await Promise.all(crowds.map((crowd) => crowd.opened()));
  const tookS = (performance.now() - openedAt) / 1_000;
  const full = await started.vitals({ collect: true });
  const clients = await startClients(active);
  await pause(byRunLength(5_000, 30_000));
  const tally = await clients.stop();
  const still = await Promise.all(crowds.map((crowd) => crowd.look()));
  const sum = (of: readonly FromCrowd[]) => of.reduce((all, { open }) => all + open, 0);
  const kilobytes = ((full.rssMegabytes - before.rssMegabytes) * 1_024) / count;
  report('F-1', {
    connections: sum(opened),
    'all open after s': tookS,
    'kB each': kilobytes,
    'p50 alone ms': alone.p50Ms,
    'p50 ms': tally.p50Ms,
    'p99 alone ms': alone.p99Ms,
    'p99 ms': tally.p99Ms,
    'still open': sum(still),
  });
  for (const crowd of crowds) crowd.end();
  expect(sum(opened)).toBe(count);
  expect(sum(still)).toBe(count);
  expect(tookS).toBeLessThan(90);
  // Pages that were free before make further connections cheaper.
  expect(kilobytes).toBeLessThan(byRunLength(120, 60));
  expect(tally.findings).toEqual([]);
  expect(tally.p50Ms).toBeLessThan(Math.max(alone.p50Ms * 5, 50));
}, 300_000);

test('F-2 more tokens than the cache holds: memory is bounded, and identities are unchanged', async () => {
  const count = byRunLength(34_000, 1_000_000);
  const again = byRunLength(1_000, 10_000);
  // More than the cache holds: later tokens evict others.
  const full = 33_000;
  const step = byRunLength(1_000, 50_000);
  const visitors = await startVisitors(issuer, { keep: again });
  onTestFinished(visitors.end);
  const started = await serve({ folder: environment.folder, args: environment.args });
  server = started;
  const checks = async () => {
    const { body } = await call(started, 'GET', '/metrics');
    return Number(/token_cache_fetch_total\{status="ok"\} (\d+)/.exec(body)?.[1] ?? 0);
  };
  const looks: Vitals[] = [];
  let right = 0;
  const visit = async (from: number, number: number): Promise<void> => {
    const visited = await visitors.visit(started.port, from, number);
    expect(visited.findings).toEqual([]);
    right += visited.right;
    looks.push(await started.vitals({ collect: true, maps: true }));
  };
  // Fetches the keys first: only 64 requests may wait for them.
  expect((await visitors.visit(started.port, 0, 1)).findings).toEqual([]);
  const startedAt = performance.now();
  await visit(0, full);
  for (let from = full; from < count; from += step) {
    await visit(from, Math.min(step, count - from));
  }
  const tookS = (performance.now() - startedAt) / 1_000;
  const checkedBefore = await checks();
  await visit(0, again);
  const checkedAgain = (await checks()) - checkedBefore;
  const [first, last] = [looks[0], looks.at(-1)];
  const entries = looks.map(({ largestMap }) => largestMap);
  const memory = looks.map(({ rssMegabytes }) => rssMegabytes);
  const heap = looks.map(({ heapMegabytes }) => heapMegabytes);
  report('F-2', {
    right,
    'a second': count / tookS,
    'checked again': checkedAgain,
    entries: Math.max(...entries),
    'memory when full MB': first?.rssMegabytes,
    'most MB': Math.max(...memory),
    'last MB': last?.rssMegabytes,
    'heap when full MB': first?.heapMegabytes,
    'most heap MB': Math.max(...heap),
    'last heap MB': last?.heapMegabytes,
  });
  expect(right).toBe(count + again);
  // The maximum size: the others were evicted.
  expect(new Set(entries)).toEqual(new Set([32_768]));
  expect(checkedAgain).toBeGreaterThanOrEqual(again);
  // A million tokens leave less than ten bytes each.
  expect(Math.max(...heap)).toBeLessThan((first?.heapMegabytes ?? 0) + 10);
  expect(Math.max(...memory)).toBeLessThan((first?.rssMegabytes ?? 0) * 1.5 + 200);
}, 2_400_000);

test('F-16 little processor time: late, but never wrong', async () => {
  const started = await serve({
    folder: environment.folder,
    args: environment.args,
    under: ['taskset', '-c', '0', 'nice', '-n', '19'],
  });
  server = started;
  // On the same processor, with a higher priority.
  const spin = fork(join(import.meta.dirname, 'parts/spin-main.ts'), {
    execPath: 'taskset',
    execArgv: ['-c', '0', process.execPath, '--disable-warning=ExperimentalWarning'],
  });
  const questions = [await personOf(issuer, 0, 'ada'), ...fixedQuestions];
  for (let at = 0; at < 50; at += 1) {
    // Decided late, with the same clock: some expire while they wait.
    const token = await issuer.token({
      sub: 'late',
      exp: Math.floor(Date.now() / 1_000) - 1,
    });
    questions.push({ name: `ended ${at}`, token, expected: ['401'] });
  }
  const clients = await startClients({ port: started.port, lanes: 16, perSecond: 30, questions });
  await pause(byRunLength(10_000, 60_000));
  const tally = await clients.stop();
  spin.kill('SIGKILL');
  const vitals = await started.vitals();
  report('F-16', {
    asked: tally.asked,
    verdicts: tally.verdicts,
    'p50 ms': tally.p50Ms,
    'p99 ms': tally.p99Ms,
    'loop p99 ms': vitals.loopP99Ms,
  });
  expect(tally.verdicts['wrong allow']).toBe(0);
  expect(tally.verdicts.error).toBe(0);
  expect(tally.verdicts.refused).toBe(0);
  expect(tally.verdicts.right).toBeGreaterThan(0);
  expect(started.alive()).toBe(true);
});

test('F-17 a small heap: large requests and many tokens do not end the process, and no wrong decision is made', async () => {
  const started = await serve({
    folder: environment.folder,
    args: environment.args,
    node: ['--max-old-space-size=128'],
  });
  server = started;
  const people = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) =>
      issuer
        .token({ sub: `big-${at}`, groups: ['team'], ballast: 'x'.repeat(20_000) })
        .then((token) => ({ name: `big-${at}`, token, expected: [`i0:big-${at} [i0:team]`] })),
    ),
  );
  const clients = await startClients({
    port: started.port,
    lanes: 50,
    perSecond: byRunLength(200, 500),
    questions: people,
  });
  const steady = await startClients({
    port: started.port,
    lanes: 4,
    perSecond: 20,
    questions: fixedQuestions,
  });
  await pause(byRunLength(12_000, 120_000));
  const tally = await clients.stop();
  const others = await steady.stop();
  const alive = started.alive();
  const heap = alive ? (await started.vitals({ collect: true })).heapMegabytes : 0;
  report('F-17', {
    asked: tally.asked,
    verdicts: tally.verdicts,
    'heap MB': heap,
    others: others.verdicts,
  });
  expect(alive).toBe(true);
  for (const one of [tally, others]) {
    expect(one.verdicts['wrong allow']).toBe(0);
    expect(one.verdicts.error).toBe(0);
    expect(one.verdicts.refused).toBe(0);
  }
  expect(tally.verdicts.right).toBeGreaterThan(100);
  expect(heap).toBeLessThan(128);
  expect(await identityOf(started, fixedQuestions[0]?.token)).toBe(fixedQuestions[0]?.expected[0]);
}, 300_000);
