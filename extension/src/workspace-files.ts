/** Files of the workspace, for ourselves and for a server that has none of its own, as in a browser. Only read. */
import {
  type FindFilesParams,
  findFilesRequest,
  type ReadFileAnswer,
  type ReadFileParams,
  readFileRequest,
} from '@authgraph/language-server/protocol';
import { RelativePattern, Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

export const serveFiles = (client: BaseLanguageClient): void => {
  client.onRequest(findFilesRequest, async ({ globs, most }: FindFilesParams) =>
    (await findInFolders(globs, most)).map(String),
  );
  client.onRequest(
    readFileRequest,
    async ({ uri, mostBytes }: ReadFileParams): Promise<ReadFileAnswer | null> => {
      const text = await readInFolders(Uri.parse(uri, true), mostBytes);
      return text === undefined ? null : { text };
    },
  );
};

/** In the order of their addresses, none twice; so many of each folder and glob. */
export const findInFolders = async (
  globs: readonly string[],
  most: number,
  exclude?: string,
): Promise<readonly Uri[]> => {
  const folders = workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.flatMap((folder) =>
      globs.map((glob) => workspace.findFiles(new RelativePattern(folder, glob), exclude, most)),
    ),
  );
  const byAddress = new Map(found.flat().map((uri) => [uri.toString(), uri]));
  return [...byAddress].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, uri]) => uri);
};

/** `undefined` for what is too long, cannot be read, or is no text. */
export const readInFolders = async (file: Uri, mostBytes: number): Promise<string | undefined> => {
  // Nothing outside of the folders that the user opened.
  if (workspace.getWorkspaceFolder(file) === undefined) return undefined;
  try {
    const { size } = await workspace.fs.stat(file);
    if (size > mostBytes) return undefined;
    const bytes = await workspace.fs.readFile(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
