/** F-8: a webhook that is down, slow, broken or lying, behind the running server. */
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewPath, identityOf } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import { byRunLength, report } from './parts/form.ts';
import type { Behavior } from './parts/peer-messages.ts';
import { type Served, serve } from './parts/served.ts';
import {
  fixedQuestions,
  leaks,
  createEnvironment,
  personOf,
  type TestEnvironment,
} from './parts/world.ts';

let world: TestEnvironment;
let server: Served;
let made = 0;
/** Tokens that the webhook knows, each asked for the first time. */
const fresh: string[] = [];

beforeAll(async () => {
  world = await createEnvironment({ issuers: 1 });
  const people: Record<string, unknown> = {};
  for (let at = 0; at < 100; at += 1) {
    const token = `webhook-canary-${at}-0123456789abcdef`;
    fresh.push(token);
    people[token] = { username: `hook-${at}`, groups: ['hooked'] };
  }
  await world.webhook.know(people);
  server = await serve({ folder: world.folder, args: world.args });
});
afterAll(async () => {
  await server.stop();
  world.end();
});

/** A token nobody asked for yet, and who that is. */
const next = (): { readonly token: string; readonly right: string } => {
  const token = fresh[made] ?? '';
  const right = `hook-${made} [hooked]`;
  made += 1;
  return { token, right };
};

interface Case {
  readonly behaviour: Behavior;
  /** Questions that the webhook gets for one token. */
  readonly tries: number;
  /** It said that it does not know the token, and is believed for the two minutes of the flag. */
  readonly believed?: boolean;
}

test.each<Case>([
  { behaviour: 'reset', tries: 5 },
  { behaviour: 'hang-up', tries: 1 },
  { behaviour: 'error500', tries: 5 },
  { behaviour: 'huge-body', tries: 1 },
  { behaviour: 'gzip-bomb', tries: 1 },
  { behaviour: 'truncated', tries: 1 },
  { behaviour: 'no-json', tries: 1 },
  { behaviour: 'other-version', tries: 1 },
  { behaviour: 'no-user', tries: 1 },
  { behaviour: 'other-audience', tries: 1, believed: true },
  { behaviour: 'redirect-away', tries: 1 },
])(
  'F-8 $behaviour: 401, and no failure is remembered',
  async ({ behaviour, tries, believed = false }) => {
    const { token, right } = next();
    const before = await world.webhook.counts();
    const { rssMegabytes } = await server.vitals({ collect: true });
    await world.webhook.behave(behaviour);
    const startedAt = performance.now();
    const answer = await identityOf(server, token);
    const tookMs = performance.now() - startedAt;
    const after = await world.webhook.counts();
    const grown = (await server.vitals({ collect: true })).rssMegabytes - rssMegabytes;
    await world.webhook.behave('honest');
    const then = await identityOf(server, token);
    const at = after.reviewsAt.slice(before.reviews);
    const gaps = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    report(`F-8 ${behaviour}`, {
      tries: at.length,
      'ms between': gaps,
      'ms in all': tookMs,
      followed: after.strays - before.strays,
      'memory MB': grown,
    });
    expect(answer).toBe('401');
    expect(then).toBe(believed ? '401' : right);
    expect(at.length).toBeLessThanOrEqual(5);
    expect(at.length).toBe(tries);
    expect(after.strays).toBe(before.strays);
    // 0.5 s, 0.75 s, …, each with up to a fifth more.
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThan(500 * 1.5 ** index - 50);
    }
    expect(grown).toBeLessThan(30);
  },
);

test('F-8 out of order a few times: the answer comes with the next try', async () => {
  const { token, right } = next();
  await world.webhook.behave('error500', 2);
  expect(await identityOf(server, token)).toBe(right);
  await world.webhook.behave('honest');
});

test('F-8 it hangs: 401 in half a minute, others are served, and no more wait than there is room', async () => {
  await world.webhook.behave('hang');
  const [issuer] = world.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  const others = await personOf(issuer, 0, 'ada');
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 20,
    questions: [
      others,
      ...fixedQuestions.filter(({ name }) => name === 'admin' || name === 'nobody'),
    ],
  });
  const { token, right } = next();
  const startedAt = performance.now();
  const one = identityOf({ port: server.port, timeoutMs: 45_000 }, token).then((answer) => ({
    answer,
    tookMs: performance.now() - startedAt,
  }));
  // More strangers at once than may be under way.
  const crowd = byRunLength(2_000, 4_400);
  const sessions: ClientHttp2Session[] = [];
  const answers = new Map<string, number>();
  const asked: Promise<void>[] = [];
  for (let at = 0; at < crowd / 100; at += 1) {
    const session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    session.on('error', () => {});
    sessions.push(session);
    for (let stream = 0; stream < 100; stream += 1) {
      asked.push(
        new Promise((resolve) => {
          const request = session.request({
            ':method': 'POST',
            ':path': reviewPath,
            authorization: `Bearer stranger-${at}-${stream}-0123456789`,
          });
          let status = 'broken';
          request.on('response', (fields) => {
            const retry = fields['retry-after'] === undefined ? '' : ' retry';
            status = `${fields[':status']}${retry}`;
          });
          request.on('error', () => {});
          request.resume();
          request.on('close', () => {
            answers.set(status, (answers.get(status) ?? 0) + 1);
            resolve();
          });
          request.end('{}');
        }),
      );
    }
  }
  await pause(5_000);
  const during = await server.vitals();
  const reviews = (await world.webhook.counts()).reviews;
  const { answer, tookMs } = await one;
  await Promise.all(asked);
  for (const session of sessions) session.close();
  const tally = await clients.stop();
  await world.webhook.behave('honest');
  report('F-8 hang', {
    'refused after s': tookMs / 1000,
    crowd,
    answers: Object.fromEntries(answers),
    'questions that reached it': reviews,
    'memory MB': during.rssMegabytes,
    'others p99 ms': tally.p99Ms,
  });
  expect(answer).toBe('401');
  expect(tookMs).toBeGreaterThan(25_000);
  expect(tookMs).toBeLessThan(40_000);
  expect(tally.verdicts['wrong allow']).toBe(0);
  expect(tally.verdicts.error).toBe(0);
  expect(tally.verdicts.refused).toBe(0);
  // Each was answered: refused after its time, at once where there was no room, or shed.
  const allowed = new Set(['401', '429 retry', '503 retry', 'broken']);
  expect([...answers.keys()].filter((status) => !allowed.has(status))).toEqual([]);
  expect(await identityOf(server, token)).toBe(right);
});

test('F-8 it is gone: known tokens and those of others go on, and it is found again', async () => {
  const known = next();
  expect(await identityOf(server, known.token)).toBe(known.right);
  await world.webhook.close();
  const { token, right } = next();
  expect(await identityOf(server, known.token)).toBe(known.right);
  expect(await identityOf(server, token)).toBe('401');
  for (const question of fixedQuestions.filter(
    ({ name }) => name === 'admin' || name === 'clerk',
  )) {
    expect(question.expected).toContain(await identityOf(server, question.token));
  }
  await world.webhook.open();
  expect(await identityOf(server, token)).toBe(right);
});

test('G5: no token was printed', () => {
  expect(server.alive()).toBe(true);
  const questions = fresh.map((token) => ({ name: token, token, right: [] }));
  expect(leaks(server.output(), questions)).toEqual([]);
});
