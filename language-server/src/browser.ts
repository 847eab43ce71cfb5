/** The server without Node: in a worker, or beside its client over a port. */
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
