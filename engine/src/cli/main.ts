#!/usr/bin/env node
/** The program `authgraph`. */

// Before anything that older versions lack. A package manager only warns.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`authgraph needs Node 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}

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
