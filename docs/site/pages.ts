/** The pages of the site: all of docs/, and what they link to in the repository. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface SiteContent {
  /** Text of each page by its path in the repository. */
  readonly pages: ReadonlyMap<string, string>;
  /** Paths of other files to which pages link. */
  readonly files: readonly string[];
}

/** Reads the pages; a linked folder without a README becomes a page that lists its files. */
export const readSiteContent = (): SiteContent => {
  const pages = new Map<string, string>();
  const files = new Set<string>();
  const waiting = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];
  for (const path of waiting) {
    if (pages.has(path) || files.has(path)) continue;
    if (statSync(join(root, path)).isDirectory()) {
      const readme = posix.join(path, 'README.md');
      if (existsSync(join(root, readme))) waiting.push(readme);
      else {
        const text = folderPage(path);
        pages.set(readme, text);
        waiting.push(...linksOf(readme, text));
      }
    } else if (path.endsWith('.md')) {
      const text = readFileSync(join(root, path), 'utf8');
      pages.set(path, text);
      waiting.push(...linksOf(path, text));
    } else {
      files.add(path);
    }
  }
  return { pages, files: [...files] };
};

/** Returns the paths in the repository to which a page links. Those that do not exist fail later, with their line. */
const linksOf = (page: string, text: string): readonly string[] =>
  Array.from(text.matchAll(/\]\(([^)\s#]+)/g), ([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => posix.join(dirname(page), link).replace(/\/$/, ''))
    .filter((path) => !path.startsWith('..') && existsSync(join(root, path)));

const folderPage = (folder: string): string =>
  `# Files in ${folder}\n\n${readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `- [${name}](${name})\n`)
    .join('')}`;

/** Returns the path of a page in the site: `docs/running/deploy.md` is `running/deploy.md`. */
export const routeOf = (path: string): string => {
  if (path === 'README.md') return 'about.md';
  const place = path.startsWith('docs/') ? path.slice('docs/'.length) : `repository/${path}`;
  return place.replace(/(^|\/)README\.md$/, '$1index.md');
};
