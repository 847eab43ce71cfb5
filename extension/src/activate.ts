/** Activation: nothing but a look at what is open, until a document concerns us. */
import { commands, type ExtensionContext, type TextDocument, window, workspace } from 'vscode';
import type { Platform } from './platform.ts';
import { concernsUs, isCopy, languages } from './recognise.ts';
import type { Session } from './session.ts';

export const activateOn = (context: ExtensionContext, platform: Platform): void => {
  let session: Promise<Session> | undefined;
  const start = (): Promise<Session> => {
    session ??= import('./session.ts').then(({ startSession }) => startSession(platform));
    session.catch((cause: unknown) => {
      session = undefined;
      void window.showErrorMessage(`The AuthGraph language server did not start: ${cause}`);
    });
    return session;
  };
  const look = (document: TextDocument): void => {
    if (session !== undefined || isCopy(document.uri.scheme)) return;
    if (languages.includes(document.languageId) && concernsUs(document.getText())) void start();
  };
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeTextDocument(({ document }) => look(document)),
    commands.registerCommand('authgraph.restartServer', async () => {
      const running = session;
      await (running === undefined ? start() : (await running).restart());
    }),
    { dispose: () => void session?.then((running) => running.stop()) },
  );
  for (const document of workspace.textDocuments) look(document);
};
