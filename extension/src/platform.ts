/** What differs between the desktop and the browser. */
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

export interface Platform {
  readonly host: 'desktop' | 'browser';
  /**
   * Whether a language server that starts now asks the client for files. That is so in a browser, and
   * for folders that only the editor can read: a virtual workspace, also on the desktop.
   */
  files(): 'client' | 'server';
  /** Makes a client that is not started yet. */
  createClient(options: LanguageClientOptions): BaseLanguageClient;
}

/** Why issuers are not asked from here; `undefined` where they are. */
export const issuersUnavailableReason = ({ host, files }: Pick<Platform, 'host' | 'files'>) => {
  if (host === 'browser') return 'issuers are not asked in a browser. Use the desktop';
  return files() === 'client'
    ? 'issuers are not asked in a virtual workspace. Open a folder on a disk'
    : undefined;
};
