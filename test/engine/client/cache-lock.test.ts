/** The lock of a token cache: one process at a time, also when several find an abandoned lock. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { withCacheLock } from '../../../engine/src/client/login/cache-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { path: folder } = temporaryFolder();
const ended = spawnSync(process.execPath, ['-e', '']).pid;
const { signal } = new AbortController();
let count = 0;
let lock = '';
beforeEach(() => {
  count += 1;
  lock = join(folder, `${count}.lock`);
});

test('one of several that find the same abandoned lock works at a time', async () => {
  writeFileSync(lock, `${ended} ${hostname()}\n`);
  let [working, most] = [0, 0];
  const work = async (): Promise<void> => {
    working += 1;
    most = Math.max(most, working);
    await pause(1);
    working -= 1;
  };
  const contenders = Array.from({ length: 3 }, () =>
    withCacheLock(lock, { timeoutMs: 20_000, signal }, work),
  );
  await Promise.all(contenders);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('an abandoned lock that another process takes over is not removed', async () => {
  writeFileSync(lock, `${ended} ${hostname()}\n`);
  // The other process is about to remove the lock, and then creates its own.
  writeFileSync(`${lock}.removal`, '');
  const waiting = withCacheLock(lock, { timeoutMs: 300, signal }, async () => {});
  await pause(50);
  const taken = `${process.pid} ${hostname()}\nother\n`;
  writeFileSync(lock, taken);
  rmSync(`${lock}.removal`);
  await expect(waiting).rejects.toThrow('another process has been logging in for 0.3 seconds');
  expect(readFileSync(lock, 'utf8')).toBe(taken);
});

test('a lock that another process has taken over is not removed', async () => {
  const other = `1 other-host\nother\n`;
  await withCacheLock(lock, { timeoutMs: 1_000, signal }, async () => writeFileSync(lock, other));
  expect(readFileSync(lock, 'utf8')).toBe(other);
});

test('an abandoned lock is retained while another process removes it', async () => {
  writeFileSync(lock, `${ended} ${hostname()}\n`);
  writeFileSync(`${lock}.removal`, '');
  const waiting = withCacheLock(lock, { timeoutMs: 200, signal }, async () => {});
  await expect(waiting).rejects.toMatchObject({
    message: 'another process has been logging in for 0.2 seconds',
    help: `If none is running, remove ${lock} and ${lock}.removal.`,
  });
  expect(existsSync(lock)).toBe(true);
});

test('a lock that is older than a login may take is removed', async () => {
  writeFileSync(lock, '1 other-host\n');
  utimesSync(lock, 0, 0);
  expect(await withCacheLock(lock, { timeoutMs: 1_000, signal }, async () => 'done')).toBe('done');
  expect(existsSync(lock)).toBe(false);
});
