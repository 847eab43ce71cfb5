/** What is exported is asked for: a function that nobody calls is a promise that nobody checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/node_modules|\/dist\//.test(path));

const wordsOf = (path: string): ReadonlySet<string> => {
  const text = readFileSync(join(root, path), 'utf8');
  return new Set(text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').match(/[A-Za-z_$][\w$]*/g));
};

const sources = filesOf('engine/src');
const words = new Map(sources.map((path) => [path, wordsOf(path)]));

/** What tests alone ask for. */
const forTests = new Set([
  'engine/src/cel/functions/registry.ts languageLibraries',
  'engine/src/cel/grammar.ts validateGrammar',
  'engine/src/cel/int64.ts maxUint64',
  'engine/src/signed-token/portable-signatures.ts portableSignatures',
]);

test('every exported value is used by the product', () => {
  const unused: string[] = [];
  for (const path of sources) {
    const text = readFileSync(join(root, path), 'utf8');
    const body = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const [, name = ''] of body.matchAll(
      /^export (?:async )?(?:const|function\*?|class) (\w+)/gm,
    )) {
      const inside = body.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
      const elsewhere = sources.some((other) => other !== path && words.get(other)?.has(name));
      if (inside === 1 && !elsewhere) unused.push(`${path} ${name}`);
    }
  }
  expect(unused.toSorted()).toEqual([...forTests].toSorted());
});
