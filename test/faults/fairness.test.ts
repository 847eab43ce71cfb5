/**
 * Floods by a known user and by unauthenticated clients, with probes and another user whose
 * requests are measured. The short form asserts that these are answered in time and never rejected.
 * The long form pins the server to one processor and the flood to another one, and compares the
 * latencies with those without a flood.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf } from './parts/ask.ts';
import { createEnvironment, type TestEnvironment } from './parts/environment.ts';
import { type Flood, type FloodCounts, floodKinds, type Measured } from './parts/flood-messages.ts';
import { byRunLength, isLongRun, report } from './parts/form.ts';
import { type Served, serve } from './parts/served.ts';

const roles = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: everything }
rules:
- apiGroups: ['*']
  resources: ['*']
  verbs: ['*']
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: everything }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: everything }
subjects:
- { kind: Group, name: crowd, apiGroup: rbac.authorization.k8s.io }
`;
const flooder = 'static-canary-of-the-flooder-0123456789';
const other = 'static-canary-of-the-other-0123456789';
const people = `${flooder},flooder,1,crowd\n${other},other,2,crowd\n`;

const connections = 43;
/** The maximum latency. */
const mostMs = 5_000;
const mostRatio = 10;
/** Shorter latencies are noise. */
const leastMs = 1;

let environment: TestEnvironment;
let server: Served;
let measuring: ChildProcess;

/** Starts a program of `parts`, pinned to the processor of the clients in the long form. */
const part = (name: string, message: object): ChildProcess => {
  const child = fork(join(import.meta.dirname, `parts/${name}.ts`), [JSON.stringify(message)], {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (isLongRun) execFileSync('taskset', ['-cp', '1', String(child.pid)], { stdio: 'ignore' });
  return child;
};

const ask = async <T>(child: ChildProcess): Promise<T> => {
  child.send({});
  const [answer]: unknown[] = await once(child, 'message');
  return answer as T;
};

const measure = async (milliseconds: number): Promise<Measured> => {
  await ask(measuring);
  await pause(milliseconds);
  return ask<Measured>(measuring);
};

beforeAll(async () => {
  environment = await createEnvironment({ issuers: 2 });
  environment.write('tokens.csv', people);
  environment.write('roles.yaml', roles);
  server = await serve({
    folder: environment.folder,
    args: [...environment.args, '--rbac-file=roles.yaml', '--token-review-open=group:crowd'],
    under: isLongRun ? ['taskset', '-c', '0'] : [],
  });
  measuring = part('measured-main', { port: server.port, token: other, pauseMs: 5 });
  if (isLongRun)
    execFileSync('renice', ['-n', '-10', '-p', String(measuring.pid)], { stdio: 'ignore' });
}, 120_000);

afterAll(async () => {
  measuring?.kill('SIGKILL');
  await server?.stop();
  environment?.end();
});

const started = async (flood: Flood, work: () => Promise<void>): Promise<FloodCounts> => {
  const child = part('flood-main', flood);
  try {
    await pause(byRunLength(1_000, 3_000));
    await work();
    return await ask<FloodCounts>(child);
  } finally {
    child.kill('SIGKILL');
  }
};

test('a single user can use the whole server: 1,600 reviews at the same time, none rejected', async () => {
  const flood: Flood = {
    kind: 'cached reviews',
    port: server.port,
    token: flooder,
    connections: 16,
  };
  const counts = await started(flood, () => pause(1_000));
  report('fairness, one user', counts);
  expect(Object.keys(counts)).toEqual(['201']);
});

test.each(floodKinds)(
  'next to a flood of %s, probes and another user are served',
  async (kind) => {
    const [known, hanging] = environment.issuers;
    if (known === undefined || hanging === undefined) throw new Error('no issuers');
    const isForged = kind === 'forged tokens';
    if (isForged) await hanging.behave('hang');
    const token = isForged ? await hanging.token({ sub: 'unknown' }) : flooder;
    const alone = await measure(byRunLength(500, 20_000));
    let during: Measured | undefined;
    const counts = await started({ kind, port: server.port, token, connections }, async () => {
      during = await measure(byRunLength(2_500, 60_000));
      const ada = await known.token({ sub: 'ada', groups: ['team'] });
      expect(await identityOf(server, ada)).toBe('i0:ada [i0:team]');
    });
    if (during === undefined) throw new Error('nothing was measured');
    const ratio = (of: 'livez' | 'review') =>
      (during?.[of].p99Ms ?? 0) / Math.max(alone[of].p99Ms, leastMs);
    report(`fairness, ${kind}`, {
      'livez p99 alone ms': alone.livez.p99Ms,
      'livez p99 ms': during.livez.p99Ms,
      'livez ratio': ratio('livez'),
      'review p99 alone ms': alone.review.p99Ms,
      'review p99 ms': during.review.p99Ms,
      'review ratio': ratio('review'),
      'probes with a handshake p99 ms': during.freshLivez.p99Ms,
      flood: counts,
    });
    expect(during.findings).toEqual([]);
    for (const { count, maxMs } of [during.livez, during.freshLivez, during.review]) {
      expect(count).toBeGreaterThan(0);
      expect(maxMs).toBeLessThan(mostMs);
    }
    if (isLongRun) expect(Math.max(ratio('livez'), ratio('review'))).toBeLessThanOrEqual(mostRatio);
    await pause(byRunLength(500, 5_000));
  },
  byRunLength(60_000, 180_000),
);
