/** What the server may read of the workspace: files by glob, as text. Nothing is ever written. */

export interface WorkspaceFile {
  readonly uri: string;
  readonly text: string;
}

export interface WorkspaceFiles {
  /** URIs below the workspace folders that match one of the globs, sorted. Never outside of them. */
  find(globs: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** `undefined` where there is none, where it is larger than `mostBytes`, or where it is no text. */
  read(uri: string, mostBytes: number): Promise<WorkspaceFile | undefined>;
}

/** A workspace that holds nothing but what is open. */
export const noFiles: WorkspaceFiles = {
  find: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
};
