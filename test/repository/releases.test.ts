/** Only `model/release.ts` names the newest and the oldest release. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestRelease, oldestRelease, releaseName } from '../../engine/src/model/release.ts';
import { versionObject } from '../../engine/src/server/endpoints/version.ts';

const root = join(import.meta.dirname, '../../engine/src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && path !== join('model', 'release.ts'),
);

test.each([newestRelease, oldestRelease])('no source spells out release %s', (release) => {
  const name = new RegExp(`(?<![\\d.])${releaseName(release).replace('.', '\\.')}(?![\\d.]\\d)`);
  const code = (path: string) =>
    readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.filter((path) => name.test(code(path)))).toEqual([]);
});

test('docs/cli.md names both', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  expect(page).toContain(
    `\`--target-version ${releaseName(oldestRelease)}\` to \`${releaseName(newestRelease)}\``,
  );
});

test('docs/cli.md documents the default of /version', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  const facts = { productVersion: '', nodeVersion: '', platform: '' };
  const gitVersion = versionObject({ ...facts, release: newestRelease }).get('gitVersion');
  expect(page).toContain(`\`/version\` then reports \`${String(gitVersion).split('+')[0]}\``);
});
