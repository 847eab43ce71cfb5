/** The published package in an empty folder: it brings its documentation and the sample of the demo. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentationUrl } from '../../engine/src/diagnostics/page.ts';

const root = join(import.meta.dirname, '../..');
const engine = join(root, 'engine');
const { name, version, dependencies } = JSON.parse(
  readFileSync(join(engine, 'package.json'), 'utf8'),
);
let folder = '';
let installed = '';
let main = '';

/** As `npm install` would lay it out; its dependencies are those of the repository. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'authgraph-package-'));
  const pack = spawnSync('npm', ['pack', '--pack-destination', folder, '--ignore-scripts'], {
    cwd: engine,
    encoding: 'utf8',
  });
  expect(pack.status, pack.stderr).toBe(0);
  const [tarball = ''] = readdirSync(folder);
  expect(tarball).toBe(`authgraph-engine-${version}.tgz`);
  installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  const unpack = ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1'];
  expect(spawnSync('tar', unpack).status).toBe(0);
  for (const dependency of Object.keys(dependencies)) {
    const own = join(engine, 'node_modules', dependency);
    const target = existsSync(own) ? own : join(root, 'node_modules', dependency);
    const link = join(folder, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  main = join(installed, 'dist/cli/main.js');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has a licence, and a page for every code', () => {
  expect(existsSync(join(installed, 'dist/LICENSE'))).toBe(true);
  const [purl = '', path = ''] = documentationUrl.split('#');
  expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}`);
  const pages = readdirSync(join(installed, path, 'diagnostics'));
  expect(pages.length).toBeGreaterThan(80);
});

test('explains a code with its whole page', () => {
  const { status, stdout } = spawnSync(process.execPath, [main, 'explain', 'AG4001'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('\nHow to mend it\n');
});

test('runs the demo with its own sample, in a copy that goes away', async () => {
  const child = spawn(process.execPath, [main, 'demo', '--json', '--secure-port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value } = await lines.next();
    const ready = JSON.parse(String(value));
    expect(ready.kind).toBe('ready');
    expect(existsSync(ready.configuration)).toBe(true);
    expect(ready.configuration.startsWith(installed)).toBe(false);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(ready.configuration)).toBe(false);
  } finally {
    child.kill('SIGKILL');
  }
});
