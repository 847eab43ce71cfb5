/**
 * Starts a session in the browser: the language server runs in the extension host, connected by a
 * message channel. A worker is not allowed where extensions are loaded from a remote.
 */
import { startBrowserServer } from '@authgraph/language-server/browser';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
} from 'vscode-languageclient/browser';
import { type Registrations, type Session, startSession } from './session.ts';

export const startInBrowser = (registrations: Registrations): Promise<Session> =>
  startSession(registrations, {
    host: 'browser',
    files: () => 'client',
    createClient: (options) =>
      new LanguageClient('authgraph', 'AuthGraph', () => Promise.resolve(transports()), options),
  });

const transports = () => {
  const { port1, port2 } = new MessageChannel();
  startBrowserServer(port2, { now: () => Date.now() });
  return { reader: new BrowserMessageReader(port1), writer: new BrowserMessageWriter(port1) };
};
