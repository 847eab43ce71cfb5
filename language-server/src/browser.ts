/** Runs the server without Node: in a worker, or in the client's process over a message port. */
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import type { ServerHost } from './host.ts';
import { startServer } from './server.ts';

export const startBrowserServer = (port: MessagePort, host: ServerHost): void => {
  startServer(
    createConnection(
      ProposedFeatures.all,
      new BrowserMessageReader(port),
      new BrowserMessageWriter(port),
    ),
    host,
  );
};
