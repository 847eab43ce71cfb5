/** The oldest Node.js on which the packages are tested, from its platform package in the registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';

const version = '22.23.3';

/** Installs it once per machine, and returns the path of the program. */
export const oldestNode = (): string => {
  const name = `node-${platform()}-${arch()}`;
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const place = join(cache, 'authgraph-ci/node-22');
  mkdirSync(place, { recursive: true });
  if (!existsSync(join(place, 'package.json'))) writeFileSync(join(place, 'package.json'), '{}');
  const flags = ['--no-audit', '--no-fund', '--no-save', '--silent'];
  const args = ['install', ...flags, `${name}@${version}`];
  const { status } = spawnSync('npm', args, { cwd: place, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error(`${name}@${version} cannot be installed in ${place}`);
  return join(place, 'node_modules', name, 'bin/node');
};
