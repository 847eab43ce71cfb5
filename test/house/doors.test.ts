/** The table of doors is enforced: a forbidden import planted in a scratch copy is refused. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'doors-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const lint = (file: string, text: string): string => {
  const configuration = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  configuration.vcs = { enabled: false };
  delete configuration.$schema;
  writeFileSync(join(scratch, 'biome.json'), JSON.stringify(configuration));
  const path = join(scratch, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout, stderr } = spawnSync(biome, ['lint', file], { cwd: scratch, encoding: 'utf8' });
  rmSync(path);
  return stdout + stderr;
};

test.each([
  ['engine/src/source/planted.ts', '../model/claims.ts'],
  ['engine/src/cel/planted.ts', '../documents/parse.ts'],
  ['engine/src/config/planted.ts', '../runtime/link.ts'],
  ['engine/src/compile/planted.ts', '../server/server.ts'],
  ['engine/src/runtime/planted.ts', 'node:fs'],
  ['engine/src/lints/planted.ts', '../node/files.ts'],
  ['engine/src/server/planted.ts', 'jose'],
  ['engine/src/runtime/planted.ts', 'yaml'],
  ['engine/src/server/planted.ts', '../cli/main.ts'],
])('%s may not import %s', (file, specifier) => {
  expect(lint(file, `import { x } from '${specifier}';\nexport const y = x;\n`)).toContain(
    'noRestrictedImports',
  );
});

test.each([
  ['engine/src/runtime/planted.ts', '../compile/graph.ts'],
  ['engine/src/server/planted.ts', 'node:http2'],
  ['engine/src/documents/planted.ts', 'yaml'],
])('%s may import %s', (file, specifier) => {
  expect(lint(file, `import { x } from '${specifier}';\nexport const y = x;\n`)).not.toContain(
    'noRestrictedImports',
  );
});

test('a package is entered through its doors only', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'engine/package.json'), 'utf8'));
  expect(Object.keys(manifest.exports)).toEqual(['.', './language', './node']);
});
