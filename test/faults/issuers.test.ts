/**
 * F-5: issuers that are down, hang, respond slowly, lie or send too much, from the start and while
 * the server runs; all at once, next to an honest one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  call,
  createEnvironment,
  leaks,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { report, until } from './parts/form.ts';
import type { Issuer } from './parts/peer.ts';
import { type Served, serve } from './parts/served.ts';

interface Misdeed {
  readonly name: string;
  start(issuer: Issuer, environment: TestEnvironment): Promise<void>;
  end(issuer: Issuer, environment: TestEnvironment): Promise<void>;
  /** It publishes nothing new, but its content is true. */
  readonly truthful?: boolean;
}

/** Open requests end with the process that hung; a new process answers. */
const comeBack = async (issuer: Issuer): Promise<void> => {
  await issuer.behave('honest');
  await issuer.close();
  await issuer.open();
};

const misbehaving = (behavior: Parameters<Issuer['behave']>[0]): Misdeed => ({
  name: behavior,
  start: (issuer) => issuer.behave(behavior),
  end: comeBack,
});

const servedBy = (
  name: string,
  spec: Parameters<TestEnvironment['authority']['issue']>[0],
): Misdeed => ({
  name,
  start: (issuer, { authority }) => issuer.useCertificate(authority.issue(spec)),
  end: (issuer, { authority }) => issuer.useCertificate(authority.issue()),
});

const misdeeds: readonly Misdeed[] = [
  { name: 'down', start: (issuer) => issuer.close(), end: (issuer) => issuer.open() },
  {
    name: 'hangs (stopped process)',
    start: async (issuer) => issuer.freeze(),
    end: async (issuer) => issuer.thaw(),
  },
  misbehaving('hang'),
  misbehaving('drip'),
  misbehaving('reset'),
  misbehaving('error500'),
  misbehaving('redirect-loop'),
  misbehaving('wrong-issuer'),
  misbehaving('huge-body'),
  misbehaving('gzip-bomb'),
  misbehaving('truncated'),
  misbehaving('no-json'),
  servedBy('expired certificate', { notBeforeSeconds: -7200, notAfterSeconds: -3600 }),
  servedBy('certificate of another name', { names: ['elsewhere.example'], addresses: [] }),
];

let environment: TestEnvironment;
let server: Served;
/** Valid until the last one, which is honest throughout. */
const badIssuers = () => environment.issuers.slice(0, -1);
const honest = () => {
  const last = environment.issuers.at(-1);
  if (last === undefined) throw new Error('no issuer');
  return last;
};
const at = misdeeds.length;

const each = (work: (misdeed: Misdeed, issuer: Issuer, at: number) => Promise<unknown>) =>
  Promise.all(
    misdeeds.map(async (misdeed, index) => {
      const issuer = badIssuers()[index];
      if (issuer !== undefined) await work(misdeed, issuer, index);
    }),
  );

beforeAll(async () => {
  environment = await createEnvironment({ issuers: misdeeds.length + 1 });
});
afterAll(async () => {
  await server.stop();
  environment.end();
});

/** Returns the seconds until a fresh token of each issuer is accepted. */
const recovery = async (mostMs: number): Promise<ReadonlyMap<string, number>> => {
  const took = new Map<string, number>();
  await each(async ({ name }, issuer, index) => {
    const person = await personOf(issuer, index, `back-${name}`);
    const ms = await until(
      async () => person.expected.includes(await identityOf(server, person.token)),
      mostMs,
    );
    took.set(name, ms / 1000);
  });
  return took;
};

