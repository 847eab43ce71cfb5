/** Work on the desktop: the language server is a process of its own, spoken to over IPC. */
import { workspace } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Doors } from './activate.ts';
import { type Session, startSession } from './session.ts';

export const startOnDesktop = (doors: Doors): Promise<Session> => {
  const server = {
    module: doors.context.asAbsolutePath('dist/server.js'),
    transport: TransportKind.ipc,
  };
  return startSession(doors, {
    files: isOnDisk() ? 'server' : 'client',
    createClient: (options) =>
      new LanguageClient('authgraph', 'AuthGraph', { run: server, debug: server }, options),
  });
};

/** Folders of a virtual workspace stand where only the editor can read them. */
const isOnDisk = (): boolean =>
  (workspace.workspaceFolders ?? []).every(({ uri }) => uri.scheme === 'file');
