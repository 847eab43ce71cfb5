#!/usr/bin/env node
/** The server as a process: over standard streams, a pipe or IPC, as its arguments say. */
import { createHash } from 'node:crypto';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { nodeFiles } from './node-files.ts';
import { startServer } from './server.ts';

startServer(createConnection(ProposedFeatures.all), {
  files: nodeFiles,
  now: () => Date.now(),
  digest: { sha256Hex: (text) => createHash('sha256').update(text).digest('hex') },
  issuers: async () => (await import('./node-issuers.ts')).nodeIssuers(),
});
