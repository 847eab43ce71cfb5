#!/usr/bin/env node
/** The program `authgraph`. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled code is kept beside the code itself, and only where the build made the place for it: it is
// then as trustworthy as the program, which a folder for everybody's temporary files is not.
const cache = fileURLToPath(new URL('./cache', import.meta.url));
if (existsSync(cache)) enableCompileCache(cache);

const { nodeIo } = await import('./node-io.ts');
const { runCli } = await import('./run.ts');

// Not `process.exit`: what was written to a pipe must get out first.
process.exitCode = await runCli(process.argv.slice(2), nodeIo());
