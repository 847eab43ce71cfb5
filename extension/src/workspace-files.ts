/** Files of the workspace for a server that has none of its own, as in a browser. Only read. */
import {
  type FindFilesParams,
  findFilesRequest,
  type ReadFileAnswer,
  type ReadFileParams,
  readFileRequest,
} from '@authgraph/language-server/protocol';
import { RelativePattern, Uri, workspace } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

const mostFiles = 2000;

export const serveFiles = (client: BaseLanguageClient): void => {
  client.onRequest(findFilesRequest, async ({ globs }: FindFilesParams) => {
    const folders = workspace.workspaceFolders ?? [];
    const found = await Promise.all(
      folders.flatMap((folder) =>
        globs.map((glob) =>
          workspace.findFiles(new RelativePattern(folder, glob), undefined, mostFiles),
        ),
      ),
    );
    return [...new Set(found.flat().map(String))].sort();
  });
  client.onRequest(
    readFileRequest,
    async ({ uri, mostBytes }: ReadFileParams): Promise<ReadFileAnswer | null> => {
      const file = Uri.parse(uri, true);
      // Nothing outside of the folders that the user opened.
      if (workspace.getWorkspaceFolder(file) === undefined) return null;
      try {
        const { size } = await workspace.fs.stat(file);
        if (size > mostBytes) return null;
        const bytes = await workspace.fs.readFile(file);
        return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
      } catch {
        return null;
      }
    },
  );
};
