/** The tree of a commit: everything is built from it, so uncommitted changes and old results are no part of a release. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** `git archive` converts line endings according to the settings of the user. */
const unconverted = ['-c', 'core.autocrlf=false', '-c', 'core.attributesFile=/dev/null'];

/** Writes the files of a commit to a folder. */
export const writeSourceTree = async (
  folder: string,
  { root, revision }: { readonly root: string; readonly revision: string },
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await runProgram(
    'git',
    [...unconverted, 'archive', '--format=tar', '--output', archive, revision],
    { cwd: root },
  );
  await runProgram('tar', ['-x', '-f', archive, '-C', folder]);
};

/** Installs the packages of the lockfile. */
export const installPackages = (folder: string): Promise<string> =>
  runProgram('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });

/** Compiles the published packages, as `npm run build` does. */
export const compilePackages = async (folder: string): Promise<void> => {
  const compiler = join(folder, 'node_modules/.bin/tsc');
  await runProgram(compiler, ['-b', 'engine', 'language-server'], { cwd: folder });
  await runProgram(process.execPath, ['.ci/finish-cli.mjs'], { cwd: folder });
};
