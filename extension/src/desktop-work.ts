/** Work on the desktop: the language server is a process of its own, spoken to over IPC. */
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import type { Doors } from './activate.ts';
import { type Session, startSession } from './session.ts';

export const startOnDesktop = (doors: Doors): Promise<Session> => {
  const server = {
    module: doors.context.asAbsolutePath('dist/server.js'),
    transport: TransportKind.ipc,
  };
  return startSession(doors, {
    files: 'server',
    createClient: (options) =>
      new LanguageClient('authgraph', 'AuthGraph', { run: server, debug: server }, options),
  });
};
