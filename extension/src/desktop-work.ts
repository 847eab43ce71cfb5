/** Work on the desktop: the language server is a process of its own, spoken to over IPC. */
import { workspace } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Registrations } from './activate.ts';
import { type Session, startSession } from './session.ts';

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

/** Folders of a virtual workspace stand where only the editor can read them. */
const isOnDisk = (): boolean =>
  (workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file');

/** For the C library of Linux: what parsing the server took goes back to the system. 20 MiB less. */
const memoryEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
};
