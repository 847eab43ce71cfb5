/**
 * F-18: a system call of the server fails, the first, the second, …: opening, reading, connecting,
 * writing to the disk. Whatever fails, no request is accepted because of it, and everything
 * recovers. Needs strace.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { identityOf, sendRequest } from './parts/ask.ts';
import {
  call,
  configurationText,
  createAccount,
  createEnvironment,
  fixedQuestions,
  issuerEntry,
  personOf,
  type TestEnvironment,
} from './parts/environment.ts';
import { byRunLength, report, until } from './parts/form.ts';
import { answerText, checkAnswer, type Question } from './parts/questions.ts';
import { type Served, serve, spawnServe } from './parts/served.ts';

let environment: TestEnvironment;
beforeAll(async () => {
  if (spawnSync('strace', ['--version']).status !== 0) throw new Error('strace is needed');
  environment = await createEnvironment({ issuers: 1 });
});
afterAll(() => environment.end());

const firstIssuer = () => {
  const [issuer] = environment.issuers;
  if (issuer === undefined) throw new Error('no issuer');
  return issuer;
};

/**
 * Makes calls of a running process fail; returns how to stop that, which returns the number of
 * failures.
 */
const attach = async (pid: number, inject: string): Promise<() => Promise<number>> => {
  const call = inject.split(':')[0] ?? '';
  const log = join(environment.folder, 'calls.log');
  const tracer: ChildProcess = spawn(
    'strace',
    ['-f', '-o', log, '-e', `trace=${call}`, '-e', `inject=${inject}`, '-p', String(pid)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  tracer.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  await until(() => /attached/.test(said) || tracer.exitCode !== null, 10_000, 10);
  if (tracer.exitCode !== null) throw new Error(`strace: ${said}`);
  return async () => {
    const closed = once(tracer, 'close');
    tracer.kill('SIGINT');
    await closed;
    return readFileSync(log, 'utf8').split('(INJECTED)').length - 1;
  };
};

describe('while it runs', () => {
  let server: Served;
  let account: Question;
  beforeAll(async () => {
    server = await serve({ folder: environment.folder, args: environment.args });
    account = await createAccount(server, 'robot');
  });
  afterAll(() => server.stop());

  let rounds = 0;
  /**
   * Makes the server read files, contact issuer and webhook, and write to the store; returns what
   * was wrong.
   */
  const shake = async (): Promise<readonly string[]> => {
    rounds += 1;
    const issuer = firstIssuer();
    // The next request needs a new connection.
    await environment.webhook.close();
    await environment.webhook.open();
    const entry = issuerEntry(issuer.url, environment.authority.pem, 'i0:');
    environment.replace('authentication.yaml', `# ${rounds}\n${configurationText([entry])}`);
    const ended = await issuer.token({ sub: 'ended', exp: Math.floor(Date.now() / 1_000) - 100 });
    const good = await personOf(issuer, 0, `ada-${rounds}`);
    const forged = `${good.token?.slice(0, -8)}AAAAAAAA`;
    const questions: readonly Question[] = [
      ...fixedQuestions,
      account,
      good,
      { name: 'ended', token: ended, expected: ['401'] },
      { name: 'forged', token: forged, expected: ['401'] },
      { name: 'stranger', token: `unknown-${rounds}-0123456789`, expected: ['401'] },
    ];
    const writing = call(server, 'POST', '/api/v1/namespaces/team/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: `shaken-${rounds}` },
    }).catch(() => undefined);
    const verdicts = await Promise.all(
      questions.map(async (question) => {
        const answer = await sendRequest({ ...server, timeoutMs: 8_000 }, question).catch(
          () => undefined,
        );
        if (answer === undefined) return [];
        const verdict = checkAnswer(question, answer);
        return verdict === 'wrong allow' ? [`${question.name}: ${answerText(answer)}`] : [];
      }),
    );
    await writing;
    await pause(100);
    return verdicts.flat();
  };

  test.each([
    ['openat', 'EIO'],
    ['openat', 'EMFILE'],
    ['connect', 'ENETUNREACH'],
    ['socket', 'EMFILE'],
    ['pread64', 'EIO'],
    ['pwrite64', 'ENOSPC'],
    ['fsync', 'EIO'],
    ['accept4', 'EMFILE'],
    ['statx', 'EIO'],
  ])(
    'F-18 %s fails with %s at its n-th call: no one gets in because of it, and everything recovers',
    async (name, error) => {
      const most = byRunLength(3, 30);
      const wrong: string[] = [];
      let failed = 0;
      for (let nth = 1; nth <= most; nth += 1) {
        // From the n-th on every other one: a single failure is often retried silently.
        const when = nth % 2 === 0 ? `${nth}` : `${nth}+2`;
        const detach = await attach(server.pid, `${name}:error=${error}:when=${when}`);
        wrong.push(...(await shake()));
        failed += await detach();
        if (!server.alive()) break;
      }
      report(`F-18 ${name} ${error}`, { rounds: most, failed, alive: server.alive() });
      expect(wrong).toEqual([]);
      expect(failed).toBeGreaterThan(0);
      expect(server.alive()).toBe(true);
      await until(
        async () => (await identityOf(server, account.token)) === account.expected[0],
        15_000,
      );
      const person = await personOf(firstIssuer(), 0, `after-${rounds}`);
      await until(
        async () => person.expected.includes(await identityOf(server, person.token)),
        15_000,
      );
      await until(async () => {
        const made = await call(server, 'POST', '/api/v1/namespaces/team/serviceaccounts', {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: `after-${Math.floor(Math.random() * 1e9)}` },
        });
        return made.status === 201;
      }, 15_000);
    },
  );
});

test.each([
  ['authentication.yaml'],
  ['tokens.csv'],
  ['webhook.kubeconfig'],
  ['peers.pem'],
  ['sa.pub'],
  ['sa.key'],
  ['state/store.db'],
])('F-18 %s cannot be read at the start: the server does not start', async (name) => {
  const port = await freePort();
  const child = spawnServe({
    folder: environment.folder,
    args: environment.args,
    port,
    under: [
      ...['strace', '-f', '-qq', '-o', '/dev/null', '--seccomp-bpf'],
      ...['-P', join(environment.folder, name), '-P', name, '-e', 'trace=openat,read,pread64'],
      ...['-e', 'inject=openat,read,pread64:error=EIO'],
    ],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const closed = once(child, 'close');
  await until(() => child.exitCode !== null || output.includes(' serves '), 30_000);
  const served = output.includes(' serves ');
  child.kill('SIGKILL');
  await closed;
  expect({ served, output }).toMatchObject({ served: false });
  expect(output).toMatch(/input\/output error|I\/O error|EIO|cannot|unable/i);
});
