/**
 * Three replicas with a common etcd of three members, both of which are killed and started again:
 * no acknowledged write is lost, no deleted token is accepted, and one replica at a time runs the
 * controllers. `AUTHGRAPH_REPLICAS_SECONDS=300` runs the long form.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EtcdCluster, etcdCluster } from '../support/etcd-cluster.ts';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const seconds = Number(process.env.AUTHGRAPH_REPLICAS_SECONDS ?? 40);
/**
 * A replica that loses etcd authenticates with its cache up to its maximum age; so a deletion may
 * take this long to count everywhere. The flag's minimum.
 */
const maxStalenessMs = 30_000;
/** Decisions are cached for ten seconds, in addition to the age of the cache. */
const maxAcceptedMs = maxStalenessMs + 10_000;
/**
 * Time within which a replica accepts a token after its creation and after its own start, on a loaded
 * machine; only in this time may it reject the token. An outage of etcd is shorter than the age that
 * its cache may have.
 */
const visibleMs = 10_000;

const { path: folder, write } = temporaryFolder();
let etcd: EtcdCluster;
const ports: number[] = [];
const replicas: (ServeProcess | undefined)[] = [];
/** When each replica was ready. */
const startedAt: number[] = [];

const start = async (place: number): Promise<void> => {
  replicas[place] = await serveProcess(
    folder,
    [
      ...['--token-auth-file=tokens.csv', '--enable-bootstrap-token-auth', '--log-level=info'],
      ...[`--etcd-servers=${etcd.endpoints.join(',')}`, '--logging-format=json'],
      ...[`--store-max-staleness=${maxStalenessMs}ms`, '--leader-elect-lease-duration=6s'],
      ...['--leader-elect-renew-deadline=4s', '--leader-elect-retry-period=1s'],
    ],
    { port: Number(ports[place]), storeIsFilled: true },
  );
  startedAt[place] = performance.now();
};

beforeAll(async () => {
  write('tokens.csv', 'admin,admin,1,"system:masters"\n');
  etcd = await etcdCluster({ members: 3 });
  for (let place = 0; place < 3; place += 1) ports.push(await freePort());
  await Promise.all([0, 1, 2].map(start));
}, 180_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica?.stop()));
  await etcd.stop();
});

/** Returns the status, or 0 if the replica does not respond. */
const send = async (
  place: number,
  path: string,
  { token = 'admin', body, method }: { token?: string; body?: unknown; method?: string } = {},
): Promise<{ readonly status: number; readonly body: string }> => {
  try {
    return await sendHttps({
      port: Number(ports[place]),
      path,
      token,
      timeoutMs: 5_000,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(method === undefined ? {} : { method }),
    });
  } catch {
    return { status: 0, body: '' };
  }
};

const secrets = '/api/v1/namespaces/kube-system/secrets';
const secretOf = (id: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
  },
});
const authenticates = async (place: number, id: string): Promise<'yes' | 'no' | 'unknown'> => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { status } = await send(place, path, { token: `${id}.0123456789abcdef`, body });
  if (status === 201) return 'yes';
  return status === 401 ? 'no' : 'unknown';
};

interface Written {
  readonly id: string;
  readonly at: number;
  deletedAt?: number;
}

interface Run {
  readonly written: Map<string, Written>;
  /** Writes whose result is unknown, since the response was an error or missing. */
  readonly uncertain: Set<string>;
  readonly faults: string[];
  writes: number;
  denials: number;
  reads: number;
}

const write1 = async (run: Run, number: number, place: number): Promise<void> => {
  const id = number.toString(36).padStart(6, '0');
  const { status } = await send(place, secrets, { body: secretOf(id) });
  if (status === 201) {
    run.written.set(id, { id, at: performance.now() });
    run.writes += 1;
  } else run.uncertain.add(id);
  // Every third token is deleted again, through another replica.
  const victim = [...run.written.values()].find(({ deletedAt }) => deletedAt === undefined);
  if (number % 3 !== 0 || victim === undefined) return;
  const path = `${secrets}/bootstrap-token-${victim.id}`;
  const deletion = await send((place + 1) % 3, path, { method: 'DELETE' });
  if (deletion.status === 200) victim.deletedAt = performance.now();
  else if (deletion.status !== 404) {
    // The deletion may have happened; the token proves nothing any more.
    run.written.delete(victim.id);
    run.uncertain.add(victim.id);
  }
};

