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
    const params: FindFilesParams = { globs, most: limits.found + 1 };
    const found = await connection.sendRequest<unknown>(findFilesRequest, params);
    if (signal.aborted || !Array.isArray(found)) return { uris: [], isCut: false };
    const uris = found.filter((uri) => typeof uri === 'string');
    return { uris: uris.slice(0, limits.found).sort(), isCut: uris.length > limits.found };
  },
  async read(uri, mostBytes) {
    const params: ReadFileParams = { uri, mostBytes };
    const answer = await connection
      .sendRequest<unknown>(readFileRequest, params)
      .catch(() => undefined);
    if (typeof answer !== 'object' || answer === null) return undefined;
    if ('isTooLong' in answer && answer.isTooLong === true) return 'too long';
    if (!('text' in answer) || typeof answer.text !== 'string') return undefined;
    return answer.text.length <= mostBytes ? { uri, text: answer.text } : 'too long';
  },
});
