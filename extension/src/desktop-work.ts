/**
 * Starts a session on the desktop: the language server is a separate process connected over IPC.
 */
import { workspace } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { type Registrations, type Session, startSession } from './session.ts';

export const startOnDesktop = (registrations: Registrations): Promise<Session> => {
  const server = {
    module: registrations.context.asAbsolutePath('dist/server.js'),
    transport: TransportKind.ipc,
    options: { env: memoryEnvironment },
  };
  return startSession(registrations, {
    host: 'desktop',
    files: () => (isOnDisk() ? 'server' : 'client'),
    createClient: (options) =>
      new LanguageClient('authgraph', 'AuthGraph', { run: server, debug: server }, options),
  });
};

/** Only the editor can read the folders of a virtual workspace. */
const isOnDisk = (): boolean =>
  (workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file');

/**
 * Settings for glibc: memory used while parsing the server is returned to the system, which saves
 * 20 MiB.
 */
const memoryEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
};
