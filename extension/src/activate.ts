/**
 * Activation only looks at open documents. Everything else, including its code, is loaded when a
 * document is relevant or when a view or command of the extension is used.
 */
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type TextDocument,
  type TreeDataProvider,
  window,
  workspace,
} from 'vscode';
import { commandNames } from './command-names.ts';
import { setContext } from './context-keys.ts';
import { errorMessage } from './error-message.ts';
import { holdsConfiguration, isAnyVisible, isAuthGraphDocument } from './known-documents.ts';
import { showError } from './messages.ts';
import { resultScheme } from './recognize-document.ts';
import type { Registrations, Session, Tree } from './session.ts';
import { diagnosticsScope } from './settings.ts';
import { followTestFiles } from './testing/test-presence.ts';

/** Code that is loaded when it is needed. */
export interface LoadedCode {
  /** Starts a session. */
  startSession(registrations: Registrations): Promise<Session>;
  /** Shows the test files of the workspace in the Test Explorer. */
  createTests(requests: () => Promise<Session['requests']>): Promise<Disposable>;
}

let stopSession: () => Promise<void> = () => Promise.resolve();

/** Stops the language server. */
export const deactivate = (): Promise<void> => stopSession();

export const activateOn = (
  context: ExtensionContext,
  { startSession, createTests }: LoadedCode,
): void => {
  const identitiesChanged = new EventEmitter<void>();
  const changeChanged = new EventEmitter<void>();
  let session: Promise<Session> | undefined;
  const start = (): Promise<Session> => {
    session ??= startSession(registrations).catch((cause: unknown) => {
      session = undefined;
      showError(`the language server did not start. ${errorMessage(cause)}`);
      throw cause;
    });
    return session;
  };
  stopSession = async () => (await session)?.stop();

  const startQuietly = (): void => {
    // The error was already shown; the next use tries again.
    start().catch(() => undefined);
  };
  const startFor = (document: TextDocument): void => {
    if (session === undefined && isAuthGraphDocument(document)) startQuietly();
  };
  /** The file of the graph while the graph is the active editor. */
  let graphDocument: TextDocument | undefined;
  /** Updates what the `when` clauses of the manifest read about the open editors. */
  const updateEditorContext = (): void => {
    const document = window.activeTextEditor?.document ?? graphDocument;
    setContext('active', isAnyVisible());
    setContext('isConfiguration', document !== undefined && holdsConfiguration(document));
  };

  let hasTests = false;
  const startTests = async (): Promise<void> => {
    if (hasTests) return;
    hasTests = true;
    try {
      context.subscriptions.push(await createTests(async () => (await start()).requests));
    } catch (cause) {
      // The next test file that is opened tries again.
      hasTests = false;
      showError(`the tests can't be shown. ${errorMessage(cause)}`);
    }
  };

  const forwardTree = (
    changed: EventEmitter<void>,
    tree: (session: Session) => Tree,
  ): TreeDataProvider<unknown> => ({
    onDidChangeTreeData: changed.event,
    // Only top-level rows are revealed.
    getParent: () => undefined,
    getChildren: async (row) => [...(await tree(await start()).getChildren(row))],
    getTreeItem: async (row) => tree(await start()).getTreeItem(row),
  });
  const registrations: Registrations = {
    context,
    identitiesChanged,
    identities: window.createTreeView('authgraph.identities', {
      treeDataProvider: forwardTree(identitiesChanged, ({ identities }) => identities),
    }),
    changeChanged,
    changes: window.createTreeView('authgraph.change', {
      treeDataProvider: forwardTree(changeChanged, ({ change }) => change),
    }),
    activeGraphChanged(document): void {
      graphDocument = document;
      updateEditorContext();
    },
    resultChanged: new EventEmitter(),
  };

  context.subscriptions.push(
    workspace.onDidOpenTextDocument(startFor),
    workspace.onDidChangeTextDocument(({ document }) => {
      startFor(document);
      if (window.visibleTextEditors.some((editor) => editor.document === document))
        updateEditorContext();
    }),
    workspace.onDidChangeConfiguration(() => {
      if (session === undefined && diagnosticsScope() === 'workspace') startQuietly();
    }),
    window.onDidChangeVisibleTextEditors(updateEditorContext),
    window.onDidChangeActiveTextEditor(updateEditorContext),
    registrations.identities,
    registrations.changes,
    window.registerWebviewViewProvider('authgraph.whoami', {
      resolveWebviewView: async (view) => (await start()).showWhoami(view),
    }),
    workspace.registerTextDocumentContentProvider(resultScheme, {
      onDidChange: registrations.resultChanged.event,
      provideTextDocumentContent: async (uri) => (await start()).resultText(uri),
    }),
    ...commandNames.map((name) =>
      commands.registerCommand(name, async (...args: unknown[]) => (await start()).run(name, args)),
    ),
  );
  updateEditorContext();
  // Deferred, because other extensions wait for the activation to finish.
  setTimeout(() => {
    if (diagnosticsScope() === 'workspace') startQuietly();
    for (const document of workspace.textDocuments) startFor(document);
    context.subscriptions.push(...followTestFiles(() => void startTests()));
  });
};
