/**
 * The extension in the browser, one file: the language server runs beside it in the extension host, over
 * a message channel. A worker would be refused where extensions come from a remote.
 */
import { startBrowserServer } from '@authgraph/language-server/browser';
import type { ExtensionContext } from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
} from 'vscode-languageclient/browser';
import { activateOn } from './activate.ts';
import { sha256Hex } from './sha256.ts';

export const activate = (context: ExtensionContext): void =>
  activateOn(context, {
    files: 'client',
    createClient: (options) =>
      Promise.resolve(
        new LanguageClient(
          'authgraph',
          'AuthGraph',
          () => {
            const { port1, port2 } = new MessageChannel();
            startBrowserServer(port2, {
              files: () => ({
                find: () => Promise.resolve([]),
                read: () => Promise.resolve(undefined),
              }),
              now: () => Date.now(),
              digest: { sha256Hex },
            });
            return Promise.resolve({
              reader: new BrowserMessageReader(port1),
              writer: new BrowserMessageWriter(port1),
            });
          },
          options,
        ),
      ),
  });
