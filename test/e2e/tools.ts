/**
 * The tools that the suite needs, installed once outside of the project: VS Code as a server
 * (code-server), the Node version it requires, a browser driver, and Debian's Chromium with a font.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';
import type { Chromium } from './browser.ts';

export interface Tools {
  /** Node 24, and code-server's entry point. */
  readonly node: string;
  readonly codeServer: string;
  readonly chromiumPath: string;
  readonly chromium: Chromium;
  /** Path of `strace`; absent if it is not available. */
  readonly strace: string | undefined;
}

const codeServer = 'code-server@4.139.1';
const driver = 'playwright-core@1.65.1';
const nodePackage = `node-${platform()}-${arch()}`;

/** The folder of the tools: `AUTHGRAPH_E2E_TOOLS`, or the cache folder of the heavy tools. */
const folder =
  process.env.AUTHGRAPH_E2E_TOOLS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-ci', 'vscode');

/** Installs missing tools. Install scripts do not run, because nothing native is needed. */
export const installTools = (): Tools => {
  if (!existsSync(join(folder, 'installed'))) installPackages();
  const chromiumPath = installChromium();
  const tools = createRequire(join(folder, 'package.json'));
  return {
    node: join(folder, 'node_modules', nodePackage, 'bin/node'),
    codeServer: join(folder, 'node_modules/code-server/out/node/entry.js'),
    chromiumPath,
    chromium: tools('playwright-core').chromium,
    strace: program('strace'),
  };
};

const installPackages = (): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, `${nodePackage}@24.21.0`, codeServer, driver], folder);
  const inner = join(folder, 'node_modules/code-server/lib/vscode');
  run('npm', ['install', ...options, '--omit=dev'], inner);
  writeFileSync(join(folder, 'installed'), `${codeServer}\n${driver}\n`);
};

/** Returns the path of Chromium; it is installed from Debian's package if it is missing. */
export const installChromium = (): string => {
  installPrograms();
  const path = process.env.CHROMIUM ?? program('chromium');
  if (path === undefined) throw new Error('no Chromium: name it in CHROMIUM');
  return path;
};

/** Installs the Debian packages of missing programs. */
const installPrograms = (): void => {
  const missing = [
    ...(process.env.CHROMIUM === undefined && program('chromium') === undefined
      ? ['chromium', 'fonts-dejavu-core']
      : []),
    ...(program('strace') === undefined ? ['strace'] : []),
  ];
  if (missing.length === 0 || program('apt-get') === undefined) return;
  run('apt-get', ['update', '-qq'], '/');
  run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...missing], '/');
};

const program = (name: string): string | undefined => {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const run = (command: string, args: readonly string[], cwd: string): void => {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env: environment });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed in ${cwd}`);
};
