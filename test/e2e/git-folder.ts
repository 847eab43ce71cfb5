/** Runs Git in a copy of the example workspace. */
import { spawnSync } from 'node:child_process';

/** Runs one command of Git; throws its error. */
export const git = (folder: string, ...args: readonly string[]): void => {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const { status, stderr } = spawnSync('git', [...person, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
};

/** Creates a repository and commits the initial workspace to its branch `main`. */
export const commitAll = (folder: string): void => {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'Begin');
};
