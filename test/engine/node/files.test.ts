/** Watches a file through the changes that editors and ConfigMaps make. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type FileReading, readSnapshot, watchFile } from '../../../engine/src/node/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
});

const textOf = (reading: FileReading): string =>
  reading.kind === 'read' ? Buffer.from(reading.bytes).toString() : reading.reason;

/** Watches a file; returns a function that waits until a text has been read. */
const watching = (path: string, options: { pollMs?: number; debounceMs?: number } = {}) => {
  const seen: string[] = [];
  let wake: () => void = () => {};
  const watch = watchFile(path, { maxBytes: 1000, debounceMs: 5, ...options }, (reading) => {
    seen.push(textOf(reading));
    wake();
  });
  onTestFinished(() => watch.close());
  const until = async (text: string): Promise<void> => {
    while (seen.at(-1) !== text) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { until, watch, seen };
};

describe('readSnapshot', () => {
  const read = async (path: string) => textOf(await readSnapshot(path, { maxBytes: 10 }));

  test('returns content and hash', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'abc');
    expect(await readSnapshot(path, { maxBytes: 3 })).toEqual({
      kind: 'read',
      bytes: new Uint8Array([97, 98, 99]),
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  test('reads an empty file', async () => {
    writeFileSync(join(folder, 'a'), '');
    expect(await read(join(folder, 'a'))).toBe('');
  });

  test('returns the reason why a file is unreadable', async () => {
    const path = join(folder, 'a');
    expect(await read(path)).toBe(`open ${path}: no such file or directory`);
    expect(await read(folder)).toBe(`read ${folder}: is a directory`);
    writeFileSync(path, 'x'.repeat(11));
    expect(await read(path)).toBe(`read ${path}: 11 bytes exceed the limit of 10`);
    expect(await read(join(path, 'b'))).toBe(`open ${path}/b: not a directory`);
    expect(await read('/dev/zero')).toBe('read /dev/zero: not a regular file');
  });

  test('does not wait for a pipe without a writer', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await read(path)).toBe(`read ${path}: not a regular file`);
  });

  test('rejects circular links', async () => {
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    expect(await read(join(folder, 'a'))).toMatch(/too many levels of symbolic links$/);
  });
});

describe('watchFile', () => {
  test('notices a write, a replacement, a deletion and a new file', async () => {
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

  test('notices each update of a ConfigMap', async () => {
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

  test('notices a write to the target of a link', async () => {
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

  test('finds a replaced directory, and one that is created later, by polling', async () => {
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

  test('notices a change in a directory that is never without events', async () => {
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

  test('reads sequentially, and never after it was closed', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'one');
    let running = 0;
    let most = 0;
    let reads = 0;
    const watch = watchFile(path, { maxBytes: 10 }, async () => {
      reads += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    await Promise.all([watch.checkNow(), watch.checkNow(), watch.checkNow()]);
    expect([most, reads]).toEqual([1, 3]);
    await watch.close();
    await watch.checkNow();
    expect(reads).toBe(3);
  });
});
