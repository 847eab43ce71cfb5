/** What is installed is pinned, comes without scripts, and the lockfile names no registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const lock = json('package-lock.json');
const packages = Object.entries(lock.packages) as [string, Record<string, unknown>][];

test('the lockfile names no registry host and has an integrity for every package', () => {
  expect(JSON.stringify(lock)).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  const foreign = packages.filter(([path, entry]) => path.includes('node_modules/') && !entry.link);
  expect(foreign.length).toBeGreaterThan(100);
  expect(foreign.filter(([, entry]) => entry.integrity === undefined)).toEqual([]);
});

test('nothing runs a script while it is installed', () => {
  expect(packages.filter(([, entry]) => entry.hasInstallScript === true)).toEqual([]);
});

test.each([
  'package.json',
  'engine/package.json',
  'language-server/package.json',
  'extension/package.json',
])('%s pins exact versions and has no install script', (path) => {
  const manifest = json(path);
  const wanted = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  for (const version of Object.values(wanted)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.scripts?.postinstall ?? manifest.scripts?.prepare).toBeUndefined();
});

test('the engine keeps to at most ten direct dependencies', () => {
  expect(Object.keys(json('engine/package.json').dependencies).length).toBeLessThanOrEqual(10);
});
