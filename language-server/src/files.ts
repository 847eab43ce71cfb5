/** The server's read-only access to workspace files: search by glob, read as text. */

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

/** A workspace without files other than open documents. */
export const noFiles: WorkspaceFiles = {
  find: () => Promise.resolve({ uris: [], isTruncated: false }),
  read: () => Promise.resolve(undefined),
};
