#!/usr/bin/env node
/** The entry point of the program `authgraph`. */

// Runs before code that older versions cannot run. Package managers only print a warning.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `authgraph requires Node.js 22.19 or newer; found ${process.versions.node}\n`,
  );
  const { existsSync } = await import('node:fs');
  // Only a clone has the sources, and a Node.js of its own for npm and npx.
  if (existsSync(new URL('../../src', import.meta.url)))
    process.stderr.write(
      '  In this clone, `npx authgraph` runs it with the Node.js of the clone.\n',
    );
  process.exit(2);
}

// Until the server has handlers of its own: SIGUSR1 would open Node's inspector, SIGHUP would end the process.
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGUSR1', 'SIGHUP'] as const) process.on(signal, () => {});
}

// See `node-io.ts` for why this is not an import.
const { existsSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache } = process.getBuiltinModule('node:module');

// The compile cache is in the package, and used only if the build created its directory: it is as
// trustworthy as the program itself, unlike a shared temporary directory.
const cache = `${import.meta.dirname}/cache`;
if (existsSync(cache)) enableCompileCache(cache);

// The bundle created by the build, since loading many modules takes most of the start.
const bundle = new URL('./bundle/start.js', import.meta.url);
const start: typeof import('./start.ts') = existsSync(bundle)
  ? await import(bundle.href)
  : await import('./start.ts');
await start.start();
