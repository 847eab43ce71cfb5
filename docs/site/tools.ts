/** The generator of the site and its check of links, installed once outside of the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = [
  'vitepress@1.6.4',
  'github-slugger@2.0.0',
  'beautiful-mermaid@1.1.3',
  'linkinator@8.1.0',
  // Drives Chromium in the test of the site; it brings no browser.
  'playwright-core@1.65.1',
];

/** The folder of the packages: `AUTHGRAPH_SITE_TOOLS`, or the cache folder of the heavy tools. */
export const toolsFolder =
  process.env.AUTHGRAPH_SITE_TOOLS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-ci', 'site');

const installed = join(toolsFolder, 'installed');

/** Installs missing packages. Install scripts do not run. */
export const installSiteTools = (): void => {
  const wanted = packages.join('\n');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(toolsFolder, { recursive: true });
  writeFileSync(join(toolsFolder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, ...packages], {
    cwd: toolsFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm cannot install ${packages.join(' ')} in ${toolsFolder}`);
  writeFileSync(installed, wanted);
};

/** Imports a package of the folder. */
export const importTool = async <Module>(name: string): Promise<Module> => {
  const path = createRequire(join(toolsFolder, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
};
