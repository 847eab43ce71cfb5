#!/usr/bin/env node
/** The program `authgraph`. */

// Not imported: see `node-io.ts`.
const { existsSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache } = process.getBuiltinModule('node:module');

// Compiled code is kept beside the code itself, and only where the build made the place for it: it is
// then as trustworthy as the program, which a folder for everybody's temporary files is not.
const cache = `${import.meta.dirname}/cache`;
if (existsSync(cache)) enableCompileCache(cache);

// Few files in place of many, where the build made them: reading and linking modules is most of a start.
const bundle = new URL('./quick/start.js', import.meta.url);
const start: typeof import('./start.ts') = existsSync(bundle)
  ? await import(bundle.href)
  : await import('./start.ts');
await start.start();
