#!/usr/bin/env node
/**
 * The program `authgraph`, by the file that a package manager links. It is separate from the built one,
 * since npm links only what is there when it installs, and a clone is installed before it is built.
 */
import { existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) {
  await import('../dist/cli/main.js');
} else {
  process.stderr.write('authgraph is not built yet in this clone: run `npm run build`\n');
  process.exitCode = 2;
}
