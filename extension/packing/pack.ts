// `npm run package`: bundles and packs the extension, prints the path of the .vsix. With `-- --web` only
// what a browser runs is in it, so that an editor that could run both has to take that.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './bundle.mjs';
import { writeVsix } from './vsix.mjs';

const root = join(import.meta.dirname, '..');
const webOnly = process.argv.includes('--web');

/** The manifest that is installed: the code is bundled, and CommonJS. */
const packedManifest = () => {
  const {
    type,
    private: _,
    scripts,
    dependencies,
    devDependencies,
    engines,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (webOnly) delete manifest.main;
  return { ...manifest, engines: { vscode: engines.vscode } };
};

/** Files that are packed as they are, by folder. */
const folders = ['media', 'snippets', 'syntaxes', 'walkthrough'];

const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

const present = new Set(readdirSync(root));
const copied = folders.filter((folder) => present.has(folder)).flatMap(filesIn);
const files = new Map([
  ['package.json', `${JSON.stringify(packedManifest(), null, 2)}\n`],
  ['README.md', readFileSync(join(root, 'README.md'))],
  ['CHANGELOG.md', readFileSync(join(root, 'CHANGELOG.md'))],
  ['LICENSE.txt', readFileSync(join(root, 'LICENSE'))],
  ...copied.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path))]),
  ...(await bundle(webOnly ? { without: 'desktop' } : {})),
]);

const { name, version } = JSON.parse(files.get('package.json'));
const flavour = webOnly ? '-web' : '';
const target = join(root, `${name.replace('-vscode', '')}-${version}${flavour}.vsix`);
const bytes = writeVsix(files);
writeFileSync(target, bytes);

// The same as a folder, for `code --extensionDevelopmentPath`.
const unpacked = join(root, 'dist', `package${flavour}`);
rmSync(unpacked, { recursive: true, force: true });
for (const [path, content] of files) {
  mkdirSync(dirname(join(unpacked, path)), { recursive: true });
  writeFileSync(join(unpacked, path), content);
}
console.log(target);
console.error(`${files.size} files, ${(bytes.length / 1024).toFixed(0)} KiB`);
