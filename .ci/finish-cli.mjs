// Finishes the command line after the compiler: the program becomes executable, what must start at once
// is bundled into few files next to the modules, and compiled code is cached next to both. The program
// runs without any of it, but starts more slowly: `whoami` on an artifact takes 3 times as long as
// `node -e 0` with the modules alone, twice with the bundle, 1.7 times with its compiled code.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { writeManPages } from './man-pages.ts';

const cli = join(import.meta.dirname, '../engine/dist/cli');
const main = join(cli, 'main.js');
const bundleFolder = join(cli, 'bundle');
const cache = join(cli, 'cache');
// Loaded only to compile a file or to call an issuer; they stay packages.
const external = [/^node:/, 'yaml', 'chevrotain', 'undici', 'pino', 'prom-client', 'openid-client'];

// The regular expression engine is half of what these commands would load, and most expressions
// have none: it is read when the first one is compiled.
const lazyEngine = {
  name: 'lazy-regular-expressions',
  resolveId: (id) => (id === 're2js' ? '\0lazy-re2js' : undefined),
  load: (id) =>
    id === '\0lazy-re2js'
      ? `let engine;
export const RE2JS = new Proxy(class {}, {
  get: (_, name) => {
    engine ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('re2js').RE2JS;
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

// One character beyond Latin-1 makes the text of a whole file take two bytes a character, a millisecond
// more to read. In a literal an escape means the same, except behind a backslash and in raw text.
const escapes = {
  name: 'escapes',
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) {
      if (file.name !== 'whoami' || /String\.raw|\\[\u0080-\uffff]/.test(file.code)) continue;
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

// `whoami` with all that it imports at once becomes one file, since each file more takes half a
// millisecond. What it imports on the way stays apart.
const groups = [
  { name: 'start', test: (id) => id === join(cli, 'start.js'), priority: 1 },
  { name: 'whoami', test: (id) => id === join(cli, 'commands/whoami.js') },
];

const bundleStart = async () => {
  const bundle = await rolldown({
    input: { start: join(cli, 'start.js') },
    platform: 'node',
    external,
    plugins: [lazyEngine, otherCommands, escapes],
    // So that the group `start` is the entry itself, not a second file that the entry names.
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: bundleFolder,
    format: 'esm',
    minify: true,
    codeSplitting: { groups },
  });
  await bundle.close();
};

/**
 * Runs each command once. Node caches the compiled code of a file on first use, with the functions
 * that ran by then, so `whoami` covers many features, and its artifact is compiled beforehand.
 */
const warmCache = () => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-build-'));
  const config = `apiVersion: apiserver.config.platform.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimValidationRules:
  - {claim: hd, requiredValue: example.com}
  - {expression: 'has(claims.sub) && claims.sub.size() > 2 && claims.?n.orValue(1.0) < 2.0'}
  claimMappings:
    username: {expression: '"i:" + claims.sub'}
    groups: {expression: 'dyn(claims.?roles.orValue([])).filter(r, r in ["a", "b"]).map(r, "r:" + r)'}
    uid: {claim: sub}
    extra: [{key: example.org/mail, valueExpression: 'claims.mail.lowerAscii()'}]
  userValidationRules:
  - {expression: '!user.username.startsWith("system:") && user.groups.all(g, g != "x")'}
`;
  const claims = join(folder, 'claims.json');
  const artifact = join(folder, 'artifact.json');
  writeFileSync(
    claims,
    '{"sub":"jane","hd":"example.com","roles":["a","c"],"mail":"Jane@example.com"}',
  );
  const run = (args, environment = {}) => {
    const env = { ...process.env, ...environment };
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { input: config, env });
    if (status !== 0) throw new Error(`authgraph ${args.join(' ')}: ${stderr}`);
  };
  run(['compile', '-', '--out', artifact], { NODE_DISABLE_COMPILE_CACHE: '1' });
  run(['whoami', '-c', artifact, '--claims', claims]);
  run(['whoami', '-c', artifact, '--claims', claims, '--explain']);
  run(['compile', '-', '--out', artifact]);
  run(['check', '-']);
  rmSync(folder, { recursive: true });
};

// Documentation of diagnostics and the demo are part of the package.
const root = join(import.meta.dirname, '..');
for (const part of ['docs/diagnostics', 'samples/demo', 'LICENSE']) {
  const copy = join(root, 'engine/dist', part);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, part), copy, { recursive: true });
}

chmodSync(main, 0o755);
for (const made of [bundleFolder, cache]) rmSync(made, { recursive: true, force: true });
await writeManPages(join(import.meta.dirname, '../engine/dist/man'));
await bundleStart();
mkdirSync(cache);
// The published package has the folder with this file alone, and Node fills it where it may: compiled
// code belongs to one version of Node, one user and one machine.
writeFileSync(
  join(cache, 'README.txt'),
  'Node keeps compiled code of this program here. It may be deleted at any time.\n',
);
warmCache();
