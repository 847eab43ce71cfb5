#!/usr/bin/env node
/**
 * Starts the server as a process. V8 flags that keep the heap small are set before anything else is
 * loaded: otherwise the young generation grows to tens of megabytes while modules are loaded and
 * never shrinks, although most objects of a keystroke die with the next one. Measured with 64
 * authenticators (`npm run bench:lsp`): 20 MiB less after opening, 80 MiB less after 200 edits, and
 * no slower.
 */
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  // Keeps the young generation at its initial size.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Generates less machine code: with one person typing, no function stays hot for long.
  setFlagsFromString('--optimize-for-size');
  const main = new URL(import.meta.url);
  void import('./node-server.ts').then(({ startNodeServer }) => startNodeServer(main));
} else {
  void import('./node-analysis.ts').then(({ runAnalysis }) => runAnalysis());
}
