/** `authgraph test --parallel`: the number of threads changes nothing but the time that a run takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Io } from '../../engine/src/cli/io.ts';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { usefulThreads } from '../../engine/src/cli/testing/useful-threads.ts';
import { threadUrl } from '../../engine/src/node/thread-url.ts';
import { capturedIo } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.mock('../../engine/src/node/thread-url.ts', { spy: true });

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
    groups: {claim: groups, prefix: "a:"}
  claimValidationRules:
  - {expression: "claims.?hd.orValue('') == 'corp'", message: only corp}
`;

const start = 'configuration: a.yaml\nbase: {claims: {sub: jane, hd: corp}}\ntests:\n';
const passing = `${start}- {name: jane, expect: {user: "a:jane"}}
- {name: exact integers, claims: {n: 9007199254740993, __proto__: x}, expect: {user: "a:jane"}}
- {name: signed, sign: true, expect: {user: "a:jane"}}
- {name: request, sign: true, request: {path: /api}, expect: {user: "a:jane"}}
`;
const failing = `${start}- {name: other, claims: {hd: other}, expect: {rejected: AG5009}}
- {name: jane, expect: {user: "a:bob"}}
`;

const { path: folder } = temporaryFolder();
const suites: Readonly<Record<string, string>> = {
  'a-passing': passing,
  'b-failing': failing,
  'c-not-yaml': 'tests: [',
  'd-wrong-configuration': 'configuration: wrong.yaml\ntests: [{name: x, expect: {user: x}}]\n',
  'e-no-configuration': 'configuration: absent.yaml\ntests: [{name: x, expect: {user: x}}]\n',
  'f-failing': failing,
  'g-passing': passing,
};
mkdirSync(join(folder, 'all'));
mkdirSync(join(folder, 'passing'));
for (const part of ['all', 'passing']) writeFileSync(join(folder, part, 'a.yaml'), configuration);
writeFileSync(
  join(folder, 'all/wrong.yaml'),
  configuration.replace('claims.?hd', 'claims.?hd.nothing()'),
);
for (const [name, text] of Object.entries(suites))
  writeFileSync(join(folder, `all/${name}.authtest.yaml`), text);
for (const name of ['a', 'b', 'c'])
  writeFileSync(join(folder, `passing/${name}.authtest.yaml`), passing);

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command with real files, which other threads can read. */
const run = async (
  args: readonly string[],
  part = 'all',
  own: Partial<Pick<Io, 'signal' | 'stderr'>> = {},
): Promise<Run> => {
  const { readText, readRevision, listFolder, otherOwner, findInRevision, maxThreads } = nodeIo();
  const { io, out } = capturedIo();
  const files = { readText, readRevision, listFolder, otherOwner, findInRevision, maxThreads };
  const code = await runCli(['test', join(folder, part), ...args], { ...io, ...files, ...own });
  return { code, stdout: withoutTimes(out.stdout), stderr: withoutTimes(out.stderr) };
};

const withoutTimes = (text: string): string =>
  text
    .replace(/"durationMs": [\d.]+/g, '"durationMs": 0')
    .replace(/ time="[\d.]+"/g, '')
    .replace(/\([\d.]+ m?s\)/g, '(0 ms)');

const started = (): number => vi.mocked(threadUrl).mock.calls.length;

describe('the results are those of one thread', () => {
  test.each<{ readonly args: readonly string[]; readonly part: string; readonly code: number }>([
    { args: ['-o', 'json'], part: 'all', code: 2 },
    { args: ['--bail'], part: 'all', code: 1 },
    { args: ['--filter', 'jane'], part: 'all', code: 2 },
    { args: ['--coverage', 'text', '--verbose'], part: 'passing', code: 0 },
  ])(
    '$part $args',
    async ({ args, part, code }) => {
      const one = await run([...args, '--parallel', '1'], part);
      expect(one.code).toBe(code);
      for (const threads of ['2', '9']) {
        const before = started();
        expect(await run([...args, '--parallel', threads], part)).toEqual(one);
        expect(started()).toBeGreaterThan(before);
      }
    },
    120_000,
  );
});

