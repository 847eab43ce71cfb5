// Finishes the command line after the compiler: the program becomes executable, commands that must
// start at once are put into few files beside their modules, and compiled code is kept beside both.
// The program runs without any of it, only slower to start.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const cli = join(import.meta.dirname, '../engine/dist/cli');
const main = join(cli, 'main.js');
const quick = join(cli, 'quick');
const cache = join(cli, 'cache');
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

// The other commands stay the modules that they are, one folder up.
const otherCommands = {
  name: 'other-commands',
  resolveId: (id) =>
    /^\.\/commands\/(?!whoami)/.test(id) ? { id: `.${id}`, external: true } : undefined,
};

const bundleCommands = async () => {
  const bundle = await rolldown({
    input: { start: join(cli, 'start.js') },
    platform: 'node',
    external,
    plugins: [lazyEngine, otherCommands],
  });
  const used = [
    'start',
    'commands/whoami',
    '../signed-token/payload',
    '../simulate/whoami-claims',
    'whoami-text',
  ].map((name) => join(cli, `${name}.js`));
  await bundle.write({
    dir: quick,
    format: 'esm',
    minify: true,
    codeSplitting: { groups: [{ name: 'whoami', test: (id) => used.includes(id) }] },
  });
  await bundle.close();
};

/** Each command once, so that what it loads is in the cache. */
const warmCache = () => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-build-'));
  const config = `apiVersion: apiserver.config.platform.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {expression: claims.sub}
`;
  const claims = join(folder, 'claims.json');
  const artefact = join(folder, 'artefact.json');
  writeFileSync(claims, '{"sub":"jane"}');
  const run = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { input: config });
    if (status !== 0) throw new Error(`authgraph ${args.join(' ')}: ${stderr}`);
  };
  run('check', '-');
  run('compile', '-', '-o', artefact);
  run('whoami', '-c', artefact, '--claims', claims, '--explain');
  rmSync(folder, { recursive: true });
};

chmodSync(main, 0o755);
for (const made of [quick, cache]) rmSync(made, { recursive: true, force: true });
await bundleCommands();
mkdirSync(cache);
warmCache();
