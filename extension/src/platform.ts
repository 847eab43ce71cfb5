/** What differs between the desktop and the browser. */
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

export interface Platform {
  /** Whether the language server asks the client for files. */
  readonly files: 'client' | 'server';
  /** Makes a client that is not started yet. */
  createClient(options: LanguageClientOptions): BaseLanguageClient;
}
