// Finishes the command line after the compiler: the program becomes executable, what must start at once
// is bundled into few files next to the modules, and compiled code is cached next to both. The program
// runs without any of it, but starts more slowly: `check` of a file takes 14 times as long as `node -e 0`
// with the modules alone, and 3 (without expressions) to 4.8 times with the bundle and its compiled code
// (`bench/start.mjs`).
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { writeManPages } from './man-pages.ts';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'engine/dist/cli');
const main = join(cli, 'main.js');
const bundleFolder = join(cli, 'bundle');
const cache = join(cli, 'cache');
// Loaded only to call an issuer or to run the server; they stay packages.
const external = [/^node:/, 'undici', 'pino', 'prom-client', 'openid-client'];

// Packages that most files do not need: the engine of regular expressions, and the reader of invalid
// YAML. Each is read when it is first used.
const lazyNames = new Map([
  ['re2js', ['RE2JS']],
  [
    'yaml',
    ['isAlias', 'isMap', 'isScalar', 'isSeq', 'LineCounter', 'parseDocument', 'YAMLMap', 'YAMLSeq'],
  ],
]);
const lazyPackages = {
  name: 'lazy-packages',
  resolveId: (id) => (lazyNames.has(id) ? `\0lazy-${id}` : undefined),
  load: (id) => {
    const name = id.startsWith('\0lazy-') ? id.slice('\0lazy-'.length) : '';
    const exported = lazyNames.get(name);
    if (exported === undefined) return undefined;
    return [
      'let loaded;',
      `const load = () => (loaded ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('${name}'));`,
      'const lazy = (member) => new Proxy(function () {}, {',
      '  get: (_, key) => Reflect.get(load()[member], key),',
      '  apply: (_, self, args) => Reflect.apply(load()[member], self, args),',
      '  construct: (_, args) => Reflect.construct(load()[member], args),',
      '});',
      ...exported.map((member) => `export const ${member} = lazy('${member}');`),
    ].join('\n');
  },
};

// The other commands stay the modules that they are, one folder up.
const otherCommands = {
  name: 'other-commands',
  resolveId: (id) =>
    /^\.\/commands\/(?!whoami|check\.|test\.|diff\.)/.test(id)
      ? { id: `.${id}`, external: true }
      : undefined,
};

// One character beyond Latin-1 makes the text of a whole file take two bytes a character, a millisecond
// more to read. In a literal an escape means the same, except behind a backslash and in raw text.
const grouped = new Set(['common', 'whoami', 'check', 'test']);
const escapes = {
  name: 'escapes',
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) {
      if (!grouped.has(file.name) || /String\.raw|\\[\u0080-\uffff]/.test(file.code)) continue;
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

// `whoami`, `check` and `test` of claims with all that they load become one file each, and another one
// that the first two load, since each file more takes half a millisecond. What only some runs load
// stays apart.
const groupsOf = (whoami, check, test) => {
  const group = (name, isInside, priority) => ({
    name,
    test: isInside,
    priority,
    includeDependenciesRecursively: false,
  });
  return [
    group('start', (id) => id === join(cli, 'start.js'), 3),
    group('common', (id) => whoami.has(id) && check.has(id), 2),
    group('whoami', (id) => whoami.has(id), 1),
    group('check', (id) => check.has(id), 1),
    group('test', (id) => test.has(id), 0),
  ];
};

const bundleStart = async (groups) => {
  const bundle = await rolldown({
    input: {
      start: join(cli, 'start.js'),
      // Threads of `diff` and `test`, which find them next to the files that start them.
      'corpus-thread': join(cli, 'diff/corpus-thread.js'),
      'test-thread': join(cli, 'testing/test-thread.js'),
    },
    platform: 'node',
    external,
    plugins: [lazyPackages, otherCommands, escapes],
    // So that the group `start` is the entry itself, not a second file that the entry names.
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({
    dir: bundleFolder,
    format: 'esm',
    minify: true,
    codeSplitting: { groups },
  });
  await bundle.close();
  copyLicenses(output.flatMap((chunk) => chunk.moduleIds ?? []));
};

/** Copies the licenses of the packages whose code is in the bundle. */
const copyLicenses = (moduleIds) => {
  const folders = moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
  for (const folder of new Set(folders.filter((found) => found !== undefined))) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const license = readdirSync(folder).find((file) => /^licen[sc]e/i.test(file));
    if (license === undefined) throw new Error(`${name} has no license file`);
    cpSync(
      join(folder, license),
      join(bundleFolder, `LICENSE.${name.replace('/', '.').replace('@', '')}.txt`),
    );
  }
};

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
const folder = mkdtempSync(join(tmpdir(), 'authgraph-build-'));
const artifact = join(folder, 'artifact.json');
const claims = join(folder, 'claims.json');
const whoami = ['whoami', '-c', artifact, '--claims', claims];

const run = (args, { environment = {}, nodeArgs = [] } = {}) => {
  const env = { ...process.env, ...environment };
  const command = [...nodeArgs, main, ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { input: config, env });
  if (status !== 0) throw new Error(`authgraph ${args.join(' ')}: ${stderr}`);
};

const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' };

/** Returns the modules that a command loads while there is no bundle. */
const modulesOf = (args) => {
  const list = join(folder, 'modules.txt');
  const hook = pathToFileURL(join(import.meta.dirname, 'record-modules.mjs')).href;
  run(args, {
    environment: { ...uncached, AUTHGRAPH_MODULES: list },
    nodeArgs: ['--import', hook],
  });
  return new Set(readFileSync(list, 'utf8').split('\n'));
};

/** Runs the commands in one process. The configuration covers many features. */
const runCommands = (environment = process.env) => {
  const file = join(folder, 'configuration.yaml');
  writeFileSync(file, config);
  const runs = [
    whoami,
    [...whoami, '--explain'],
    ['check', file],
    ['check', join(root, 'samples/jwt/keycloak.yaml')],
    ['compile', file, '--out', artifact],
    ['test', join(root, 'samples/jwt/keycloak.authtest.yaml')],
  ];
  const script = `for (const [at, args] of ${JSON.stringify(runs)}.entries()) {
    process.argv.splice(2, process.argv.length, ...args);
    await import(${JSON.stringify(pathToFileURL(main).href)} + '?' + at);
  }`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, main],
    { env: environment },
  );
  if (status !== 0) throw new Error(`the commands of the build: ${stderr}`);
};

