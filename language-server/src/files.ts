/** What the server may read of the workspace: files by glob, as text. Nothing is ever written. */

export interface WorkspaceFile {
  readonly uri: string;
  readonly text: string;
}

export interface FoundFiles {
  /** Sorted. */
  readonly uris: readonly string[];
  /** The search ended at a limit: there may be others. */
  readonly isTruncated: boolean;
}

/** There is a file, and it is larger than asked for. */
export type TooLong = 'too long';

export interface WorkspaceFiles {
  /** What lies below the workspace folders and matches one of the globs. Never outside of them. */
  find(globs: readonly string[], signal: AbortSignal): Promise<FoundFiles>;
  /** `undefined` where there is none, or where it is no text. */
  read(uri: string, mostBytes: number): Promise<WorkspaceFile | TooLong | undefined>;
}

/** A workspace that holds nothing but what is open. */
export const noFiles: WorkspaceFiles = {
  find: () => Promise.resolve({ uris: [], isTruncated: false }),
  read: () => Promise.resolve(undefined),
};
