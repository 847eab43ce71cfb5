/** The import rules are enforced: the linter rejects a forbidden import in a scratch copy. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const { path: scratch, write } = temporaryFolder();

type Planted = readonly [file: string, specifier: string];

/** Lints all imports at once, one per line, as each start of the linter takes a second. */
const refusals = (plants: readonly Planted[]): ReadonlySet<string> => {
  const configuration = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  configuration.vcs = { enabled: false };
  delete configuration.$schema;
  write('biome.json', JSON.stringify(configuration));
  const files = Map.groupBy(plants, ([file]) => file);
  for (const [file, imports] of files) {
    const lines = imports.map(([, specifier], at) => `import { x as x${at} } from '${specifier}';`);
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    write(file, `${lines.join('\n')}\n`);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['lint', '.', '--only=style/noRestrictedImports', '--reporter=github'];
  const { stdout } = spawnSync(biome, [...args, '--max-diagnostics=none'], {
    cwd: scratch,
    encoding: 'utf8',
  });
  const found = new Set<string>();
  for (const [, file = '', line = ''] of stdout.matchAll(
    /noRestrictedImports,file=([^,]+),line=(\d+)/g,
  )) {
    const planted = files.get(relative(scratch, file))?.[Number(line) - 1];
    if (planted !== undefined) found.add(planted.join(' '));
  }
  return found;
};

const shut: readonly Planted[] = [
  ['engine/src/source/planted.ts', '../model/claims.ts'],
  ['engine/src/cel/planted.ts', '../documents/yaml/parse.ts'],
  ['engine/src/config/planted.ts', '../runtime/link.ts'],
  ['engine/src/compile/planted.ts', '../server/server.ts'],
  ['engine/src/runtime/planted.ts', 'node:fs'],
  ['engine/src/lints/planted.ts', '../node/files.ts'],
  ['engine/src/lints/planted.ts', '../settings/settings.ts'],
  ['engine/src/settings/planted.ts', '../lints/registry.ts'],
  ['engine/src/server/planted.ts', 'jose'],
  ['engine/src/server/planted.ts', 'openid-client'],
  ['engine/src/server/planted.ts', '../client/server/connect.ts'],
  ['engine/src/client/planted.ts', '../server/server.ts'],
  ['engine/src/client/server/planted.ts', 'openid-client'],
  ['engine/src/runtime/planted.ts', 'yaml'],
  ['engine/src/server/planted.ts', '../cli/main.ts'],
  ['engine/src/cel/planted.ts', 'chevrotain'],
  ['engine/src/cel/evaluate/planted.ts', 'chevrotain'],
  ['engine/src/cel/tree/lexer.ts', 're2js'],
  ['engine/src/cel/tree/lexer.ts', '../documents/yaml/parse.ts'],
  ['engine/src/signed-token/planted.ts', 'jose'],
  ['engine/src/documents/planted.ts', 'yaml'],
  ['engine/src/node/planted.ts', 'undici'],
  ['engine/src/node/store/planted.ts', '@connectrpc/connect-node'],
  ['engine/src/node/planted.ts', '@opentelemetry/api'],
  ['engine/src/node/telemetry/planted.ts', 'prom-client'],
  ['engine/src/server/planted.ts', '@bufbuild/protobuf'],
  ['engine/src/node/store/etcd-member.ts', 'undici'],
  ['engine/src/cli/planted.ts', 'chevrotain'],
  ['engine/src/authenticators/jwt/planted.ts', '../anonymous/authenticate.ts'],
  ['engine/src/authenticators/anonymous/planted.ts', '../jwt/authenticate.ts'],
  ['engine/src/authenticators/jwt/planted.ts', '../../runtime/link.ts'],
  ['engine/src/doors/index.ts', './node/ports.ts'],
  ['engine/src/doors/index.ts', 'node:fs'],
  ['engine/src/catalog.ts', './server/server.ts'],
  ['language-server/src/planted.ts', '@authgraph/engine/node'],
  ['language-server/src/planted.ts', '@authgraph/engine/dist/cel/parser.js'],
  ['language-server/src/planted.ts', '../../engine/src/cel/syntax/parser.ts'],
  ['language-server/src/features/planted.ts', '../../../engine/src/cel/parser.ts'],
  ['language-server/src/planted.ts', '../../extension/src/client.ts'],
  ['language-server/src/planted.ts', 'node:fs'],
  ['language-server/src/features/planted.ts', 'node:path'],
  ['language-server/src/planted.ts', 'vscode'],
  ['language-server/src/planted.ts', 'vscode-languageclient/node'],
  ['language-server/src/planted.ts', 'vscode-languageserver/node'],
  ['language-server/src/planted.ts', 'yaml'],
  ['language-server/src/node-planted.ts', '../../engine/src/node/files.ts'],
  ['language-server/src/node-planted.ts', 'undici'],
  ['extension/src/planted.ts', '@authgraph/engine'],
  ['extension/src/planted.ts', '@authgraph/engine/language'],
  ['extension/src/planted.ts', '../../language-server/src/samples.ts'],
  ['extension/src/planted.ts', '@authgraph/language-server/server'],
  ['extension/src/planted.ts', '@authgraph/language-server/browser'],
  ['extension/src/whoami/planted.ts', 'node:fs'],
  ['extension/src/planted.ts', 'vscode-languageserver/browser'],
  ['extension/src/desktop.ts', '@authgraph/language-server/browser'],
  ['extension/src/web-work.ts', '@authgraph/engine/language'],
  ['extension/src/planted.ts', '@authgraph/engine/signature'],
];

const open: readonly Planted[] = [
  ['engine/src/runtime/planted.ts', '../compile/graph.ts'],
  ['engine/src/server/planted.ts', 'node:http2'],
  ['engine/src/documents/yaml/tolerant-tree.ts', 'yaml'],
  ['engine/src/cel/syntax/grammar.ts', 'chevrotain'],
  ['engine/src/cel/regex/regex.ts', 're2js'],
  ['engine/src/node/store/etcd-member.ts', '@connectrpc/connect-node'],
  ['engine/src/node/mint.ts', 'jose'],
  ['engine/src/node/telemetry/planted.ts', '@opentelemetry/sdk-trace'],
  ['engine/src/documents/kubeconfig/set-user.ts', 'yaml'],
  ['engine/src/client/login/device-code.ts', 'openid-client'],
  ['engine/src/client/planted.ts', '../node/files.ts'],
  ['engine/src/authenticators/registry.ts', './jwt/authenticate.ts'],
  ['engine/src/doors/node.ts', '../node/ports.ts'],
  ['engine/src/settings/planted.ts', '../documents/yaml/parse.ts'],
  ['language-server/src/planted.ts', '@authgraph/engine'],
  ['language-server/src/features/planted.ts', '@authgraph/engine/language'],
  ['language-server/src/planted.ts', 'vscode-languageserver'],
  ['language-server/src/browser.ts', 'vscode-languageserver/browser'],
  ['language-server/src/main.ts', 'node:crypto'],
  ['language-server/src/node-planted.ts', '@authgraph/engine/node'],
  ['extension/src/planted.ts', '@authgraph/language-server/protocol'],
  ['extension/src/identities/key-sets.ts', '@authgraph/engine/signature'],
  ['extension/src/planted.ts', 'vscode'],
  ['extension/src/web-work.ts', '@authgraph/language-server/browser'],
  ['extension/src/desktop-work.ts', 'vscode-languageclient/node'],
  ['extension/src/desktop.ts', 'node:path'],
];

describe('the linter', () => {
  let refused: ReadonlySet<string> = new Set();
  beforeAll(() => {
    refused = refusals([...shut, ...open]);
  });
  test.each(shut)('%s may not import %s', (file, specifier) => {
    expect(refused).toContain(`${file} ${specifier}`);
  });
  test.each(open)('%s may import %s', (file, specifier) => {
    expect(refused).not.toContain(`${file} ${specifier}`);
  });
});

test('the table in ARCHITECTURE.md matches the configuration of the linter', () => {
  const rooms = readdirSync(join(root, 'engine/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'doors')
    .map(({ name }) => name);
  const { overrides } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  const allowed = new Map<string, readonly string[]>();
  for (const { includes, linter } of overrides) {
    const [, room = ''] = /^engine\/src\/([\w-]+)\/\*\*$/.exec(includes[0]) ?? [];
    if (room === '') continue;
    const { patterns } = linter.rules.style.noRestrictedImports.options;
    const shut = new Set(patterns.flatMap(({ group }: { group: string[] }) => group));
    const open = rooms.filter((other) => other !== room && !shut.has(`**/${other}/**`));
    allowed.set(room, open.toSorted());
  }
  const table = new Map<string, readonly string[]>();
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  for (const [, names = '', open = ''] of page.matchAll(/^\| \d\w? \| ([^|]+) \| ([^|]+) \|$/gm)) {
    for (const name of names.split(', ')) {
      table.set(name, open === 'nothing' ? [] : open.split(', ').toSorted());
    }
  }
  expect([...table.keys()].toSorted()).toEqual(rooms.toSorted());
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(allowed));
});

test('the core reads no clock, no random numbers and no environment, which the linter cannot check', () => {
  const impureNames =
    /Date\.now\(|new Date\(\)|Math\.random|performance\.now|\bprocess\.\w|(?<![.#\w])(?:fetch|setTimeout|setInterval)\(|\bconsole\./;
  const outside = /^(?:node|client|server|cli|doors\/node\.ts)(?:\/|$)/;
  const files = readdirSync(join(root, 'engine/src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !outside.test(path));
  expect(files.length).toBeGreaterThan(200);
  const code = (path: string) =>
    readFileSync(join(root, 'engine/src', path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  expect(files.filter((path) => impureNames.test(code(path)))).toEqual([]);
});

test('the language server imports entry points of the engine and its own libraries, nothing else', () => {
  const folder = join(root, 'language-server/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(20);
  const packages = new Set<string>();
  for (const path of files) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport\()\s*'([^'.][^']*)'/g)) {
      if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  expect([...packages].toSorted()).toEqual([
    '@authgraph/engine',
    '@authgraph/engine/language',
    '@authgraph/engine/node',
    'vscode-languageserver',
    'vscode-languageserver-textdocument',
    'vscode-languageserver/browser',
    'vscode-languageserver/node',
    'vscode-uri',
  ]);
});

test('a package is imported through its entry points only', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'engine/package.json'), 'utf8'));
  expect(Object.keys(manifest.exports)).toEqual(['.', './language', './node', './signature']);
});