test('one file, and one after the other, start no thread', async () => {
  const before = started();
  expect((await run([], 'passing/a.authtest.yaml')).code).toBe(0);
  expect((await run(['--parallel', '1'], 'passing')).code).toBe(0);
  expect(started()).toBe(before);
});

test('threads start once the files that are done show that those left take long', () => {
  const limits = { parallel: 3, maxThreads: 4 };
  const progress = { done: 0, left: 1000, elapsedMs: 0 };
  expect(usefulThreads(progress, limits)).toBe(3);
  expect(usefulThreads(progress, { ...limits, parallel: 9 })).toBe(4);
  expect(usefulThreads({ ...progress, left: 2 }, limits)).toBe(2);
  expect(usefulThreads({ ...progress, left: 1 }, limits)).toBe(0);
  const byTime = { parallel: 0, maxThreads: 4 };
  expect(usefulThreads(progress, byTime)).toBe(0);
  expect(usefulThreads({ done: 10, left: 1000, elapsedMs: 100 }, byTime)).toBe(0);
  expect(usefulThreads({ done: 100, left: 400, elapsedMs: 1000 }, byTime)).toBe(0);
  // A machine with one processor has no use for threads.
  const processors = Math.min(availableParallelism(), 4);
  const expected = processors === 1 ? 0 : processors;
  expect(usefulThreads({ done: 100, left: 1000, elapsedMs: 1000 }, byTime)).toBe(expected);
});

test('progress counts the files that are done', async () => {
  const lines: string[] = [];
  const stderr: Io['stderr'] = {
    write: () => {},
    replaceLine: (line) => lines.push(line),
    isTerminal: true,
    columns: 80,
  };
  await run(['--parallel', '3'], 'all', { stderr });
  expect(lines.slice(0, 2)).toEqual(['testing file 1 of 7', 'testing file 2 of 7']);
  expect(lines.slice(-2)).toEqual(['', '']);
}, 60_000);

/** A thread that ends while it runs some files. */
const crashing = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (path) => {
  if (path.includes('failing')) throw new Error('a defect');
  parentPort.postMessage({ printed: [], outcome: { kind: 'excluded' } });
});`;

test('a thread that ends is reported with its file, and the other files are run', async () => {
  const mocked = vi.mocked(threadUrl);
  mocked.mockImplementation(() => new URL(`data:text/javascript,${encodeURIComponent(crashing)}`));
  const { code, stderr } = await run(['--parallel', '2']);
  mocked.mockRestore();
  expect(code).toBe(2);
  const reason = 'the thread that ran the file has ended: a defect';
  expect(stderr).toBe(
    [
      `error: ${join(folder, 'all/b-failing.authtest.yaml')}: ${reason}`,
      `error: ${join(folder, 'all/f-failing.authtest.yaml')}: ${reason}`,
      '0 passed in 0 files; 2 files could not be run (0 ms)',
      '',
    ].join('\n'),
  );
}, 60_000);

/** A thread that does not end with some files. */
const hanging = crashing.replace("throw new Error('a defect')", 'return');

test('a signal ends the threads', async () => {
  const aborting = new AbortController();
  const mocked = vi.mocked(threadUrl);
  mocked.mockImplementation(() => {
    setTimeout(() => aborting.abort(), 500);
    return new URL(`data:text/javascript,${encodeURIComponent(hanging)}`);
  });
  const { code, stderr } = await run(['--parallel', '2'], 'all', { signal: aborting.signal });
  mocked.mockRestore();
  expect(code).toBe(2);
  expect(stderr).toContain('error: interrupted before all cases were run\n');
}, 60_000);

test('a number below 0 is misuse', async () => {
  const { code, stderr } = await run(['--parallel', '-1']);
  expect(code).toBe(2);
  expect(stderr).toContain('error: --parallel must be 0 or more\n');
});
