/**
 * F-15: issuer and webhook are far away: 100 ms each way, one packet in twenty lost, 64 kB/s. Each
 * has its own proxy process that delays packets.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf } from './parts/ask.ts';
import { startClients } from './parts/clients.ts';
import {
  createEnvironment,
  fixedQuestions,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report } from './parts/form.ts';
import { type Line, startLine } from './parts/line.ts';
import { type Served, serve } from './parts/served.ts';

let environment: TestEnvironment;
let server: Served;

const lines: Line[] = [];

beforeAll(async () => {
  const line = async (): Promise<Line> => {
    const made = await startLine();
    lines.push(made);
    return made;
  };
  environment = await createEnvironment({ issuers: 1, peers: { line } });
  server = await serve({ folder: environment.folder, args: environment.args });
});
afterAll(async () => {
  await server.stop();
  environment.end();
});

test('F-15 a slow network to issuer and webhook: cached decisions are as fast as ever', async () => {
  const [issuer] = environment.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  const known = [
    await personOf(issuer, 0, 'ada'),
    ...fixedQuestions.filter(({ name }) => name !== 'stranger'),
  ];
  const load = { port: server.port, lanes: 4, perSecond: 40, questions: known };
  const good = await startClients(load);
  await pause(5_000);
  const before = await good.stop();

  const slow = { delayMs: 100, lossShare: 0.05, bytesPerSecond: 64_000 };
  for (const line of lines) await line.become(slow);
  const bad = await startClients(load);
  const fresh = await issuer.rotate();
  const asked = performance.now();
  const token = await issuer.token({ sub: 'new', groups: ['team'] }, fresh);
  const answer = await identityOf(server, token);
  const keyMs = performance.now() - asked;
  const strangers = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const started = performance.now();
      const refused = await identityOf(server, `unknown-${at}-0123456789`);
      return { refused, tookMs: performance.now() - started };
    }),
  );
  await pause(byRunLength(8_000, 60_000));
  const after = await bad.stop();
  report('F-15', {
    'p50 before ms': before.p50Ms,
    'p50 ms': after.p50Ms,
    'p99 before ms': before.p99Ms,
    'p99 ms': after.p99Ms,
    'a new key ms': keyMs,
    'a stranger ms': Math.max(...strangers.map(({ tookMs }) => tookMs)),
  });
  expect(after.findings).toEqual([]);
  expect(answer).toBe('i0:new [i0:team]');
  expect(strangers.map(({ refused }) => refused)).toEqual(strangers.map(() => '401'));
  // It was slow, and only for requests that had to wait.
  expect(keyMs).toBeGreaterThan(200);
  expect(after.p50Ms).toBeLessThan(Math.max(before.p50Ms * 3, 50));
});
