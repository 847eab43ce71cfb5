/**
 * Resolves the paths in a file that may come from an untrusted folder, such as a test file or a settings
 * file: files outside of its repository are not read.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

const fs = process.getBuiltinModule('node:fs');

/** The path of a file that may be read, or why it may not. */
export type BoundedPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'outside'; readonly problem: string };

/** Resolves paths relative to the folder of a file, which must stay within a root folder. */
export interface BoundedFolder {
  readonly folder: string;
  readonly root: string;
}

/**
 * Returns the folder of a file. The root is the repository, which is the nearest folder with
 * `.git`, or the current folder if it contains the file, or else the folder of the file.
 */
export const boundedFolder = (file: string): BoundedFolder => {
  const folder = file === '-' ? resolve() : dirname(resolve(file));
  const here = resolve();
  const root = repositoryOf(folder) ?? (isWithin(here, folder) ? here : folder);
  return { folder, root };
};

const repositoryOf = (folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    if (fs.existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
};

/**
 * Resolves a path as it is written in the file; symbolic links must not lead out of the root. The
 * reader of configurations takes `FILE` of `FILE#NAME`, so that both must stay inside.
 */
export const resolveBounded = ({ folder, root }: BoundedFolder, written: string): BoundedPath => {
  const path = resolve(folder, written);
  const read = [path, path.replace(/#[^#]*$/, '')];
  const isInside = read.every(
    (one) => isWithin(root, one) && isWithin(realPath(root), realPath(one)),
  );
  // A file whose name starts with a dash is not standard input.
  const shown = shownPath(path).replace(/^-/, './-');
  if (isInside && !written.includes('\0')) return { kind: 'path', path: shown };
  return {
    kind: 'outside',
    problem: `the path leaves ${JSON.stringify(shownPath(root) || '.')}, outside of which nothing is read`,
  };
};

/**
 * Returns whether a file in a repository is a link to a file outside of it, or is in a folder that is one. A pull
 * request may contain such a link under the name of a report, which a command would write.
 */
export const leavesRepository = (path: string): boolean => {
  const at = boundedFolder(path);
  return (
    fs.existsSync(join(at.root, '.git')) && resolveBounded(at, basename(path)).kind === 'outside'
  );
};

/** Returns the path for messages: relative if it is below the current folder. */
export const shownPath = (path: string): string => {
  const fromHere = relative(resolve(), resolve(path));
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
};

const isWithin = (root: string, path: string): boolean => {
  const below = relative(root, path);
  return below === '' || (!/^\.\.(?:[\\/]|$)/.test(below) && !isAbsolute(below));
};

/**
 * Returns the path without symbolic links; a file that does not exist has the path of its folder, and a link to one that
 * of its target.
 */
const realPath = (path: string, maxLinks = 40): string => {
  try {
    return fs.realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = realPath(parent, maxLinks);
    const target = maxLinks > 0 ? linkTarget(path) : undefined;
    return target === undefined
      ? join(folder, basename(path))
      : realPath(resolve(folder, target), maxLinks - 1);
  }
};

const linkTarget = (path: string): string | undefined => {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
};
