/** The server with Node's files, clock and digests, over stdio, a pipe or IPC. */
import { createHash } from 'node:crypto';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { nodeAnalysis } from './node-analysis.ts';
import { nodeFiles } from './node-files.ts';
import { startServer } from './server.ts';
import { warmUp } from './warm-up.ts';

/**
 * Starts the server on the transport given by the process arguments. `main` is the program that
 * analysis threads run.
 */
export const startNodeServer = (main: URL): void => {
  startServer(createConnection(ProposedFeatures.all), {
    files: nodeFiles,
    analyze: nodeAnalysis(main),
    now: () => Date.now(),
    digest: { sha256Hex: (text) => createHash('sha256').update(text).digest('hex') },
    issuers: async () => (await import('./node-issuers.ts')).nodeIssuers(),
  });
  // Messages are queued until this is done.
  warmUp();
};
