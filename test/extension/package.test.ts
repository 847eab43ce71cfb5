/** The package: complete, small, reproducible, and without Node modules for the browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../engine/src/catalog.ts';
import { packageFiles } from '../../extension/packing/package-files.ts';
import { manifestOf, type PackedFiles, writeVsix } from '../../extension/packing/vsix.ts';

let files: PackedFiles;
beforeAll(async () => {
  files = await packageFiles({ webOnly: false, address: undefined });
}, 60_000);

const textAt = (path: string): string => {
  const content = files.get(path);
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
};

test('packs the same files into the same bytes in any order', async () => {
  const bytes = await writeVsix(files);
  expect(await writeVsix(new Map([...files].reverse()))).toEqual(bytes);
  expect(bytes.length).toBeLessThan(1_600_000);
});

test('packs a zip of the files, a manifest and media types', async () => {
  const entries = unzipSync(await writeVsix(files));
  const names = Object.keys(entries);
  expect(names).toEqual([
    '[Content_Types].xml',
    ...['extension.vsixmanifest', ...[...files.keys()].map((path) => `extension/${path}`)].sort(),
  ]);
  const manifest = new TextDecoder().decode(entries['extension.vsixmanifest']);
  expect(manifest).toContain('Id="authgraph" Version="0.1.0" Publisher="authgraph"');
  expect(manifest).toContain('Path="extension/README.md"');
});

test('contains every file that the manifest names', () => {
  const { main = '', browser = '', icon = '' } = manifestOf(files);
  const named = [
    ...textAt('package.json').matchAll(/"(?:\.\/)?((?:media|syntaxes|walkthrough)\/[^"]+)"/g),
  ];
  const paths = [main, browser, icon, ...named.map(([, path = '']) => path)];
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) expect([...files.keys()]).toContain(path.replace(/^\.\//, ''));
});

test('bundles the parts of undici that are used to contact issuers', () => {
  const folder = join(import.meta.dirname, '../../engine/src/node');
  const used = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/\bundici\.([A-Za-z]+)/g),
    ])
    .map(([, name]) => name);
  const parts = join(import.meta.dirname, '../../extension/packing/undici-parts.js');
  const [, listed = ''] = /export \{(.*)\}/.exec(readFileSync(parts, 'utf8')) ?? [];
  expect([...new Set(used)].sort()).toEqual(listed.match(/\w+/g)?.toSorted());
});

test('contains the WebAssembly of the HTTP parser once', () => {
  const parsers = [...files.keys()].flatMap((path) => [...textAt(path).matchAll(/AGFzbQEAAAA/g)]);
  expect(parsers.length).toBe(1);
});

test('contains the page of each diagnostic code', () => {
  const pages = JSON.parse(textAt('media/rule-pages.json'));
  expect(catalog.length).toBeGreaterThan(50);
  for (const { name } of catalog) expect(Object.keys(pages)).toContain(`${name}.md`);
});

test('omits repository fields from the manifest', () => {
  const manifest = JSON.parse(textAt('package.json'));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['dependencies']));
  expect(manifest.type).toBeUndefined();
  expect(manifest.engines).toEqual({ vscode: '^1.91.0' });
});

describe('modules that a bundle requires', () => {
  const required = (path: string): readonly string[] =>
    [
      ...new Set(
        [...textAt(path).matchAll(/\brequire\([`"']([^`"']+)[`"']\)/g)].map(
          ([, name = '']) => name,
        ),
      ),
    ].sort();
  const isBuiltin = (name: string): boolean =>
    name.startsWith('node:') || builtinModules.includes(name.split('/', 1)[0] ?? '');

  test('in a browser: only vscode', () => {
    expect(required('dist/web.js')).toEqual(['vscode']);
    expect(/\bimport\((?!\))/.exec(textAt('dist/web.js'))?.[0]).toBeUndefined();
  });
  test('at startup on a desktop: little code, and the rest on demand', () => {
    expect(required('dist/desktop.js')).toEqual(['./testing.js', './work.js', 'vscode']);
    expect(textAt('dist/desktop.js').length).toBeLessThan(8000);
    expect(textAt('dist/desktop.js')).toMatch(
      /then\(\(\)=>[^;]{0,40}require\([`"']\.\/work\.js[`"']\)/,
    );
  });
  test('later on a desktop: vscode and Node', () => {
    expect(
      required('dist/work.js').filter((name) => name !== 'vscode' && !isBuiltin(name)),
    ).toEqual(['./key-sets.js']);
    expect(textAt('dist/key-sets.js').length).toBeLessThan(200_000);
    for (const path of files.keys()) {
      if (!path.startsWith('dist/server')) continue;
      const others = required(path).filter(
        (name) => !isBuiltin(name) && !name.startsWith('./server'),
      );
      expect([path, others]).toEqual([path, []]);
    }
    expect(textAt('dist/server.js').length).toBeLessThan(2_000_000);
  });
  test.each(['media/whoami.js', 'media/graph.js', 'media/explain.js'])('%s: none', (path) => {
    expect(required(path)).toEqual([]);
  });
});

describe('pages never parse text as markup', () => {
  test.each(['media/whoami.js', 'media/graph.js', 'media/explain.js'])('%s', (path) => {
    const makers = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
    expect(makers.exec(textAt(path))?.[0]).toBeUndefined();
  });
  test('uses only colors of the theme', () => {
    expect(textAt('media/page.css')).not.toMatch(/:[^;{}]*(?:#[0-9a-f]{3,8}\b|rgb|hsl)/i);
  });
});

test('contains no paths of the build machine', () => {
  const buildPath = /(?:^|["'` ])\/(?:work|home|root|tmp)\/[a-z]/m;
  for (const path of files.keys())
    expect([path, buildPath.exec(textAt(path))?.[0]]).toEqual([path, undefined]);
});

describe('links to the repository', () => {
  const address = 'https://git.example/owner/authgraph';
  let published: PackedFiles;
  beforeAll(async () => {
    published = await packageFiles({ webOnly: true, address });
  }, 60_000);

  test('are part of a published package', async () => {
    expect(JSON.parse(String(published.get('package.json')))).toMatchObject({
      repository: { type: 'git', url: `${address}.git`, directory: 'extension' },
      bugs: { url: `${address}/issues` },
      homepage: `${address}/blob/v0.1.0/docs/editor.md`,
    });
    const entries = unzipSync(await writeVsix(published));
    const manifest = new TextDecoder().decode(entries['extension.vsixmanifest']);
    expect(manifest).toContain(`Links.Support" Value="${address}/issues"`);
    expect(manifest).toContain(`Links.Source" Value="${address}.git"`);
  });
  test('lead from its README to pictures and pages that exist', () => {
    const targets = [
      ...String(published.get('README.md')).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g),
    ].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(6);
    for (const target of targets) {
      const [, path = ''] =
        /^https:\/\/git\.example\/owner\/authgraph\/(?:raw|blob)\/v0\.1\.0\/(.+)$/.exec(target) ??
        [];
      expect([target, existsSync(join(import.meta.dirname, '../..', path))]).toEqual([
        target,
        true,
      ]);
    }
  });
  test('are left out of a package that is not published', () => {
    expect(textAt('README.md')).not.toMatch(/\]\(|\.\.\//);
    expect(textAt('README.md')).toContain('described in the documentation, as are other editors');
    expect(JSON.parse(textAt('package.json')).repository).toBeUndefined();
  });
});

test('the Marketplace finds the extension by the words that users search for', () => {
  const { keywords = [], description } = manifestOf(files);
  for (const word of ['Kubernetes', 'kube-apiserver', 'OIDC', 'Keycloak', 'Okta'])
    expect(keywords).toContain(word);
  // The Marketplace accepts 30.
  expect(keywords.length).toBeLessThanOrEqual(30);
  expect(description).toContain('Kubernetes');
  expect(textAt('README.md').split('\n## ', 1)[0]).toContain('Kubernetes');
});

test('the icon has 256 × 256 pixels', () => {
  const icon = readFileSync(join(import.meta.dirname, '../../extension/media/icon.png'));
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([256, 256]);
});
