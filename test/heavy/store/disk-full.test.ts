/**
 * Fault F-12: the disk of the embedded store is full. The test creates a small disk, which requires
 * root.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeClock } from '../../../engine/src/node/clock.ts';
import { nodeRandomness } from '../../../engine/src/node/randomness.ts';
import { sqliteStore } from '../../../engine/src/node/store/sqlite.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import { account, objectOf } from '../../engine/node/store/store-contract.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const disk = mkdtempSync(join(tmpdir(), 'disk-'));
beforeAll(() => {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a disk of 1 MB needs the right to mount one: ${stderr}`);
});
afterAll(() => {
  spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Fills the disk. */
const fill = (path: string): void => {
  const file = openSync(path, 'w');
  try {
    for (const size of [65_536, 4_096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // Whether the disk is full for pieces of that size.
      }
    }
  } finally {
    closeSync(file);
  }
};

test('reads from a full disk, reports failed writes, and recovers when there is space again', async () => {
  const folder = join(disk, 'state');
  const store = await sqliteStore({ folder }, nodeClock());
  const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
  const view = storeView({
    ...ports,
    store,
    resources: ['serviceaccounts'],
    maxStalenessMs: 30_000,
  });
  view.start();
  const acknowledged = new Set<string>();
  const write = async (name: string): Promise<unknown> => {
    const key = account(name);
    try {
      await store.create(key, objectOf(key, [['text', 'x'.repeat(2_000)]]));
      acknowledged.add(name);
      return 'done';
    } catch (cause) {
      return cause;
    }
  };
  for (let at = 0; at < 20; at += 1) expect(await write(`early-${at}`)).toBe('done');
  fill(join(disk, 'ballast'));
  let refused: unknown = 'done';
  for (let at = 0; at < 500 && refused === 'done'; at += 1) refused = await write(`full-${at}`);
  expect(refused).toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(/the disk is full/),
  });
  for (let at = 0; at < 20; at += 1) {
    const answer = await write(`refused-${at}`);
    if (answer !== 'done') expect(answer).toMatchObject({ problem: 'unavailable' });
  }
  expect(await store.get(account('early-3'))).toBeDefined();
  expect(
    (await store.list('serviceaccounts')).objects.map(({ key }) => key.name).toSorted(),
  ).toEqual([...acknowledged].toSorted());
  expect((await view.find(account('early-3'))).kind).toBe('found');
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(view.readiness().isReady).toBe(true);
  expect(view.age()).toBeLessThan(5_000);

  unlinkSync(join(disk, 'ballast'));
  expect(await write('late')).toBe('done');
  await view.stop();
  await store.close();
  const again = await sqliteStore({ folder }, nodeClock());
  expect(
    (await again.list('serviceaccounts')).objects.map(({ key }) => key.name).toSorted(),
  ).toEqual([...acknowledged].toSorted());
  await again.close();
});