const read1 = async (run: Run, number: number): Promise<void> => {
  const all = [...run.written.values()];
  const chosen = all[(number * 7919) % Math.max(all.length, 1)];
  if (chosen === undefined) return;
  const sentAt = performance.now();
  const { deletedAt } = chosen;
  const answer = await authenticates(number % 3, chosen.id);
  run.reads += 1;
  if (answer === 'yes' && deletedAt !== undefined && sentAt - deletedAt > maxAcceptedMs)
    run.faults.push(`${chosen.id} was accepted ${sentAt - deletedAt} ms after its deletion`);
  const knownSince = Math.max(chosen.at, startedAt[number % 3] ?? 0);
  if (answer === 'no' && chosen.deletedAt === undefined) {
    run.denials += 1;
    if (sentAt - knownSince > visibleMs)
      run.faults.push(`${chosen.id} was rejected ${sentAt - knownSince} ms after it was known`);
  }
};

/** Kills replicas and members in turn, and starts them again. */
const disturb = async (until: number): Promise<void> => {
  for (let round = 0; performance.now() < until; round += 1) {
    const place = round % 3;
    if (round % 2 === 0) {
      process.kill(Number(replicas[place]?.pid), 'SIGKILL');
      replicas[place] = undefined;
      await pause(1_000);
      await start(place);
    } else {
      await etcd.signal(place, 'SIGKILL');
      await pause(2_000);
      await etcd.revive(place);
    }
    await pause(1_000);
  }
};

/** Returns the replicas that run the controllers. */
const leaders = async (): Promise<number> => {
  const pages = await Promise.all([0, 1, 2].map((place) => send(place, '/metrics')));
  return pages.filter(({ body }) => /^leader_election_master_status\{.*\} 1$/m.test(body)).length;
};

const eventually = async (isTrue: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await isTrue()) return;
    await pause(500);
  }
  throw new Error('not in time');
};

test(
  'no acknowledged write is lost and no deleted token is accepted',
  async () => {
    await eventually(async () => (await leaders()) === 1);
    const run: Run = {
      written: new Map(),
      uncertain: new Set(),
      faults: [],
      writes: 0,
      denials: 0,
      reads: 0,
    };
    const until = performance.now() + seconds * 1_000;
    const writing = async (): Promise<void> => {
      for (let number = 1; performance.now() < until; number += 1) {
        await write1(run, number, number % 3);
        await pause(100);
      }
    };
    const reading = async (): Promise<void> => {
      for (let number = 1; performance.now() < until; number += 1) {
        await read1(run, number);
        await pause(20);
      }
    };
    const watching = async (): Promise<void> => {
      while (performance.now() < until) {
        const count = await leaders();
        if (count > 1) run.faults.push(`${count} replicas are the leader`);
        await pause(500);
      }
    };
    await Promise.all([writing(), reading(), watching(), disturb(until)]);
    expect(run.faults).toEqual([]);
    expect(run.writes).toBeGreaterThan(seconds / 4);

    // Everything is up again: each replica has all acknowledged writes and none of the deleted tokens.
    await eventually(async () => (await leaders()) === 1);
    await pause(11_000);
    for (const { id, deletedAt } of run.written.values()) {
      const expected = deletedAt === undefined ? 'yes' : 'no';
      for (const place of [0, 1, 2]) {
        await eventually(async () => (await authenticates(place, id)) !== 'unknown');
        expect([id, place, await authenticates(place, id)]).toEqual([id, place, expected]);
      }
    }
    const { writes, reads, denials, uncertain } = run;
    console.log(JSON.stringify({ seconds, writes, reads, denials, uncertain: uncertain.size }));
  },
  (seconds + 240) * 1_000,
);

test('an expired bootstrap token is deleted by the leader', async () => {
  const id = 'zzzzz9';
  const secret = secretOf(id);
  const expiration = new Date(Date.now() + 3_000).toISOString();
  await eventually(async () => {
    const body = { ...secret, stringData: { ...secret.stringData, expiration } };
    const { status } = await send(0, secrets, { body });
    return status === 201 || status === 409;
  });
  await eventually(async () => (await send(1, `${secrets}/bootstrap-token-${id}`)).status === 404);
  const deleted = replicas.filter((replica) =>
    replica?.output().includes(`kube-system/bootstrap-token-${id}`),
  );
  expect(deleted).toHaveLength(1);
}, 120_000);
