/** Publishes diagnostics to clients that do not pull them. */
import type { ClientCapabilities, Connection, Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ClientMessages } from './client-messages.ts';

export interface DiagnosticsPublisher {
  /** Schedules publishing; edits in quick succession are published once. */
  schedule(uri: string): void;
  /** Removes the diagnostics of a closed document. */
  clear(uri: string): void;
}

export interface PushSources {
  readonly connection: Connection;
  readonly clientMessages: ClientMessages;
  readonly client: () => ClientCapabilities;
  readonly document: (uri: string) => TextDocument | undefined;
  /** Whether the document is being analyzed; `schedule` is called again when the analysis ends. */
  readonly isAnalyzing: (uri: string) => boolean;
  readonly diagnosticsOf: (uri: string) => readonly Diagnostic[];
}

export const createDiagnosticsPublisher = (sources: PushSources): DiagnosticsPublisher => {
  const { connection, clientMessages } = sources;
  const scheduled = new Set<string>();
  const pulls = (): boolean => sources.client().textDocument?.diagnostic !== undefined;

  const push = (uri: string): void => {
    const document = sources.document(uri);
    if (document === undefined || clientMessages.isStopped || sources.isAnalyzing(uri)) return;
    const diagnostics = [...sources.diagnosticsOf(uri)];
    clientMessages.send(() =>
      connection.sendDiagnostics({ uri, version: document.version, diagnostics }),
    );
  };

  return {
    schedule(uri) {
      if (pulls() || scheduled.has(uri)) return;
      scheduled.add(uri);
      setTimeout(() => {
        scheduled.delete(uri);
        push(uri);
      }, 0);
    },
    clear(uri) {
      if (!pulls()) clientMessages.send(() => connection.sendDiagnostics({ uri, diagnostics: [] }));
    },
  };
};
