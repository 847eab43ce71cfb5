/** The server's read-only access to workspace files: search by glob, read as text. */
import type { Connection } from 'vscode-languageserver';
import { limits } from './limits.ts';
import {
  type FindFilesParams,
  findFilesRequest,
  type ReadFileParams,
  readFileRequest,
} from './protocol.ts';

export interface WorkspaceFile {
  readonly uri: string;
  readonly text: string;
}

export interface FoundFiles {
  /** Sorted URIs. */
  readonly uris: readonly string[];
  /** Whether the search stopped at a limit, so that there may be more files. */
  readonly isTruncated: boolean;
}

/** The file exists and is larger than the requested maximum. */
export type TooLong = 'too long';

export interface WorkspaceFiles {
  /**
   * Returns files in the workspace folders that match one of the globs, and never any other file.
   */
  find(globs: readonly string[], signal: AbortSignal): Promise<FoundFiles>;
  /** Returns `undefined` if the file does not exist or is not text. */
  read(uri: string, mostBytes: number): Promise<WorkspaceFile | TooLong | undefined>;
}

/** Whether a directory has large amounts of generated or third-party files and is not searched. */
export const isSkippedDirectory = (name: string): boolean => skippedDirectories.has(name);

const skippedDirectories: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** A workspace without files other than open documents. */
export const noFiles: WorkspaceFiles = {
  find: () => Promise.resolve({ uris: [], isTruncated: false }),
  read: () => Promise.resolve(undefined),
};

/** Reads workspace files through the client, for hosts without file access such as a browser. */
export const clientFiles = (connection: Pick<Connection, 'sendRequest'>): WorkspaceFiles => ({
  async find(globs, signal) {
    const params: FindFilesParams = { globs, most: limits.filesPerSearch + 1 };
    const response = await connection.sendRequest<unknown>(findFilesRequest, params);
    if (signal.aborted || !Array.isArray(response)) return { uris: [], isTruncated: false };
    const uris = response.filter((uri) => typeof uri === 'string');
    return {
      uris: uris.slice(0, limits.filesPerSearch).sort(),
      isTruncated: uris.length > limits.filesPerSearch,
    };
  },
  async read(uri, mostBytes) {
    const params: ReadFileParams = { uri, mostBytes };
    const response = await connection
      .sendRequest<unknown>(readFileRequest, params)
      .catch(() => undefined);
    if (typeof response !== 'object' || response === null) return undefined;
    if ('isTooLong' in response && response.isTooLong === true) return 'too long';
    if (!('text' in response) || typeof response.text !== 'string') return undefined;
    return response.text.length <= mostBytes ? { uri, text: response.text } : 'too long';
  },
});
