/** Commands that write files replace an existing one only with `--force`. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

/** Runs `new` with files on disk, unless `isFile` replaces what they are. */
const writeNew = async (path: string, isFile = nodeIo().isFile) => {
  const { io, out, written } = capturedIo();
  const code = await runCli(['new', 'dex', '--out', path], {
    ...io,
    isFile,
    // Only a folder is written for its failure.
    writeText: path.endsWith('folder') ? nodeIo().writeText : io.writeText,
  });
  return { code, written: [...written.keys()], stderr: out.stderr };
};

describe('is refused', () => {
  test.each([
    ['a file', 0o644],
    ['a file that cannot be read', 0o000],
  ])('%s', async (_, mode) => {
    const path = folder.write(`mode-${mode}.yaml`, 'mine');
    chmodSync(path, mode);
    const { code, written, stderr } = await writeNew(path);
    expect([code, written]).toEqual([2, []]);
    expect(stderr).toBe(
      `error: ${path} already exists\n  Specify another file with --out, or overwrite it with --force.\n`,
    );
  });
  test('a symbolic link to a file', async () => {
    folder.write('target.yaml', 'mine');
    const link = join(folder.path, 'link.yaml');
    symlinkSync('target.yaml', link);
    expect((await writeNew(link)).stderr).toContain('already exists');
    expect(readFileSync(link, 'utf8')).toBe('mine');
  });
});

test.each(['/dev/stdout', '/dev/stderr', '/dev/fd/1', '/proc/self/fd/1'])(
  'writes to %s, which may be redirected to a file',
  async (path) => {
    const { code, written } = await writeNew(path, (name) => name === path);
    expect([code, written[0]]).toEqual([0, path]);
  },
);

test('the reason for a folder is that of writing it', async () => {
  const path = join(folder.path, 'folder');
  mkdirSync(path);
  const { code, stderr } = await writeNew(path);
  expect(code).toBe(2);
  expect(stderr).toContain('is a directory');
  expect(stderr).not.toContain('--force');
});

test('a name below a file is not an existing file', () => {
  expect(nodeIo().isFile(join(folder.write('a.yaml', ''), 'b.yaml'))).toBe(false);
  expect(nodeIo().isFile(join(folder.path, 'none'))).toBe(false);
});
