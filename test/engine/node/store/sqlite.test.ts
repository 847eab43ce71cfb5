import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteStore } from '../../../../engine/src/node/store/sqlite.ts';
import type { Store } from '../../../../engine/src/ports/store.ts';
import { hastenedClock } from '../../../support/hastened-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { account, objectOf, storeContract, take } from './store-contract.ts';

const newFolder = (): string => join(temporaryFolder(onTestFinished).path, 'state');
const openStore = async (folder: string, events = 100): Promise<Store> => {
  const store = await sqliteStore({ folder, events }, hastenedClock());
  onTestFinished(() => store.close());
  return store;
};

describe('store contract', () => {
  storeContract(async () => {
    const folder = newFolder();
    return { store: await openStore(folder) };
  });
});

describe('store contract with two threads on one file', () => {
  storeContract(async () => {
    const folder = newFolder();
    return { store: await openStore(folder), other: await openStore(folder) };
  });
});

test('retains objects and revisions across a restart', async () => {
  const folder = newFolder();
  const first = await openStore(folder);
  const key = account('robot');
  const created = await first.create(key, objectOf(key));
  await first.close();
  const second = await openStore(folder);
  expect(await second.get(key)).toEqual(created);
  const next = await second.create(account('pilot'), objectOf(account('pilot')));
  expect(Number(next.revision)).toBe(Number(created.revision) + 1);
  expect(
    await take(second.watch('serviceaccounts', created.revision, AbortSignal.timeout(5_000)), 1),
  ).toEqual(['added team/pilot']);
});

test('creates files that only their owner may read', async () => {
  const folder = newFolder();
  const store = await openStore(folder);
  await store.create(account('robot'), objectOf(account('robot')));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ['store.db', 'store.db-wal', 'store.db-shm']) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
});

test('removes old changes, and rejects watches that need them', async () => {
  const store = await openStore(newFolder(), 10);
  for (let at = 0; at < 200; at += 1) {
    const key = account(`a-${at}`);
    await store.create(key, objectOf(key));
  }
  const { revision } = await store.list('serviceaccounts');
  const watch = (after: number) =>
    store.watch('serviceaccounts', String(after), AbortSignal.timeout(5_000));
  await expect(take(watch(1), 1)).rejects.toMatchObject({ problem: 'gone' });
  await expect(take(watch(Number(revision) + 1), 1)).rejects.toMatchObject({ problem: 'gone' });
  expect(await take(watch(Number(revision) - 10), 10)).toHaveLength(10);
});

test('removes deleted objects from the file together with their change', async () => {
  const folder = newFolder();
  const store = await openStore(folder, 5);
  const key = account('robot');
  await store.create(key, objectOf(key, [['text', 'find-me-in-the-file']]));
  await store.delete(key);
  for (let at = 0; at < 140; at += 1) {
    const other = account(`a-${at}`);
    await store.create(other, objectOf(other));
  }
  await store.close();
  expect(existsSync(join(folder, 'store.db-wal'))).toBe(false);
  expect(readFileSync(join(folder, 'store.db')).includes('find-me-in-the-file')).toBe(false);
});

const refusals: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  [
    'a text',
    (file) =>
      writeFileSync(file, 'no database at all, but long enough to be read as one'.repeat(40)),
    /is not a database: restore/,
  ],
  [
    "another program's database",
    (file) => {
      const other = new DatabaseSync(file);
      other.exec('CREATE TABLE x (y); PRAGMA application_id = 7');
      other.close();
    },
    /is a database of another program/,
  ],
  [
    'a later schema',
    (file) => {
      const other = new DatabaseSync(file);
      other.exec('PRAGMA user_version = 99');
      other.close();
    },
    /has schema 99 of another release; this release supports schema 1/,
  ],
  [
    'a damaged page',
    (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0xff, 8192, 16_384);
      writeFileSync(file, bytes);
    },
    /damaged/,
  ],
  [
    'a directory in its place',
    (file) => {
      rmSync(file);
      chmodSync(join(file, '..'), 0o700);
      writeFileSync(join(file, '..', 'x'), '');
      rmSync(join(file, '..'), { recursive: true });
      writeFileSync(join(file, '..'), '');
    },
    /cannot open the store/,
  ],
];
test.each(refusals)('rejects %s with one sentence', async (_, damage, message) => {
  const folder = newFolder();
  const store = await openStore(folder);
  for (let at = 0; at < 100; at += 1) {
    const key = account(`a-${at}`);
    await store.create(key, objectOf(key));
  }
  await store.close();
  damage(join(folder, 'store.db'));
  await expect(openStore(folder)).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(message),
  });
});

test('reports a file that another process has locked, after a timeout', async () => {
  const folder = newFolder();
  const store = await openStore(folder);
  await store.create(account('robot'), objectOf(account('robot')));
  const holder = new DatabaseSync(join(folder, 'store.db'));
  holder.exec('BEGIN IMMEDIATE');
  await expect(store.create(account('pilot'), objectOf(account('pilot')))).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(/another process has locked it/),
  });
  expect(await store.get(account('robot'))).toBeDefined();
  holder.exec('ROLLBACK');
  holder.close();
  await store.create(account('pilot'), objectOf(account('pilot')));
});

test('does not block the event loop while writes wait for each other', async () => {
  const store = await openStore(newFolder());
  const keys = Array.from({ length: 300 }, (_, at) => account(`a-${at}`));
  const created = await Promise.all(keys.map((key) => store.create(key, objectOf(key))));
  expect(new Set(created.map(({ revision }) => revision)).size).toBe(300);
  expect((await store.list('serviceaccounts')).objects).toHaveLength(300);
});

test('rejects writes once the file has been moved away', async () => {
  const folder = newFolder();
  const store = await openStore(folder);
  await store.create(account('robot'), objectOf(account('robot')));
  rmSync(join(folder, 'store.db'));
  const refused = store.create(account('pilot'), objectOf(account('pilot')));
  await expect(refused).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(/was moved or deleted while it was in use/),
  });
  expect(await store.get(account('robot'))).toBeDefined();
});