test('F-5 broken from the start: their tokens get a 401, others are served, and all recover', async () => {
  await each((misdeed, issuer) => misdeed.start(issuer, environment));
  server = await serve({ folder: environment.folder, args: environment.args, unready: true });
  const ada = await personOf(honest(), at, 'ada');
  await until(async () => ada.expected.includes(await identityOf(server, ada.token)), 15_000);
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 10,
    questions: [ada],
  });
  const before = await server.vitals({ collect: true });
  await each(async ({ name }, issuer, index) => {
    const { token } = await personOf(issuer, index, 'early');
    expect(await identityOf(server, token), name).toBe('401');
  });
  // Long enough for a second attempt of each.
  await pause(12_000);
  const during = await server.vitals({ collect: true });
  const livez = await call(server, 'GET', '/livez');
  await each((misdeed, issuer) => misdeed.end(issuer, environment));
  const took = await recovery(20_000);
  const served = await clients.stop();
  report('F-5 at start', {
    'slowest recovery s': Math.max(...took.values()),
    recovery: Object.fromEntries([...took].map(([name, s]) => [name, Number(s.toFixed(1))])),
    'memory MB': during.rssMegabytes - before.rssMegabytes,
    'others p99': served.p99Ms,
  });
  expect(livez.status).toBe(200);
  expect(served.findings).toEqual([]);
  // Ten seconds between attempts plus two.
  for (const [name, seconds] of took) expect(seconds, name).toBeLessThanOrEqual(12);
  // Twenty for each of the two that send a hundred, at each request.
  expect(during.rssMegabytes - before.rssMegabytes).toBeLessThanOrEqual(40);
});

test('F-5 broken after a valid start: known keys stay valid, unknown keys get a 401, others are not affected', async () => {
  const ada = await personOf(honest(), at, 'bea');
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 10,
    questions: [ada],
  });
  const before = await server.vitals({ collect: true });
  await each((misdeed, issuer) => misdeed.start(issuer, environment));
  await each(async ({ name }, issuer, index) => {
    const old = await personOf(issuer, index, 'known-key');
    expect(old.expected, name).toContain(await identityOf(server, old.token));
  });
  // A key that the issuer has not published: requested, and not found.
  const unknown = each(async ({ name }, issuer, index) => {
    const key = await issuer.rotate({ publish: false });
    const { token } = await personOf(issuer, index, 'unknown-key');
    const answer = await identityOf({ port: server.port, timeoutMs: 40_000 }, token);
    expect(answer, `${name} ${key.keyId}`).toBe('401');
  });
  // During the wait for hanging issuers, their known keys stay valid.
  await pause(1_000);
  await each(async ({ name }, issuer, index) => {
    const [known] = issuer.keys();
    const token = await issuer.token({ sub: 'still', groups: ['team'] }, known);
    expect(await identityOf(server, token), name).toBe(`i${index}:still [i${index}:team]`);
  });
  await unknown;
  const during = await server.vitals({ collect: true });
  await each((misdeed, issuer) => misdeed.end(issuer, environment));
  await each((_, issuer) => issuer.rotate());
  const took = await recovery(20_000);
  const served = await clients.stop();
  report('F-5 later', {
    'slowest recovery s': Math.max(...took.values()),
    'memory MB': during.rssMegabytes - before.rssMegabytes,
    'others p99': served.p99Ms,
  });
  expect(served.findings).toEqual([]);
  for (const [name, seconds] of took) expect(seconds, name).toBeLessThanOrEqual(12);
  expect(during.rssMegabytes - before.rssMegabytes).toBeLessThanOrEqual(40);
});

test('F-5 keys that change each second: published keys are accepted, removed ones are rejected', async () => {
  const issuer = honest();
  for (let round = 0; round < 5; round += 1) {
    await issuer.rotate({ keep: false });
    const { token, expected: right } = await personOf(issuer, at, `second-${round}`);
    await until(async () => right.includes(await identityOf(server, token)), 12_000, 200);
    await pause(1_000);
  }
  // The set was fetched for the last key, so the one before it is gone.
  const gone = issuer.keys().at(-2);
  await until(
    async () => {
      const token = await issuer.token({ sub: `gone-${Math.random()}` }, gone);
      return (await identityOf(server, token)) === '401';
    },
    12_000,
    200,
  );
});

test('G3, G5: the process runs and printed no token', async () => {
  expect(server.alive()).toBe(true);
  expect(leaks(server.output(), [await personOf(honest(), at, 'ada')])).toEqual([]);
});
