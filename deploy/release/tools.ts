/**
 * Programs that check packages, installed once per machine and outside of the repository: they have many dependencies,
 * and only a release needs them.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

const publint = 'publint@0.3.25';
const attw = '@arethetypeswrong/cli@0.18.5';

export interface ReleaseTools {
  /** Paths of the programs, which Node.js runs. */
  readonly publint: string;
  readonly attw: string;
}

/** Install scripts do not run. */
export const releaseTools = async (): Promise<ReleaseTools> => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'authgraph-ci', `${publint} ${attw}`.replaceAll(/[/ @]+/g, '-'));
  const installed = join(folder, 'installed');
  if (!existsSync(installed)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await runProgram('npm', ['install', ...options, publint, attw], { cwd: folder });
    writeFileSync(installed, '');
  }
  return {
    publint: join(folder, 'node_modules/publint/src/cli.js'),
    attw: join(folder, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
  };
};