/**
 * Puts parentheses around the functions that the commands run. V8 compiles such a function with its file, and Node caches
 * its code; any other function is compiled in each process that calls it, which took a third of the processor time of
 * `check`.
 */
const markFunctions = () => {
  const coverage = join(folder, 'coverage');
  // Without the variables of this process, so that the bundle is the same everywhere.
  runCommands({ ...uncached, NODE_V8_COVERAGE: coverage });
  const [report] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8'));
  for (const { url, functions } of result) {
    if (!url.startsWith(`${pathToFileURL(bundleFolder)}/`)) continue;
    const path = fileURLToPath(url);
    const code = readFileSync(path, 'utf8');
    const parentheses = new Map();
    for (const { count, startOffset, endOffset } of functions.map(({ ranges }) => ranges[0])) {
      if (count === 0 || !isFunctionExpression(code, startOffset)) continue;
      parentheses.set(startOffset, '(');
      parentheses.set(endOffset, `${parentheses.get(endOffset) ?? ''})`);
    }
    const places = [...parentheses.keys(), code.length].sort((a, b) => a - b);
    const parts = places.map(
      (end, index) => code.slice(places[index - 1] ?? 0, end) + (parentheses.get(end) ?? ''),
    );
    writeFileSync(path, parts.join(''));
  }
};

/** Whether a function or an arrow function starts here, and not a declaration or a method. */
const isFunctionExpression = (code, start) =>
  /(?:[=(,:?[&|!>]|\breturn ?)$/.test(code.slice(start - 8, start)) &&
  /^(?:async ?)?(?:function\b|\(|[\w$]+=>)/.test(code.slice(start, start + 80));

// Documentation of diagnostics and the demo are part of the package.
for (const part of ['docs/diagnostics', 'samples/demo', 'LICENSE']) {
  const copy = join(root, 'engine/dist', part);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, part), copy, { recursive: true });
}

chmodSync(main, 0o755);
for (const made of [bundleFolder, cache]) rmSync(made, { recursive: true, force: true });
await writeManPages(join(import.meta.dirname, '../engine/dist/man'));
writeFileSync(
  claims,
  '{"sub":"jane","hd":"example.com","roles":["a","c"],"mail":"Jane@example.com"}',
);
run(['compile', '-', '--out', artifact], { environment: uncached });
const tests = join(folder, 'tests.authtest.yaml');
writeFileSync(join(folder, 'tests.yaml'), config);
writeFileSync(
  tests,
  'tests: [{name: one, claims: {sub: jane, hd: example.com, mail: Jane@example.com}, expect: {user: {username: "i:jane", uid: jane, extra: {example.org/mail: [jane@example.com]}}}}]',
);
await bundleStart(
  groupsOf(modulesOf(whoami), modulesOf(['check', '-']), modulesOf(['test', tests])),
);
mkdirSync(cache);
// The published package has the folder with this file alone, and Node fills it where it may: compiled
// code belongs to one version of Node, one user and one machine.
writeFileSync(
  join(cache, 'README.txt'),
  'Node keeps compiled code of this program here. It may be deleted at any time.\n',
);
markFunctions();
runCommands();
rmSync(folder, { recursive: true });
