/** The server with Node's files, clock and digests, over standard streams, a pipe or IPC. */
import { createHash } from 'node:crypto';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { nodeFiles } from './node-files.ts';
import { startServer } from './server.ts';
import { warmUp } from './warm-up.ts';

/** Serves as the arguments of the process say. */
export const startNodeServer = (): void => {
  startServer(createConnection(ProposedFeatures.all), {
    files: nodeFiles,
    now: () => Date.now(),
    digest: { sha256Hex: (text) => createHash('sha256').update(text).digest('hex') },
    issuers: async () => (await import('./node-issuers.ts')).nodeIssuers(),
  });
  // Messages wait until this is done.
  warmUp();
};
