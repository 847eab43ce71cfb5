#!/usr/bin/env node
/** The program `authgraph`. */
import { nodeIo } from './node-io.ts';
import { runCli } from './run.ts';

// Not `process.exit`: what was written to a pipe must get out first.
process.exitCode = await runCli(process.argv.slice(2), nodeIo());
