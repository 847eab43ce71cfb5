/** Dependencies are pinned and have no install scripts, and the lockfile names no registry. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const lock = json('package-lock.json');
const packages = Object.entries(lock.packages) as [string, Record<string, unknown>][];

test('INV-B1 the lockfile names no registry host and has an integrity for every package', () => {
  expect(lock.lockfileVersion).toBe(3);
  expect(JSON.stringify(lock)).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  const thirdParty = packages.filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link,
  );
  expect(thirdParty.length).toBeGreaterThan(100);
  expect(thirdParty.filter(([, entry]) => entry.integrity === undefined)).toEqual([]);
});

test('INV-B1 nothing runs a script while it is installed', () => {
  expect(packages.filter(([, entry]) => entry.hasInstallScript === true)).toEqual([]);
});

test.each([
  'package.json',
  'engine/package.json',
  'language-server/package.json',
  'extension/package.json',
])('INV-B1 %s pins exact versions and has no install script', (path) => {
  const manifest = json(path);
  const wanted = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  for (const version of Object.values(wanted)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.scripts?.postinstall ?? manifest.scripts?.prepare).toBeUndefined();
});

describe('npm links a program where it is there before the build', () => {
  test.each(['package.json', 'engine/package.json'])('%s', (path) => {
    const { bin } = json(path);
    expect(Object.keys(bin)).toEqual(['authgraph', 'kubectl-authgraph']);
    for (const file of Object.values<string>(bin)) {
      const program = join(dirname(path), file);
      expect(program).not.toContain('dist');
      expect(existsSync(join(root, program))).toBe(true);
    }
  });

  test('and it says what is missing', () => {
    const { path: folder } = temporaryFolder(onTestFinished);
    cpSync(join(root, 'engine/bin'), join(folder, 'bin'), { recursive: true });
    for (const name of ['authgraph', 'kubectl-authgraph']) {
      const program = join(folder, `bin/${name}.js`);
      const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: 'authgraph is not built yet in this clone: run `npm run build`\n',
      });
    }
  });
});

describe('INV-B2 the engine has few dependencies, and each is documented', () => {
  const names = Object.keys(json('engine/package.json').dependencies);
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  // Ten, and the OpenID Connect client of get-token, which is loaded by that command alone.
  test('at most eleven', () => {
    expect(names.length).toBeLessThanOrEqual(11);
  });
  test.each(names)('%s: its license, where it is used and what for', (name) => {
    const [, license = '', files = '', purpose = ''] =
      new RegExp(`^\\| ${name} \\| (.*?) \\| (.*?) \\| (.*?) \\|$`, 'm').exec(page) ?? [];
    const nested = lock.packages[`engine/node_modules/${name}`];
    const installed = nested ?? lock.packages[`node_modules/${name}`];
    expect(license).toBe(installed.license);
    expect(files).toContain('.ts`');
    expect(purpose.length).toBeGreaterThan(5);
  });
});

describe('INV-B4 no code comes from a path or a text of a third party', () => {
  const folder = join(root, 'engine/src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

  test('imports have literal specifiers, except for the bundle next to the program', () => {
    expect(sources.length).toBeGreaterThan(200);
    const dynamic = sources.flatMap(([name, text]) =>
      [...text.matchAll(/\bimport\((?!')[^)]*\)?/g)].map(([call]) => `${name}: ${call}`),
    );
    expect(dynamic).toEqual(['cli/main.ts: import(bundle.href)']);
  });

  test('nothing makes code out of text', () => {
    const makers = /\beval\(|new Function\b|node:vm|createRequire|\brequire\(|_load\(|dlopen/;
    expect(sources.filter(([, text]) => makers.test(text)).map(([name]) => name)).toEqual([]);
  });

  test('it runs where code cannot be made out of text', () => {
    const sample = readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' }).find(
      (name) =>
        name.endsWith('.yaml') &&
        readFileSync(join(root, 'samples', name), 'utf8').includes('expression:'),
    );
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        ...['--conditions=source', '--disallow-code-generation-from-strings'],
        ...[join(folder, 'cli/main.ts'), 'compile', join(root, 'samples', sample ?? '')],
      ],
      { encoding: 'utf8' },
    );
    expect(stderr).not.toContain('EvalError');
    expect(status).toBe(0);
  });
});
