/** Requests of the server to the client for workspace files. */

export const findFilesRequest = 'authgraph/findFiles';
export interface FindFilesParams {
  readonly globs: readonly string[];
  /** Maximum number of files per folder and glob. */
  readonly most: number;
}
/** Returns a list of URIs. */
export const readFileRequest = 'authgraph/readFile';
export interface ReadFileParams {
  readonly uri: string;
  readonly mostBytes: number;
}
/** Null if the file does not exist or is not text. `isTooLong` if it is larger than `mostBytes`. */
export type ReadFileAnswer = { readonly text: string } | { readonly isTooLong: true } | null;
