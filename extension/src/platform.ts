/** What differs between the desktop and the browser. */
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

export interface Platform {
  readonly host: 'desktop' | 'browser';
  /**
   * Whether the language server reads files through the client: in a browser and in virtual
   * workspaces, also on the desktop.
   */
  files(): 'client' | 'server';
  /** Creates a client without starting it. */
  createClient(options: LanguageClientOptions): BaseLanguageClient;
}

/** Returns why issuers cannot be contacted; `undefined` if they can. */
export const issuersUnavailableReason = ({ host, files }: Pick<Platform, 'host' | 'files'>) => {
  if (host === 'browser')
    return "issuers can't be contacted from a browser: use an editor on the desktop";
  return files() === 'client'
    ? "issuers can't be contacted from a virtual workspace: open a folder on disk"
    : undefined;
};
