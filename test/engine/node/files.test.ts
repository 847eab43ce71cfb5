/** Watching a file as it changes in the ways in which editors and ConfigMaps change it. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type FileReading,
  type FileWatch,
  readSnapshot,
  watchFile,
} from '../../../engine/src/node/files.ts';

let folder = '';
const watches: FileWatch[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authgraph-files-'));
});
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.close()));
  rmSync(folder, { recursive: true, force: true });
});

const textOf = (reading: FileReading): string =>
  reading.kind === 'read' ? Buffer.from(reading.bytes).toString() : reading.reason;

/** Watches, and gives a function that waits until a text was seen. */
const watching = (path: string, options: { pollMs?: number; debounceMs?: number } = {}) => {
  const seen: string[] = [];
  let wake: () => void = () => {};
  const watch = watchFile(path, { maxBytes: 1000, debounceMs: 5, ...options }, (reading) => {
    seen.push(textOf(reading));
    wake();
  });
  watches.push(watch);
  const until = async (text: string): Promise<void> => {
    while (seen.at(-1) !== text) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { until, watch, seen };
};

describe('one snapshot', () => {
  const read = async (path: string) => textOf(await readSnapshot(path, { maxBytes: 10 }));

  test('text and hash', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'abc');
    expect(await readSnapshot(path, { maxBytes: 3 })).toEqual({
      kind: 'read',
      bytes: new Uint8Array([97, 98, 99]),
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  test('an empty file is a file', async () => {
    writeFileSync(join(folder, 'a'), '');
    expect(await read(join(folder, 'a'))).toBe('');
  });

  test('what cannot be read is said in one sentence', async () => {
    const path = join(folder, 'a');
    expect(await read(path)).toBe(`open ${path}: no such file or directory`);
    expect(await read(folder)).toBe(`read ${folder}: is a directory`);
    writeFileSync(path, 'x'.repeat(11));
    expect(await read(path)).toBe(`read ${path}: 11 bytes are more than 10`);
    expect(await read(join(path, 'b'))).toBe(`open ${path}/b: not a directory`);
    expect(await read('/dev/zero')).toBe('read /dev/zero: not a regular file');
  });

  test('a pipe nobody writes to is not waited for', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await read(path)).toBe(`read ${path}: not a regular file`);
  });

  test('links that go round', async () => {
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    expect(await read(join(folder, 'a'))).toMatch(/too many levels of symbolic links$/);
  });
});

describe('watching', () => {
  test('a write, a rename over it, a removal, a return', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'one');
    const { until, watch } = watching(path);
    await watch.checkNow();
    await until('one');
    writeFileSync(path, 'two');
    await until('two');
    writeFileSync(join(folder, 'fresh'), 'three');
    renameSync(join(folder, 'fresh'), path);
    await until('three');
    rmSync(path);
    await until(`open ${path}: no such file or directory`);
    writeFileSync(path, 'four');
    await until('four');
    truncateSync(path, 2);
    await until('fo');
  });

  test('the swaps of a ConfigMap, one after the other', async () => {
    const release = (name: string, text: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'config.yaml'), text);
      symlinkSync(name, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    release('..1', 'one');
    symlinkSync(join('..data', 'config.yaml'), join(folder, 'config.yaml'));
    const { until, watch } = watching(join(folder, 'config.yaml'));
    await watch.checkNow();
    await until('one');
    release('..2', 'two');
    await until('two');
    rmSync(join(folder, '..1'), { recursive: true });
    release('..3', 'three');
    await until('three');
    release('..4', 'four');
    await until('four');
  });

  test('a link to a file elsewhere, written there', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(folder, 'here'));
    writeFileSync(join(elsewhere, 'a'), 'one');
    symlinkSync(join(elsewhere, 'a'), join(folder, 'here', 'a'));
    const { until, watch } = watching(join(folder, 'here', 'a'));
    await watch.checkNow();
    writeFileSync(join(elsewhere, 'a'), 'two');
    await until('two');
  });

  test('a directory that is replaced, and one that comes later, are found by the poll', async () => {
    const directory = join(folder, 'later');
    const { until } = watching(join(directory, 'a'), { pollMs: 20 });
    mkdirSync(directory);
    writeFileSync(join(directory, 'a'), 'one');
    await until('one');
    renameSync(directory, join(folder, 'old'));
    mkdirSync(directory);
    writeFileSync(join(directory, 'a'), 'two');
    await until('two');
    writeFileSync(join(directory, 'a'), 'three');
    await until('three');
  });

  test('a directory that is never quiet does not hide a change', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'one');
    writeFileSync(join(folder, 'noise'), '');
    const { until, watch } = watching(path, { debounceMs: 600 });
    await watch.checkNow();
    const noise = setInterval(
      () => writeFileSync(join(folder, 'noise'), String(Math.random())),
      50,
    );
    writeFileSync(path, 'two');
    await until('two');
    clearInterval(noise);
  });

  test('looks come one after the other, and none after the end', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'one');
    let running = 0;
    let most = 0;
    let looks = 0;
    const watch = watchFile(path, { maxBytes: 10 }, async () => {
      looks += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    await Promise.all([watch.checkNow(), watch.checkNow(), watch.checkNow()]);
    expect([most, looks]).toEqual([1, 3]);
    await watch.close();
    await watch.checkNow();
    expect(looks).toBe(3);
  });
});
