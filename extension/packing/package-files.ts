/** Collects the files of the package: the manifest, documents, images, and bundled code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bundle } from './bundle.ts';
import type { PackedFiles } from './vsix.ts';

/**
 * Packs only the browser part if `webOnly` is set, so that an editor that supports both must use it.
 */
export const packageFiles = async ({
  webOnly,
}: {
  readonly webOnly: boolean;
}): Promise<PackedFiles> => {
  const present = new Set(readdirSync(root));
  const copied = folders.filter((folder) => present.has(folder)).flatMap(filesIn);
  return new Map<string, string | Uint8Array>([
    ['package.json', packedManifest({ webOnly })],
    ['README.md', bytesOf('README.md')],
    ['CHANGELOG.md', bytesOf('CHANGELOG.md')],
    ['LICENSE.txt', bytesOf('LICENSE')],
    ['media/rule-pages.json', rulePages()],
    ['media/settings.v1.json', bytesOf('../docs/schema/settings.v1.json')],
    ...copied.map((path) => [path, bytesOf(path)] as const),
    ...(await bundle(webOnly ? ['web', 'page'] : ['desktop', 'web', 'page'])),
  ]);
};

const root = join(import.meta.dirname, '..');

/** Folders whose files are packed unchanged. */
const folders = ['media', 'snippets', 'syntaxes', 'walkthrough'];

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

const packedManifest = ({ webOnly }: { readonly webOnly: boolean }): string => {
  const manifest: Record<string, unknown> & { readonly engines: { readonly vscode: string } } =
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const fields = Object.entries(manifest).filter(
    ([name]) => !repositoryFields.has(name) && !(webOnly && name === 'main'),
  );
  const packed = { ...Object.fromEntries(fields), engines: { vscode: manifest.engines.vscode } };
  return `${JSON.stringify(packed, null, 2)}\n`;
};
