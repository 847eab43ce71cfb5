/** INV-B3: the published package is reproducible and contains nothing of its build machine. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const engine = join(root, 'engine');
const { path: scratch } = temporaryFolder();

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const pack = (folder: string): Packed => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const answer: unknown = JSON.parse(stdout);
  const packed = Array.isArray(answer) ? answer[0] : Object.values(answer ?? {})[0];
  if (packed === undefined) throw new Error(stderr);
  return packed;
};
const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

let packed: Packed;
let digest = '';
beforeAll(() => {
  packed = pack(engine);
  digest = digestOf(join(scratch, packed.filename));
});

test('INV-B3 packing twice gives the same bytes', () => {
  rmSync(join(scratch, packed.filename));
  expect(digestOf(join(scratch, pack(engine).filename))).toBe(digest);
});

test('INV-B3 compiling twice gives the same files', () => {
  const again = join(scratch, 'dist');
  const compiler = join(root, 'node_modules/.bin/tsc');
  const args = ['-p', engine, '--outDir', again, '--tsBuildInfoFile', join(scratch, 'info')];
  const { status, stdout } = spawnSync(compiler, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
  // Source maps contain relative paths to these.
  const files = readdirSync(again, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.endsWith('.map') && statSync(join(again, name)).isFile(),
  );
  expect(files.length).toBeGreaterThan(500);
  const different = files.filter(
    (name) => digestOf(join(again, name)) !== digestOf(join(engine, 'dist', name)),
  );
  expect(different).toEqual([]);
});

test('INV-B3 it holds modules, the licenses of those that are bundled, and nothing else', () => {
  const unexpected = packed.files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^(?:bin\/(?:kubectl-)?authgraph\.js|dist\/(?:.*\.(?:js|d\.ts|map)|docs\/.*\.md|man\/.*\.1|samples\/.*\.(?:yaml|json)|cli\/cache\/README\.txt|cli\/bundle\/LICENSE\.[\w.-]+\.txt|LICENSE)|package\.json|LICENSE|README\.md)$/.test(
          path,
        ),
    );
  expect(unexpected).toEqual([]);
});

test('INV-B3 no key, no token, and no place of this machine is in it', () => {
  const places = [root, homedir()].filter((place) => place.length > 3);
  const secret =
    /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/]{20}|eyJ[\w-]{20,}\.eyJ[\w-]{20,}\./;
  const bad = packed.files
    .map(({ path }) => path)
    .filter((path) => {
      const text = readFileSync(join(engine, path), 'utf8');
      return secret.test(text) || places.some((place) => text.includes(`${place}/`));
    });
  expect(bad).toEqual([]);
});
