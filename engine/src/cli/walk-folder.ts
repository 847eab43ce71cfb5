/** Finds the files in a folder that may contain a configuration. */
import { escapeUnprintable } from '../source/unprintable.ts';
import type { FileFailure, Io } from './io.ts';

export interface WalkedFolder {
  /** Paths that begin with the path of the folder, ordered by name. */
  readonly files: readonly string[];
  /** Folders that cannot be read, and limits that are exceeded. */
  readonly failures: readonly FileFailure[];
}

/**
 * Returns the YAML and JSON files below a folder; `undefined` if the path is not a folder. Names
 * that begin with a dot, `node_modules`, and symbolic links to folders or out of their own folder are skipped.
 */
export const walkFolder = (path: string, io: Pick<Io, 'listFolder'>): WalkedFolder | undefined => {
  if (io.listFolder(path) === undefined) return undefined;
  const files: string[] = [];
  const failures = new Map<string, FileFailure>();
  let entryCount = 0;
  const fail = (reason: string, help: string): void => {
    failures.set(reason, { kind: 'failure', reason, help });
  };
  const visit = (folder: string, depth: number): void => {
    const listed = io.listFolder(folder) ?? [];
    if ('reason' in listed) {
      fail(listed.reason, listed.help ?? '');
      return;
    }
    for (const { name, kind } of listed) {
      entryCount += 1;
      if (entryCount > maxEntries || files.length >= maxFiles) {
        fail(`${escapeUnprintable(path)}: too many files`, tooManyHelp);
        return;
      }
      if (isSkipped(name)) continue;
      const inside = pathIn(folder, name);
      if (kind === 'file' && isCandidate(name)) files.push(inside);
      if (kind !== 'folder') continue;
      if (depth < maxDepth) visit(inside, depth + 1);
      else
        fail(`${escapeUnprintable(inside)}: more than ${maxDepth} levels of folders`, tooDeepHelp);
    }
  };
  visit(path, 1);
  return { files, failures: [...failures.values()] };
};

/** Returns the path as a user writes it: without `./`. */
const pathIn = (folder: string, name: string): string => {
  if (/^\.\/*$/.test(folder)) return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
};

/** Returns whether a file would be found below a folder, by its path in the folder. */
export const isFoundBelow = (path: string): boolean => {
  const names = path.split('/');
  return names.length <= maxDepth && !names.some(isSkipped) && isCandidate(names.at(-1) ?? '');
};

const isSkipped = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Returns whether a file may contain a configuration, by its name. */
export const isCandidate = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);

/** YAML and JSON files below one folder. */
export const maxFiles = 20_000;
/** Names below one folder. */
const maxEntries = 500_000;
/** Levels of folders. */
const maxDepth = 32;

const tooManyHelp = `At most ${maxFiles} YAML and JSON files among ${maxEntries} names are read: check the folders inside of it one by one.`;
const tooDeepHelp = 'Check this folder with a command of its own.';
