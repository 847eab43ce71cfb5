/** The generator of the site and its check of links, installed once outside of the project. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** `AUTHGRAPH_SITE_TOOLS`, or the cache folder of the heavy tools. */
const cacheFolder =
  process.env.AUTHGRAPH_SITE_TOOLS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-ci', 'site');

/** The folder of the packages, named after their versions. It exists once all are installed. */
export const toolsFolder = join(
  cacheFolder,
  createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16),
);

/**
 * Installs missing packages. Install scripts do not run. Several processes may install at the same
 * time: each uses a folder of its own, and the first one to finish gives it its name.
 */
export const installSiteTools = (): void => {
  if (existsSync(toolsFolder)) return;
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(`${toolsFolder}-`);
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', ['install', ...options, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`npm cannot install ${packages.join(' ')} in ${folder}`);
    renameSync(folder, toolsFolder);
  } catch (cause) {
    // Another process may have been faster.
    if (!existsSync(toolsFolder)) throw cause;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Imports a package of the folder. */
export const importTool = async <Module>(name: string): Promise<Module> => {
  const path = createRequire(join(toolsFolder, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
};
