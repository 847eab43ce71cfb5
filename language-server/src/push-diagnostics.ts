/** Diagnostics for clients that do not pull them. */
import type { ClientCapabilities, Connection, Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Telling } from './messages.ts';

export interface Pushing {
  /** One answer for edits that come together. */
  soon(uri: string): void;
  /** What is closed has no problems any more. */
  clear(uri: string): void;
}

export interface PushSources {
  readonly connection: Connection;
  readonly telling: Telling;
  readonly client: () => ClientCapabilities;
  readonly document: (uri: string) => TextDocument | undefined;
  /** It is being analyzed: `soon` is called again when that has ended. */
  readonly isWaiting: (uri: string) => boolean;
  readonly diagnosticsOf: (uri: string) => readonly Diagnostic[];
}

export const createPushing = (sources: PushSources): Pushing => {
  const { connection, telling } = sources;
  const waiting = new Set<string>();
  const pulls = (): boolean => sources.client().textDocument?.diagnostic !== undefined;

  const push = (uri: string): void => {
    const document = sources.document(uri);
    if (document === undefined || telling.isOver || sources.isWaiting(uri)) return;
    const diagnostics = [...sources.diagnosticsOf(uri)];
    telling.tell(() => connection.sendDiagnostics({ uri, version: document.version, diagnostics }));
  };

  return {
    soon(uri) {
      if (pulls() || waiting.has(uri)) return;
      waiting.add(uri);
      setTimeout(() => {
        waiting.delete(uri);
        push(uri);
      }, 0);
    },
    clear(uri) {
      if (!pulls()) telling.tell(() => connection.sendDiagnostics({ uri, diagnostics: [] }));
    },
  };
};
