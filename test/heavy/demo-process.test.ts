/** The demo as a process: its JSON output, how it ends, and what it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const sample = readFileSync(join(root, 'samples/demo/authentication.yaml'), 'utf8');
let folder = '';
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
});
afterEach(() => {
  child?.kill('SIGKILL');
});

const start = (text: string) => {
  const configuration = join(folder, 'authentication.yaml');
  writeFileSync(configuration, text);
  const main = join(root, 'engine/src/cli/main.ts');
  const flags = ['--output=json', '--secure-port', '0', '--authentication-config', configuration];
  const started = spawn(process.execPath, ['--conditions=source', main, 'demo', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    return done === true ? undefined : JSON.parse(value);
  };
  const ended = once(started, 'exit');
  return { configuration, started, next, ended };
};

test.each([
  ['SIGINT', 0],
  ['SIGTERM', 0],
  ['SIGHUP', 129],
] as const)('%s stops it with nothing left behind', async (signal, code) => {
  const { started, next, ended } = start(sample);
  const ready = await next();
  expect(ready).toMatchObject({ kind: 'ready', url: expect.stringMatching(/^https:/) });
  expect(existsSync(ready.folder)).toBe(true);
  started.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(existsSync(ready.folder)).toBe(false);
});

test('prints reloads and errors as lines of JSON', async () => {
  const { configuration, next } = start(sample);
  await next();
  writeFileSync(configuration, sample.replace('"team:"', '"squad:"'));
  expect(await next()).toMatchObject({ kind: 'reloaded' });
  expect(await next()).toMatchObject({
    kind: 'answers',
    people: { ada: { status: 201, username: 'squad:ada' } },
  });
  writeFileSync(configuration, sample.replace('kind: Auth', 'kind: Oth'));
  const refused = await next();
  expect(refused.kind).toBe('refused');
  expect(refused.diagnostics[0].range.start.line).toBeGreaterThan(0);
});

test('exits with 1 for a file that is broken from the start', async () => {
  const { next, ended } = start(`${sample}bogus: 1\n`);
  expect(await next()).toMatchObject({ kind: 'refused' });
  expect(await ended).toEqual([1, null]);
});
