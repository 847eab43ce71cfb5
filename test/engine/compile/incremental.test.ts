/** Compiling with the previous compilation has the same result as compiling without it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Compilation, compile } from '../../../engine/src/compile/compile.ts';
import { entryViews } from '../../../engine/src/compile/entry-view.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { differencesOf, runRandomEdits } from '../../fuzz/compare-incremental.ts';
import { randomOf } from '../../fuzz/random.ts';
import { startingTexts } from '../../fuzz/starting-texts.ts';

const compiled = (text: string, previous?: Compilation): Compilation =>
  compile({ source: sourceFile('x.yaml', text), limits: 'warn', previous });

describe('random edits', () => {
  const texts = startingTexts();
  test('have the same result as a compilation of the whole text', () => {
    let partial = 0;
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = randomOf(seed);
      const run = runRandomEdits(random.pick(texts)(random), random, { count: 16 });
      expect(run.differences).toEqual([]);
      partial += run.partial;
    }
    // Otherwise nothing was tested.
    expect(partial).toBeGreaterThan(10);
  }, 60_000);
});

const entry = (name: string): string => `- issuer:
    url: https://${name}.example
    audiences: [app]
  claimMappings:
    username:
      expression: '"${name}:" + claims.sub'
`;
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';
const text = `${head}# first\n${entry('a')}# second\n${entry('b')}${entry('c')}anonymous:\n  enabled: true\n`;

/** The analyses of all entries, to compare by identity. */
const analysesOf = (compilation: Compilation) =>
  entryViews(compilation)?.map(({ analysis }) => analysis) ?? [];

/** Indexes of the entries that were analyzed again. */
const analyzedAnew = (before: Compilation, after: Compilation): readonly number[] =>
  analysesOf(after).flatMap((work, index) => (analysesOf(before).includes(work) ? [] : [index]));

describe('one keystroke', () => {
  test('in an entry analyzes only that entry', () => {
    const before = compiled(text);
    const after = compiled(text.replace('b:" + claims.sub', 'b:" + claims.email'), before);
    expect(analyzedAnew(before, after)).toEqual([1]);
    expect(differencesOf(after)).toEqual([]);
    expect(after.diagnostics.map(({ code }) => code)).toEqual(['AG1045']);
  });

  test('in a comment between entries shifts those after it', () => {
    const before = compiled(text);
    const after = compiled(text.replace('# second', '# second\n# and its reason'), before);
    expect(analyzedAnew(before, after)).toEqual([0]);
    expect(differencesOf(after)).toEqual([]);
  });

  test('that breaks the file and is undone reuses all analyses', () => {
    const before = compiled(text);
    const broken = compiled(text.replace('audiences: [app]', 'audiences: [app'), before);
    expect(broken.document.failure).toBeDefined();
    expect(analysesOf(broken)).toEqual([]);
    const fixed = compiled(text, broken);
    expect(analyzedAnew(before, fixed)).toEqual([]);
  });

  test('before the entries parses the whole file and analyzes no entry', () => {
    const before = compiled(text);
    const after = compiled(text.replace('apiVersion', '# why\napiVersion'), before);
    expect(analyzedAnew(before, after)).toEqual([]);
    expect(differencesOf(after)).toEqual([]);
  });

  test('that repeats an issuer reports it', () => {
    const before = compiled(text);
    const after = compiled(text.replace('https://c.example', 'https://a.example'), before);
    expect(analyzedAnew(before, after)).toEqual([2]);
    expect(differencesOf(after)).toEqual([]);
    expect(after.diagnostics.map(({ code }) => code)).toEqual(['AG1012']);
  });

  test('and another release analyze all entries', () => {
    const previous = compiled(text);
    const source = sourceFile('x.yaml', text);
    const after = compile({ source, limits: 'warn', previous, settings: settingsFor(30) });
    expect(analyzedAnew(previous, after)).toEqual([0, 1, 2]);
  });

  test.each([
    ['an entry inserted before one with an error', '# second\n', `# second\n${entry('z')}`],
    ['an entry inserted in the lines of another', '# second\n', `${entry('z')}# second\n`],
    ['a document that ends before it', '# second\n', '---\n'],
    ['a second byte order mark', 'apiVersion', '\ufeff\ufeffapiVersion'],
    ['an anchor and an alias', 'audiences: [app]', 'audiences: &x [app, *x]'],
    ['a dash that moves', '- issuer:\n    url: https://b', ' - issuer:\n    url: https://b'],
    ['the last dash that moves', '- issuer:\n    url: https://c', ' - issuer:\n    url: https://c'],
    ['a quote that swallows the next entry', '[app]', '["app]'],
    ['a string that continues', "claims.sub'\n", "claims.sub' |\n"],
    ['other line breaks', 'audiences: [app]\n', 'audiences: [app]\r\n'],
    ['a repeated key', '    audiences: [app]\n', '    url: x\n    audiences: [app]\n'],
    ['a value that JSON cannot hold', 'audiences: [app]', 'audiences: .inf'],
  ])('with %s', (_, from, to) => {
    // The last entry has an error, whose message contains its index.
    const old = text.replace('"c:" + claims.sub', 'claims.');
    const edited = old.replace(from, to);
    expect(edited).not.toBe(old);
    expect(differencesOf(compiled(edited, compiled(old)))).toEqual([]);
    expect(differencesOf(compiled(old, compiled(edited)))).toEqual([]);
  });
});

test('a dash that leaves its column is parsed with the whole file', () => {
  const indented = text
    .replace(/^(?=- | {2}[a-z]| {4})/gm, '  ')
    .replace(/^ +enabled/m, '  enabled');
  const at = indented.lastIndexOf('  - issuer');
  const edited = indented.slice(0, at) + indented.slice(at + 1);
  const before = compiled(indented);
  expect(before.document.failure).toBeUndefined();
  const after = compiled(edited, before);
  expect(after.document.failure).toBeDefined();
  expect(differencesOf(after)).toEqual([]);
});

test('a fix uses the line breaks of the file, not those of the entry', () => {
  const mixed = text.replace('/v1\n', '/v1\r\n');
  const before = compiled(mixed);
  const after = compiled(mixed.replace('audiences: [app]', 'audiences: [app, web]'), before);
  expect(differencesOf(after)).toEqual([]);
  const [fix] = after.diagnostics[0]?.fixes ?? [];
  expect(fix?.edits[0]?.newText).toMatch(/^\r\n/);
});

test('analyses that are reused do not retain earlier texts', () => {
  // A substring keeps the whole text in memory, so it has to be copied.
  let current = compiled(text);
  for (const letter of 'abcdef') {
    current = compiled(text.replace('[app]', `[app${letter}]`), current);
    lint(current);
  }
  const [first, second] = analysesOf(current);
  expect(first?.item.source.text).toMatch(/^- issuer/);
  expect(first?.item.source.text).not.toContain('https://b.example');
  expect(second?.item.source.text).toBe(text);
});

test('sample configurations are split', () => {
  const file = join(import.meta.dirname, '../../../samples/jwt/github-actions.yaml');
  expect(analysesOf(compiled(readFileSync(file, 'utf8')))).not.toEqual([]);
});
