/** Read-only access to workspace files, for the extension and for a server without file access. */
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
  client.onRequest<ReadFileAnswer, void>(readFileRequest, ({ uri, mostBytes }: ReadFileParams) =>
    read(Uri.parse(uri, true), mostBytes),
  );
};

/** Returns files sorted by URI without duplicates, limited per folder and glob. */
export const findInFolders = async (
  globs: readonly string[],
  maxFiles: number,
  exclude?: string,
): Promise<readonly Uri[]> => {
  const folders = workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.flatMap((folder) =>
      globs.map((glob) =>
        workspace.findFiles(new RelativePattern(folder, glob), exclude, maxFiles),
      ),
    ),
  );
  const byAddress = new Map(found.flat().map((uri) => [uri.toString(), uri]));
  return [...byAddress].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, uri]) => uri);
};

/** Returns `undefined` for files that are too long, unreadable or not text. */
export const readInFolders = async (file: Uri, mostBytes: number): Promise<string | undefined> => {
  const answer = await read(file, mostBytes);
  return answer !== null && 'text' in answer ? answer.text : undefined;
};

const read = async (file: Uri, mostBytes: number): Promise<ReadFileAnswer> => {
  // Only files in workspace folders are read.
  if (workspace.getWorkspaceFolder(file) === undefined) return null;
  try {
    const { size } = await workspace.fs.stat(file);
    if (size > mostBytes) return { isTooLong: true };
    const bytes = await workspace.fs.readFile(file);
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return null;
  }
};
