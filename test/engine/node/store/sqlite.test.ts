import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteStore } from '../../../../engine/src/node/store/sqlite.ts';
import type { Store } from '../../../../engine/src/ports/store.ts';
import { hastenedClock } from '../../../support/hastened-clock.ts';
import { account, objectOf, storeContract, take } from './store-contract.ts';

const folders: string[] = [];
const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  return join(folder, 'state');
};
const openStore = async (folder: string, events = 100): Promise<Store> => {
  const store = await sqliteStore({ folder, events }, hastenedClock());
  stores.push(store);
  return store;
};

describe('the contract of stores', () => {
  storeContract(async () => {
    const folder = newFolder();
    return { store: await openStore(folder) };
  });
});

describe('the contract of stores, with two threads on one file', () => {
  storeContract(async () => {
    const folder = newFolder();
    return { store: await openStore(folder), other: await openStore(folder) };
  });
});

test('what was written is there after the next start, with its revision', async () => {
  const folder = newFolder();
  const first = await openStore(folder);
  const key = account('robot');
  const made = await first.create(key, objectOf(key));
  await first.close();
  const second = await openStore(folder);
  expect(await second.get(key)).toEqual(made);
  const next = await second.create(account('pilot'), objectOf(account('pilot')));
  expect(Number(next.revision)).toBe(Number(made.revision) + 1);
  expect(
    await take(second.watch('serviceaccounts', made.revision, AbortSignal.timeout(5_000)), 1),
  ).toEqual(['added team/pilot']);
});

test('only its owner may read the file and its companions', async () => {
  const folder = newFolder();
  const store = await openStore(folder);
  await store.create(account('robot'), objectOf(account('robot')));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ['store.db', 'store.db-wal', 'store.db-shm']) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
});

test('changes beyond the bound are forgotten, and a watch that wants them is told', async () => {
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

test('what was deleted does not stay in the file for longer than its change', async () => {
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
    /is no database: restore/,
  ],
  [
    "another program's database",
    (file) => {
      const other = new DatabaseSync(file);
      other.exec('CREATE TABLE x (y); PRAGMA application_id = 7');
      other.close();
    },
    /is the database of another program/,
  ],
  [
    'a later schema',
    (file) => {
      const other = new DatabaseSync(file);
      other.exec('PRAGMA user_version = 99');
      other.close();
    },
    /has schema 99, made by another release; this one reads schema 1/,
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
    'a folder in its place',
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
test.each(refusals)('%s is refused in one sentence', async (_, damage, message) => {
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

test('a file that another process holds locked is told, and does not wait for ever', async () => {
  const folder = newFolder();
  const store = await openStore(folder);
  await store.create(account('robot'), objectOf(account('robot')));
  const holder = new DatabaseSync(join(folder, 'store.db'));
  holder.exec('BEGIN IMMEDIATE');
  await expect(store.create(account('pilot'), objectOf(account('pilot')))).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(/another process holds it locked/),
  });
  expect(await store.get(account('robot'))).toBeDefined();
  holder.exec('ROLLBACK');
  holder.close();
  await store.create(account('pilot'), objectOf(account('pilot')));
});

test('writes wait for each other and never for the event loop', async () => {
  const store = await openStore(newFolder());
  const keys = Array.from({ length: 300 }, (_, at) => account(`a-${at}`));
  const made = await Promise.all(keys.map((key) => store.create(key, objectOf(key))));
  expect(new Set(made.map(({ revision }) => revision)).size).toBe(300);
  expect((await store.list('serviceaccounts')).objects).toHaveLength(300);
});

test('a file that is taken away while it is in use takes no more writes', async () => {
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
