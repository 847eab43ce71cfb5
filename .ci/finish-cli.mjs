// Finishes the command line after the compiler: the program becomes executable, and commands that must
// start at once are put into few files beside their modules, which stay and do where these are missing.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const cli = join(import.meta.dirname, '../engine/dist/cli');
const quick = join(cli, 'quick');
// Loaded only when a text has to be compiled or an issuer asked; they stay packages.
const external = [/^node:/, 'yaml', 'chevrotain', 'undici', 'pino', 'prom-client', 'jose'];

// The regular expression engine is half of what these commands would load, and most expressions
// have none: it is read when the first one is compiled.
const lazyEngine = {
  name: 'lazy-regular-expressions',
  resolveId: (id) => (id === 're2js' ? '\0lazy-re2js' : undefined),
  load: (id) =>
    id === '\0lazy-re2js'
      ? `import { createRequire } from 'node:module';
let engine;
export const RE2JS = new Proxy(class {}, {
  get: (_, name) => {
    engine ??= createRequire(import.meta.url)('re2js').RE2JS;
    return Reflect.get(engine, name);
  },
});`
      : undefined,
};

chmodSync(join(cli, 'main.js'), 0o755);
rmSync(quick, { recursive: true, force: true });
const bundle = await rolldown({
  input: { whoami: join(cli, 'commands/whoami.js') },
  platform: 'node',
  external,
  plugins: [lazyEngine],
});
await bundle.write({ dir: quick, format: 'esm', minify: true });
await bundle.close();
