/** Files of the workspace asked of the client: in a browser the server has none of its own. */
import type { Connection } from 'vscode-languageserver';
import type { WorkspaceFiles } from './files.ts';
import { limits } from './limits.ts';
import {
  type FindFilesParams,
  findFilesRequest,
  type ReadFileParams,
  readFileRequest,
} from './protocol.ts';

export const clientFiles = (connection: Pick<Connection, 'sendRequest'>): WorkspaceFiles => ({
  async find(globs, signal) {
    const params: FindFilesParams = { globs, most: limits.found };
    const found = await connection.sendRequest<unknown>(findFilesRequest, params);
    if (signal.aborted || !Array.isArray(found)) return [];
    return found
      .filter((uri) => typeof uri === 'string')
      .slice(0, limits.found)
      .sort();
  },
  async read(uri, mostBytes) {
    const params: ReadFileParams = { uri, mostBytes };
    const answer = await connection
      .sendRequest<unknown>(readFileRequest, params)
      .catch(() => undefined);
    if (typeof answer !== 'object' || answer === null || !('text' in answer)) return undefined;
    const { text } = answer;
    return typeof text === 'string' && text.length <= mostBytes ? { uri, text } : undefined;
  },
});
