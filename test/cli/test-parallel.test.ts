/** `authgraph test --parallel`: the number of threads changes nothing but the time that a run takes. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Io } from '../../engine/src/cli/io.ts';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { createRunReceiver, createRunSender } from '../../engine/src/cli/testing/file-message.ts';
import { runFile } from '../../engine/src/cli/testing/run-file.ts';
import { usefulThreads } from '../../engine/src/cli/testing/useful-threads.ts';
import { threadUrl } from '../../engine/src/node/thread-url.ts';
import { capturedIo } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.mock('../../engine/src/node/thread-url.ts', { spy: true });
vi.mock('../../engine/src/cli/testing/useful-threads.ts', { spy: true });

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
  const byTime = { parallel: 0, maxThreads: 9, processors: 2 };
  expect(usefulThreads(progress, byTime)).toBe(0);
  expect(usefulThreads({ done: 10, left: 1000, elapsedMs: 100 }, byTime)).toBe(0);
  const measured = { done: 100, elapsedMs: 1000 };
  expect(usefulThreads({ ...measured, left: 490 }, byTime)).toBe(0);
  expect(usefulThreads({ ...measured, left: 510 }, byTime)).toBe(2);
  // More threads save more of the time.
  expect(usefulThreads({ ...measured, left: 320 }, { ...byTime, processors: 4 })).toBe(0);
  expect(usefulThreads({ ...measured, left: 340 }, { ...byTime, processors: 4 })).toBe(4);
  expect(usefulThreads({ ...measured, left: 340 }, { ...byTime, processors: 99 })).toBe(9);
  // A machine with one processor has no use for threads.
  expect(usefulThreads({ ...measured, left: 9999 }, { ...byTime, processors: 1 })).toBe(0);
});

test('a warning is printed once for all threads', async () => {
  mkdirSync(join(folder, 'warned/.git'), { recursive: true });
  symlinkSync(join(folder, 'all/wrong.yaml'), join(folder, 'warned/.authgraph.yaml'));
  writeFileSync(join(folder, 'warned/a.yaml'), configuration);
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    writeFileSync(join(folder, `warned/${name}.authtest.yaml`), passing);
  const one = await run(['--parallel', '1'], 'warned');
  expect(one.stderr.match(/is not used, because/g)).toHaveLength(1);
  const before = started();
  // This thread runs the first file, and two others run the rest.
  const mocked = vi.mocked(usefulThreads);
  mocked.mockImplementation(({ done }) => (done === 0 ? 0 : 2));
  const several = await run([], 'warned');
  mocked.mockRestore();
  expect(several).toEqual(one);
  expect(started()).toBeGreaterThan(before);
}, 120_000);

test('a thread sends the text and the places of a configuration once', async () => {
  const context = { targetRelease: undefined, io: nodeIo(), compiled: new Map() };
  const send = createRunSender();
  const receive = createRunReceiver();
  const runs = [];
  const messages = [];
  for (const name of ['b-failing', 'd-wrong-configuration', 'f-failing', 'd-wrong-configuration']) {
    const path = join(folder, `all/${name}.authtest.yaml`);
    const outcome = send(await runFile(path, context, { filter: '', bail: false }));
    messages.push(JSON.stringify(outcome).split('apiserver.config.k8s.io').length - 1);
    if (outcome.kind === 'ended') throw new Error('the command has ended');
    runs.push(receive(structuredClone(outcome)));
  }
  expect(messages).toEqual([1, 1, 0, 0]);
  const sources = runs.map((one) => {
    if (one.kind === 'run') return one.result.suite.find('jwt[0].claimValidationRules[0]')?.source;
    return one.kind === 'broken' && one.broken.kind === 'mistakes'
      ? one.broken.report.source
      : undefined;
  });
  expect(sources[0]?.text).toBe(configuration);
  expect(sources[1]?.uri).toBe(join(folder, 'all/wrong.yaml'));
  expect(sources[2]).toBe(sources[0]);
  expect(sources[3]).toBe(sources[1]);
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
  parentPort.postMessage({ warnings: [], printed: [], outcome: { kind: 'excluded' } });
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
