/** Collects the files of the package: the manifest, documents, images, and bundled code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bundle } from './bundle.ts';
import { packedReadme } from './packed-readme.ts';
import type { PackedFiles } from './vsix.ts';

export interface PackageOptions {
  /** Packs only the browser part, so that an editor that supports both must use it. */
  readonly webOnly: boolean;
  /** The address of the published repository; `undefined` if it is not published. */
  readonly address: string | undefined;
}

export const packageFiles = async ({ webOnly, address }: PackageOptions): Promise<PackedFiles> => {
  const present = new Set(readdirSync(root));
  const copied = folders.filter((folder) => present.has(folder)).flatMap(filesIn);
  return new Map<string, string | Uint8Array>([
    ['package.json', packedManifest({ webOnly, address })],
    ['README.md', readme(address)],
    ['CHANGELOG.md', bytesOf('CHANGELOG.md')],
    ['LICENSE.txt', bytesOf('LICENSE')],
    ['media/rule-pages.json', rulePages()],
    ['media/settings.v1.json', bytesOf('../docs/schema/settings.v1.json')],
    ...copied.map((path) => [path, bytesOf(path)] as const),
    ...(await bundle(webOnly ? ['web', 'page'] : ['desktop', 'web', 'page'])),
  ]);
};

const readme = (address: string | undefined): string => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const { version } = sourceManifest();
  return packedReadme(text, address === undefined ? undefined : { address, tag: `v${version}` });
};

const root = join(import.meta.dirname, '..');

/** Folders whose files are packed unchanged. */
const folders = ['media', 'syntaxes', 'walkthrough'];

const bytesOf = (path: string): Uint8Array => readFileSync(join(root, path));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));

/** All pages in one file, since a hundred small files do not compress well. */
const rulePages = (): string => {
  const folder = join(root, '../docs/diagnostics');
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return JSON.stringify(
    Object.fromEntries(
      names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    ),
  );
};

/** Manifest fields that only the repository needs. The packed code is bundled CommonJS. */
const repositoryFields: ReadonlySet<string> = new Set([
  'dependencies',
  'devDependencies',
  'private',
  'scripts',
  'type',
]);

interface SourceManifest extends Readonly<Record<string, unknown>> {
  readonly version: string;
  readonly engines: { readonly vscode: string };
}

const sourceManifest = (): SourceManifest =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const packedManifest = ({ webOnly, address }: PackageOptions): string => {
  const manifest = sourceManifest();
  const fields = Object.entries(manifest).filter(
    ([name]) => !repositoryFields.has(name) && !(webOnly && name === 'main'),
  );
  const packed = {
    ...Object.fromEntries(fields),
    // The workspace `authgraph` is the repository itself.
    name: 'authgraph',
    ...(address === undefined ? {} : linksTo(address, manifest.version)),
    engines: { vscode: manifest.engines.vscode },
  };
  return `${JSON.stringify(packed, null, 2)}\n`;
};

/** Manifest fields from which the Marketplace and Open VSX link to the repository. */
const linksTo = (address: string, version: string) => ({
  repository: { type: 'git', url: `${address}.git`, directory: 'extension' },
  bugs: { url: `${address}/issues` },
  homepage: `${address}/blob/v${version}/docs/editor.md`,
});
