/**
 * F-7: the wall clock of the running server jumps. Decisions follow it; cache lifetimes follow the
 * monotonic clock. The test moves the clock inside the server process.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { identityOf, lastAcceptedMs, sendRequest } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  createAccount,
  createEnvironment,
  fixedQuestions,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report } from './parts/form.ts';
import type { Issuer } from './parts/peer.ts';
import type { Question } from './parts/questions.ts';
import { answerText } from './parts/questions.ts';
import { type Served, serve } from './parts/served.ts';

const second = 1_000;
const hour = 3_600 * second;
const year = 365 * 24 * hour;

const authority = makeCert({ subject: [['CN', 'clients']], ca: true, notAfter: 10 * 365 * 86_400 });
const certificate = makeCert(
  {
    subject: [
      ['CN', 'cert-ada'],
      ['O', 'c'],
    ],
  },
  authority,
);
let environment: TestEnvironment;
let server: Served;
let issuer: Issuer;
let account: Question;

beforeAll(async () => {
  environment = await createEnvironment({ issuers: 1 });
  environment.write('clients.pem', authority.pem);
  server = await serve({
    folder: environment.folder,
    args: [...environment.args, '--client-ca-file=clients.pem'],
  });
  const [first] = environment.issuers;
  if (first === undefined) throw new Error('no issuer');
  issuer = first;
  account = await createAccount(server, 'robot');
});
afterAll(async () => {
  await server.stop();
  environment.end();
});
afterEach(() => server.moveClock(0));

/** The lifetime of a cached acceptance. */
const mostCachedMs = 10_000;

const jane = 'i0:jane []';
const nowSeconds = () => Math.floor(Date.now() / second);
const tokenFor = (claims: Readonly<Record<string, number>>) =>
  issuer.token({ sub: 'jane', ...claims });
const certified = async () => answerText(await sendRequest({ ...server, certificate }, {}));

test('an hour ahead: expired credentials are rejected, by the cache at most ten seconds later', async () => {
  const token = await tokenFor({ exp: nowSeconds() + 1_800 });
  expect(await identityOf(server, token)).toBe(jane);
  await server.moveClock(hour);
  const tookMs = await lastAcceptedMs(server, token);
  report('F-7 +1 h', { 'accepted after its end for ms': tookMs });
  expect(tookMs).toBeLessThan(mostCachedMs);
  const later = await tokenFor({ exp: nowSeconds() + 2 * 3_600 });
  expect(await identityOf(server, later)).toBe(jane);
  expect(await identityOf(server, account.token)).toBe(account.expected[0]);
});

test('an hour back: credentials that are not yet valid are rejected, those without a start time are accepted', async () => {
  await server.moveClock(-hour);
  const future = await tokenFor({ nbf: nowSeconds(), exp: nowSeconds() + 3_600 });
  expect(await identityOf(server, future)).toBe('401');
  expect(await identityOf(server, await tokenFor({ exp: nowSeconds() + 60 }))).toBe(jane);
  // Its `nbf` and `iat` are real times: more than a minute ahead.
  await pause(11 * second);
  expect(await identityOf(server, account.token)).toBe('401');
  await server.moveClock(0);
  expect(await identityOf(server, account.token)).toBe(account.expected[0]);
});

test('a year ahead: tokens and certificates have expired; what never expires stays valid, and everything recovers', async () => {
  expect(await certified()).toBe('cert-ada [c]');
  const token = await tokenFor({});
  expect(await identityOf(server, token)).toBe(jane);
  await server.moveClock(year);
  await pause(11 * second);
  expect(await identityOf(server, token)).toBe('401');
  expect(await identityOf(server, account.token)).toBe('401');
  expect(await certified()).toBe('401');
  for (const { token: fixed, expected: right } of fixedQuestions) {
    expect(right).toContain(await identityOf(server, fixed));
  }
  // Times of documents and of the store's view do not depend on the wall clock.
  expect((await sendRequest(server, { path: '/readyz' })).status).toBe(200);
  const fetched = (await issuer.counts()).keys;
  await server.moveClock(0);
  expect(await identityOf(server, token)).toBe(jane);
  expect(await certified()).toBe('cert-ada [c]');
  expect((await issuer.counts()).keys - fetched).toBeLessThanOrEqual(1);
});

test('ten minutes back during a run: expired credentials count again, according to the clock', async () => {
  const token = await tokenFor({ exp: nowSeconds() - 300 });
  expect(await identityOf(server, token)).toBe('401');
  await server.moveClock(-10 * 60 * second);
  expect(await identityOf(server, token)).toBe(jane);
  await server.moveClock(0);
  const tookMs = await lastAcceptedMs(server, token);
  expect(tookMs).toBeLessThan(mostCachedMs);
});

test('a clock that jumps all the time accepts no token that expired long ago', async () => {
  const ended = await tokenFor({ exp: nowSeconds() - 2 * 3_600 });
  const endless = await tokenFor({ exp: nowSeconds() + 4 * 3_600 });
  const clients = await startClients({
    port: server.port,
    lanes: 4,
    perSecond: 50,
    questions: [
      { name: 'ended', token: ended, expected: ['401'] },
      { name: 'endless', token: endless, expected: [jane] },
      ...fixedQuestions,
    ],
  });
  const endAt = performance.now() + byRunLength(5, 60) * second;
  let jumps = 0;
  for (; performance.now() < endAt; jumps += 1) {
    await server.moveClock((Math.random() * 2 - 1) * hour);
    await pause(100);
  }
  const tally = await clients.stop();
  const { loopP99Ms } = await server.vitals();
  report('F-7 jumping', {
    jumps,
    asked: tally.asked,
    'p99 ms': tally.p99Ms,
    'loop p99 ms': loopP99Ms,
  });
  expect(tally.findings).toEqual([]);
  expect(tally.asked).toBeGreaterThan(50);
});
