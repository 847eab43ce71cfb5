/** F-8: a webhook that is down, slow, broken or lying, behind the running server. */
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf, reviewPath } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  createEnvironment,
  fixedQuestions,
  leaks,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report } from './parts/form.ts';
import type { Behavior } from './parts/peer-messages.ts';
import { type Served, serve } from './parts/served.ts';

let environment: TestEnvironment;
let server: Served;
let made = 0;
/** Tokens that the webhook accepts and that were not used before. */
const fresh: string[] = [];

beforeAll(async () => {
  environment = await createEnvironment({ issuers: 1 });
  const people: Record<string, unknown> = {};
  for (let at = 0; at < 100; at += 1) {
    const token = `webhook-canary-${at}-0123456789abcdef`;
    fresh.push(token);
    people[token] = { username: `hook-${at}`, groups: ['hooked'] };
  }
  await environment.webhook.know(people);
  server = await serve({ folder: environment.folder, args: environment.args });
});
afterAll(async () => {
  await server.stop();
  environment.end();
});

/** Returns an unused token and its identity. */
const next = (): { readonly token: string; readonly right: string } => {
  const token = fresh[made] ?? '';
  const right = `hook-${made} [hooked]`;
  made += 1;
  return { token, right };
};

interface Case {
  readonly behavior: Behavior;
  /** Requests that the webhook receives for one token. */
  readonly tries: number;
  /** It answered that the token is unknown, which is cached for two minutes. */
  readonly believed?: boolean;
}

test.each<Case>([
  { behavior: 'reset', tries: 5 },
  { behavior: 'hang-up', tries: 1 },
  { behavior: 'error500', tries: 5 },
  { behavior: 'huge-body', tries: 1 },
  { behavior: 'gzip-bomb', tries: 1 },
  { behavior: 'truncated', tries: 1 },
  { behavior: 'no-json', tries: 1 },
  { behavior: 'other-version', tries: 1 },
  { behavior: 'no-user', tries: 1 },
  { behavior: 'other-audience', tries: 1, believed: true },
  { behavior: 'redirect-away', tries: 1 },
])(
  'F-8 $behavior: 401, and no failure is cached',
  async ({ behavior, tries, believed = false }) => {
    const { token, right } = next();
    const before = await environment.webhook.counts();
    const { rssMegabytes } = await server.vitals({ collect: true });
    await environment.webhook.behave(behavior);
    const startedAt = performance.now();
    const answer = await identityOf(server, token);
    const tookMs = performance.now() - startedAt;
    const after = await environment.webhook.counts();
    const grown = (await server.vitals({ collect: true })).rssMegabytes - rssMegabytes;
    await environment.webhook.behave('honest');
    const then = await identityOf(server, token);
    const at = after.reviewsAt.slice(before.reviews);
    const gaps = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    report(`F-8 ${behavior}`, {
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

test('F-8 fails a few times: the next attempt succeeds', async () => {
  const { token, right } = next();
  await environment.webhook.behave('error500', 2);
  expect(await identityOf(server, token)).toBe(right);
  await environment.webhook.behave('honest');
});

test('F-8 does not respond: 401 within half a minute, others are served, and waiting is bounded', async () => {
  await environment.webhook.behave('hang');
  const [issuer] = environment.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  const others = await personOf(issuer, 0, 'ada');
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 20,
    questions: [
      others,
      ...fixedQuestions.filter(({ name }) => name === 'admin' || name === 'anonymous'),
    ],
  });
  const { token, right } = next();
  const startedAt = performance.now();
  const one = identityOf({ port: server.port, timeoutMs: 45_000 }, token).then((answer) => ({
    answer,
    tookMs: performance.now() - startedAt,
  }));
  // More concurrent unknown tokens than the limit.
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
  const reviews = (await environment.webhook.counts()).reviews;
  const { answer, tookMs } = await one;
  await Promise.all(asked);
  for (const session of sessions) session.close();
  const tally = await clients.stop();
  await environment.webhook.behave('honest');
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
  // Each was answered: rejected after its time, immediately without a free place, or shed.
  const allowed = new Set(['401', '429 retry', '503 retry', 'broken']);
  expect([...answers.keys()].filter((status) => !allowed.has(status))).toEqual([]);
  expect(await identityOf(server, token)).toBe(right);
});

test('F-8 unreachable: cached tokens and those of other modules stay valid, and it recovers', async () => {
  const known = next();
  expect(await identityOf(server, known.token)).toBe(known.right);
  await environment.webhook.close();
  const { token, right } = next();
  expect(await identityOf(server, known.token)).toBe(known.right);
  expect(await identityOf(server, token)).toBe('401');
  for (const question of fixedQuestions.filter(
    ({ name }) => name === 'admin' || name === 'clerk',
  )) {
    expect(question.expected).toContain(await identityOf(server, question.token));
  }
  await environment.webhook.open();
  expect(await identityOf(server, token)).toBe(right);
});

test('G5: no token was printed', () => {
  expect(server.alive()).toBe(true);
  const questions = fresh.map((token) => ({ name: token, token, expected: [] }));
  expect(leaks(server.output(), questions)).toEqual([]);
});
