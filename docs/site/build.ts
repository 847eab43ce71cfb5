/**
 * Builds the documentation as a static site with search in docs/site/dist, and checks its links: `npm run -s site`.
 * With `--serve`, the site is then served on this machine.
 */
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import { checkLinks } from './check-links.ts';
import { navigationOf } from './navigation.ts';
import { readSiteContent, routeOf } from './pages.ts';
import { importTool, installSiteTools, toolsFolder } from './tools.ts';

const root = join(import.meta.dirname, '../..');
/** The folder in which VitePress works. */
const work = join(root, '.cache/site');
export const siteFolder = join(import.meta.dirname, 'dist');

interface VitePress {
  build(root: string): Promise<void>;
  serve(options: { root: string; port: number }): Promise<{ readonly server: Server }>;
}

/** Builds the site, and returns its links that lead nowhere. */
export const buildSite = async (): Promise<readonly string[]> => {
  installSiteTools();
  prepareFolder();
  const { build } = await importTool<VitePress>('vitepress');
  await build(work);
  return checkLinks(siteFolder);
};

/** Serves the site that was built; port 0 is any free one. */
export const serveSite = async (port: number): Promise<Server> => {
  const { serve } = await importTool<VitePress>('vitepress');
  const { server } = await serve({ root: work, port });
  if (!server.listening) await once(server, 'listening');
  return server;
};

const prepareFolder = (): void => {
  const { pages, files } = readSiteContent();
  rmSync(work, { recursive: true, force: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  };
  for (const [path, text] of pages) write(join('pages', routeOf(path)), text);
  for (const path of files) {
    const copy = join(work, 'pages/public', fileAddress(path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, path), copy);
  }
  const routes = Object.fromEntries([...pages.keys()].map((path) => [path, routeOf(path)]));
  const addresses = Object.fromEntries(files.map((path) => [path, fileAddress(path)]));
  const sidebar = navigationOf(pages.get('docs/README.md') ?? '').map(({ text, items }) => ({
    text,
    items: items.map((item) => ({ text: item.text, link: linkTo(item.path, routes) })),
  }));
  cpSync(join(import.meta.dirname, 'vitepress'), join(work, '.vitepress'), { recursive: true });
  write(
    '.vitepress/site.json',
    JSON.stringify({ routes, files: addresses, sidebar, output: siteFolder }),
  );
  symlinkSync(join(toolsFolder, 'node_modules'), join(work, 'node_modules'), 'dir');
};

/** Returns the address of a file; servers hide names that begin with a dot. */
const fileAddress = (path: string): string => `/files/${path.replaceAll(/(^|\/)\./g, '$1')}`;

/** Returns the address of a page that docs/README.md links to. */
const linkTo = (link: string, routes: Readonly<Record<string, string>>): string => {
  const path = join('docs', link);
  const route = routes[path] ?? routes[join(path, 'README.md')];
  if (route === undefined) throw new Error(`docs/README.md: ${link} is not a page`);
  return `/${route.replace(/\.md$/, '')}`.replace(/\/index$/, '/');
};

if (import.meta.main) {
  const broken = await buildSite();
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--serve')) await serveSite(4173);
  else console.log(`the site is in ${siteFolder}`);
}
