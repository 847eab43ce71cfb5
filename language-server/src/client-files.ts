/** Reads workspace files through the client, for hosts without file access such as a browser. */
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
