/** The language server: capabilities, lifecycle, and the features at work. */
import {
  type Connection,
  type InitializeParams,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createAnswering } from './answering.ts';
import { readOptions } from './editor-options.ts';
import { diagnosticsOf } from './features/diagnostics.ts';
import { features } from './features/registry.ts';
import type { ServerHost } from './host.ts';
import { createWorkspace } from './workspace.ts';

/** Serves until the connection ends. */
export const startServer = (connection: Connection, host: ServerHost): void => {
  const documents = new TextDocuments(TextDocument);
  const workspace = createWorkspace({
    document: (uri) => documents.get(uri),
    openUris: () => documents.keys(),
    now: host.now,
  });
  const answering = createAnswering(connection, workspace);
  let client: InitializeParams['capabilities'] = {};

  /** Clients that pull ask themselves; a change they cannot see has to be told. */
  const refresh = (): void => {
    if (client.textDocument?.diagnostic === undefined) {
      for (const uri of documents.keys()) push(uri);
    } else if (client.workspace?.diagnostics?.refreshSupport === true) {
      connection.languages.diagnostics.refresh();
    }
    if (client.workspace?.inlayHint?.refreshSupport === true) {
      connection.languages.inlayHint.refresh();
    }
    if (client.workspace?.codeLens?.refreshSupport === true)
      connection.sendRequest('workspace/codeLens/refresh');
  };

  const waiting = new Set<string>();
  /** One answer for edits that come together. */
  const pushSoon = (uri: string): void => {
    if (client.textDocument?.diagnostic !== undefined || waiting.has(uri)) return;
    waiting.add(uri);
    setTimeout(() => {
      waiting.delete(uri);
      push(uri);
    }, 0);
  };
  const push = (uri: string): void => {
    const document = documents.get(uri);
    if (document === undefined) return;
    const found = answering.guarded(
      () => workspace.parts(uri).flatMap((part) => diagnosticsOf({ workspace, part })),
      [],
    )(undefined, notCancelled);
    connection.sendDiagnostics({ uri, version: document.version, diagnostics: found });
  };

  connection.onInitialize((params) => {
    client = params.capabilities;
    return {
      serverInfo: { name: 'authgraph' },
      capabilities: Object.assign(
        { textDocumentSync: TextDocumentSyncKind.Incremental, positionEncoding: 'utf-16' },
        ...features.map(({ capabilities }) => capabilities),
      ) as ServerCapabilities,
    };
  });

  connection.onDidChangeConfiguration(({ settings }) => {
    workspace.setOptions(readOptions(settings?.authgraph ?? settings));
    refresh();
  });
  documents.onDidChangeContent(({ document }) => pushSoon(document.uri));
  documents.onDidClose(({ document }) => {
    workspace.close(document.uri);
    if (client.textDocument?.diagnostic === undefined) {
      connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    }
  });

  for (const feature of features) feature.register(connection, answering);
  documents.listen(connection);
  connection.listen();
};

const notCancelled = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose() {} }),
};
