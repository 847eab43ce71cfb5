/**
 * Messages that the server sends on its own initiative: requests to update views, and diagnostics
 * for clients that do not request them. The client may have disconnected or may ignore them.
 */
import { CancellationToken, type Connection, type TextDocuments } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { EditorState } from './editor-state.ts';
import { documentDiagnostics } from './features/diagnostics.ts';
import type { HandlerFactory } from './features/feature.ts';
import { createClosedPushes } from './features/workspace-diagnostics.ts';

export type ClientUpdates = ReturnType<typeof createClientUpdates>;

export const createClientUpdates = (parts: {
  readonly connection: Connection;
  readonly state: EditorState;
  readonly documents: TextDocuments<TextDocument>;
  readonly handlers: HandlerFactory;
}) => {
  const { connection, state, documents, handlers } = parts;
  const { workspace } = handlers;
  const scheduled = new Set<string | typeof views>();
  const schedule = (what: string | typeof views, run: () => void): void => {
    if (scheduled.has(what)) return;
    scheduled.add(what);
    setTimeout(() => {
      scheduled.delete(what);
      run();
    }, 0);
  };

  /** Sends a message; a closed connection or an error response from the client is ignored. */
  const send = (message: () => Promise<unknown>): void => {
    if (state.isShutDown) return;
    // An async function, because a closed connection throws synchronously.
    (async () => {
      await message();
    })().catch(() => undefined);
  };
  const requestRefresh = (method: string, isSupported: boolean | undefined): void => {
    if (isSupported === true) send(() => connection.sendRequest(method));
  };
  const requestRefreshes = (): void => {
    const { diagnostics, inlayHint, codeLens } = state.client.workspace ?? {};
    requestRefresh('workspace/diagnostic/refresh', diagnostics?.refreshSupport);
    requestRefresh('workspace/inlayHint/refresh', inlayHint?.refreshSupport);
    requestRefresh('workspace/codeLens/refresh', codeLens?.refreshSupport);
  };

  const requestsDiagnostics = (): boolean => state.client.textDocument?.diagnostic !== undefined;
  const diagnosticsOf = handlers.guarded((uri: string) => documentDiagnostics(workspace, uri), []);
  const push = (uri: string): void => {
    const version = documents.get(uri)?.version;
    // The result of an analysis in progress is pushed later.
    if (version === undefined || state.isShutDown || workspace.isAnalyzing(uri)) return;
    const diagnostics = [...diagnosticsOf(uri, CancellationToken.None)];
    send(() => connection.sendDiagnostics({ uri, version, diagnostics }));
  };
  const closed = createClosedPushes(handlers, (uri, diagnostics) =>
    send(() => connection.sendDiagnostics({ uri, diagnostics })),
  );
  /** Asks the client to update its views soon. */
  const refreshViews = (): void => schedule(views, requestRefreshes);
  /** Pushes the diagnostics of a document soon, once for several changes of the same turn. */
  const pushDiagnostics = (uri: string): void => {
    if (!requestsDiagnostics()) schedule(uri, () => push(uri));
  };
  return {
    send,
    refreshViews,
    /** Updates everything that the client shows soon. */
    refreshAll(): void {
      refreshViews();
      for (const uri of documents.keys()) pushDiagnostics(uri);
    },
    pushDiagnostics,
    /** Pushes the diagnostics of configurations that are not open. */
    pushClosed(): void {
      if (!requestsDiagnostics() && !state.isShutDown) void closed.push();
    },
    /** Removes the diagnostics of a closed document. */
    clearDiagnostics(uri: string): void {
      if (requestsDiagnostics()) return;
      closed.forget(uri);
      send(() => connection.sendDiagnostics({ uri, diagnostics: [] }));
    },
  };
};

/** The key of the scheduled refresh; documents have their URIs. */
const views = Symbol('views');
