/**
 * Workspace files through Node, restricted to the workspace folders. Links to directories are not
 * followed, links to files only if their target is in a folder, and only regular files are opened.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { matcher } from '@authgraph/engine/language';
import { isSkippedDirectory, type TooLong, type WorkspaceFiles } from './files.ts';
import { limits } from './limits.ts';

/**
 * Returns the access to `folders`, which are URIs; those that are not local directories are left
 * out.
 */
export const nodeFiles = (folders: readonly string[]): WorkspaceFiles => {
  const roots = folders.slice(0, limits.folders).flatMap((uri) => pathOf(uri) ?? []);
  return {
    async find(globs, signal) {
      const matches = matcher(globs);
      const found = new Set<string>();
      const budget: Budget = {
        directories: limits.directories,
        entries: limits.entries,
        isSpent: folders.length > limits.folders,
      };
      for (const root of roots) {
        for await (const path of filesBelow(root, budget, signal)) {
          if (!matches(path)) continue;
          if (found.size >= limits.filesPerSearch)
            return { uris: [...found].sort(), isTruncated: true };
          found.add(pathToFileURL(join(root, path)).href);
        }
      }
      return { uris: [...found].sort(), isTruncated: budget.isSpent };
    },
    async read(uri, mostBytes) {
      const path = pathOf(uri);
      if (path === undefined) return undefined;
      const read = await readInside(roots, path, mostBytes).catch(() => undefined);
      return typeof read === 'object' ? { uri, ...read } : read;
    },
  };
};

const pathOf = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
};

/** Decremented during a search. */
interface Budget {
  directories: number;
  entries: number;
  /** Whether something was skipped. */
  isSpent: boolean;
}

/** Yields relative paths with `/`, breadth first, so that limits cut off the deepest ones. */
async function* filesBelow(
  root: string,
  budget: Budget,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let level: readonly string[] = [''];
  for (let depth = 0; depth < limits.depth && level.length > 0; depth += 1) {
    const subdirectories: string[] = [];
    for (const directory of level) {
      if (signal.aborted) return;
      if (budget.directories <= 0) {
        budget.isSpent = true;
        return;
      }
      budget.directories -= 1;
      // Directories are read one at a time to leave the machine responsive.
      const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (budget.entries <= 0) {
          budget.isSpent = true;
          return;
        }
        budget.entries -= 1;
        const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!isSkippedDirectory(entry.name)) subdirectories.push(path);
        } else if (entry.isFile() || entry.isSymbolicLink()) yield path;
      }
    }
    level = subdirectories;
  }
  if (level.length > 0) budget.isSpent = true;
}

const readInside = async (
  roots: readonly string[],
  path: string,
  mostBytes: number,
): Promise<ReadText> => {
  const real = await realpath(path);
  const inside = await Promise.all(
    roots.map(async (root) => {
      const start = await realpath(root).catch(() => undefined);
      return start !== undefined && real.startsWith(start.endsWith(sep) ? start : start + sep);
    }),
  );
  if (!inside.includes(true) || !(await lstat(real)).isFile()) return undefined;
  // The file may have been replaced by a link or a pipe since the check.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    return await readText(file, mostBytes);
  } finally {
    await file.close();
  }
};

type ReadText = { readonly text: string } | TooLong | undefined;

const readText = async (file: FileHandle, mostBytes: number): Promise<ReadText> => {
  const { size } = await file.stat();
  if (size > mostBytes) return 'too long';
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
    return { text };
  } catch {
    return undefined;
  }
};
