/** The workspace folders, and the paths of files in them. */
import { URI } from 'vscode-uri';
import { limits } from './limits.ts';

export interface Folders {
  readonly uris: readonly string[];
  /**
   * Returns a path such as `a/b.yaml` relative to its folder; `undefined` outside of all folders.
   */
  pathOf(uri: string): string | undefined;
}

export const foldersAt = (uris: readonly string[]): Folders => {
  const included = uris.slice(0, limits.folders);
  const roots = included.flatMap((uri) => {
    const root = parseUri(uri);
    return root === undefined ? [] : [root];
  });
  return {
    uris: included,
    pathOf(uri) {
      const file = parseUri(uri);
      if (file === undefined) return undefined;
      for (const root of roots) {
        const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
        const same = root.scheme === file.scheme && root.authority === file.authority;
        if (same && file.path.startsWith(start)) return file.path.slice(start.length);
      }
      return undefined;
    },
  };
};

/** Returns the path without the leading slash, for files outside of all folders. */
export const barePath = (uri: string): string => (parseUri(uri)?.path ?? uri).replace(/^\/+/, '');

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
