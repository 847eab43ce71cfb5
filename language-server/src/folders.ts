/** The workspace folders, and the paths of files in them. */
import { URI } from 'vscode-uri';
import { limits } from './limits.ts';

export interface Folders {
  readonly uris: readonly string[];
  /**
   * Returns a path such as `a/b.yaml` relative to its folder; `undefined` outside of all folders.
   */
  pathOf(uri: string): string | undefined;
  /** Returns the folder of a file; `undefined` outside of all folders. */
  folderOf(uri: string): Folder | undefined;
}

export interface Folder {
  readonly uri: string;
  /** The end of the path: as many segments as distinguish the folder from the others. */
  readonly label: string;
}

export const foldersAt = (uris: readonly string[]): Folders => {
  const included = uris.slice(0, limits.folders);
  const labels = shortestLabels(included);
  const roots = included.flatMap((uri, index) => {
    const root = parseUri(uri);
    return root === undefined ? [] : [{ root, folder: { uri, label: labels[index] ?? uri } }];
  });
  const find = (uri: string): { readonly folder: Folder; readonly path: string } | undefined => {
    const file = parseUri(uri);
    if (file === undefined) return undefined;
    for (const { root, folder } of roots) {
      const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
      const same = root.scheme === file.scheme && root.authority === file.authority;
      if (same && file.path.startsWith(start))
        return { folder, path: file.path.slice(start.length) };
    }
    return undefined;
  };
  return {
    uris: included,
    pathOf: (uri) => find(uri)?.path,
    folderOf: (uri) => find(uri)?.folder,
  };
};

/**
 * Returns the files that are in one of the folders, at any depth. All URIs are canonical. Watchers
 * report a deleted folder alone, without its files.
 */
export const filesIn = (folders: Iterable<string>, files: Iterable<string>): readonly string[] => {
  const starts = Array.from(folders, (folder) => `${folder}/`).sort();
  if (starts.length === 0) return [];
  const sorted = [...files].sort();
  const found: string[] = [];
  let at = 0;
  for (const start of starts) {
    for (; at < sorted.length; at += 1) {
      const file = sorted[at] ?? '';
      if (file < start) continue;
      if (!file.startsWith(start)) break;
      found.push(file);
    }
  }
  return found;
};

const shortestLabels = (uris: readonly string[]): readonly string[] => {
  const paths = uris.map((uri) => barePath(uri).split('/').filter(Boolean));
  const endOf = (path: readonly string[], length: number): string => path.slice(-length).join('/');
  return paths.map((path) => {
    const isUnique = (length: number): boolean =>
      paths.every((other) => other === path || endOf(other, length) !== endOf(path, length));
    const lengths = path.slice(-maxLabelSegments).map((_, index) => index + 1);
    return endOf(path, lengths.find(isUnique) ?? path.length);
  });
};

const maxLabelSegments = 8;

/** Returns the path without the leading slash, for files outside of all folders. */
export const barePath = (uri: string): string => (parseUri(uri)?.path ?? uri).replace(/^\/+/, '');

/** Returns one spelling for a URI; clients escape differently. */
export const canonicalUri = (uri: string): string => {
  try {
    return URI.parse(uri, true).toString();
  } catch {
    return uri;
  }
};

/** Parses a URI. Drive letters are lowercased, because clients differ. */
const parseUri = (uri: string): URI | undefined => {
  try {
    const read = URI.parse(uri, true);
    const path = read.path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
    return path === read.path ? read : read.with({ path });
  } catch {
    return undefined;
  }
};
