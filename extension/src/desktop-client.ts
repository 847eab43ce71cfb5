/** A client whose server is a process, spoken to over IPC. */
import {
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
} from 'vscode-languageclient/node';

export const createDesktopClient = (
  module: string,
  options: LanguageClientOptions,
): LanguageClient => {
  const server = { module, transport: TransportKind.ipc };
  return new LanguageClient('authgraph', 'AuthGraph', { run: server, debug: server }, options);
};
