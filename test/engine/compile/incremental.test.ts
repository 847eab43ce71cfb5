/** Compiling with the compilation before an edit gives what compiling without it gives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Compilation, compile } from '../../../engine/src/compile/compile.ts';
import { entryViews } from '../../../engine/src/compile/entry-view.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { randomOf } from '../../fuzz/random.ts';
import { startingTexts } from '../../fuzz/starting-texts.ts';
import { differencesOf, editsOf } from '../../fuzz/whole-and-parts.ts';

const compiled = (text: string, previous?: Compilation): Compilation =>
  compile({ source: sourceFile('x.yaml', text), limits: 'warn', previous });

describe('random edits', () => {
  const texts = startingTexts();
  test('leave nothing that is not as it would be without them', () => {
    let inPart = 0;
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = randomOf(seed);
      const run = editsOf(random.pick(texts)(random), random, { count: 16 });
      expect(run.differences).toEqual([]);
      inPart += run.inPart;
    }
    // Otherwise nothing was tried.
    expect(inPart).toBeGreaterThan(10);
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

/** What has been done for each entry, by identity. */
const analysesOf = (compilation: Compilation) =>
  entryViews(compilation)?.map(({ analysis }) => analysis) ?? [];

/** Which entries were worked on anew. */
const analyzedAnew = (before: Compilation, after: Compilation): readonly number[] =>
  analysesOf(after).flatMap((work, index) => (analysesOf(before).includes(work) ? [] : [index]));

describe('one keystroke', () => {
  test('in an entry works on that entry alone', () => {
    const before = compiled(text);
    const after = compiled(text.replace('b:" + claims.sub', 'b:" + claims.email'), before);
    expect(analyzedAnew(before, after)).toEqual([1]);
    expect(differencesOf(after)).toEqual([]);
    expect(after.diagnostics.map(({ code }) => code)).toEqual(['AG1045']);
  });

  test('in a comment between entries moves those behind it', () => {
    const before = compiled(text);
    const after = compiled(text.replace('# second', '# second\n# and its reason'), before);
    expect(analyzedAnew(before, after)).toEqual([0]);
    expect(differencesOf(after)).toEqual([]);
  });

  test('that breaks the file and is taken back leaves all work as it was', () => {
    const before = compiled(text);
    const broken = compiled(text.replace('audiences: [app]', 'audiences: [app'), before);
    expect(broken.document.failure).toBeDefined();
    expect(analysesOf(broken)).toEqual([]);
    const mended = compiled(text, broken);
    expect(analyzedAnew(before, mended)).toEqual([]);
  });

  test('in the head reads the whole and works on no entry', () => {
    const before = compiled(text);
    const after = compiled(text.replace('apiVersion', '# why\napiVersion'), before);
    expect(analyzedAnew(before, after)).toEqual([]);
    expect(differencesOf(after)).toEqual([]);
  });

  test('that makes an issuer that is there already is told at both', () => {
    const before = compiled(text);
    const after = compiled(text.replace('https://c.example', 'https://a.example'), before);
    expect(analyzedAnew(before, after)).toEqual([2]);
    expect(differencesOf(after)).toEqual([]);
    expect(after.diagnostics.map(({ code }) => code)).toEqual(['AG1012']);
  });

  test('of another release works on everything', () => {
    const previous = compiled(text);
    const source = sourceFile('x.yaml', text);
    const after = compile({ source, limits: 'warn', previous, settings: settingsFor(30) });
    expect(analyzedAnew(previous, after)).toEqual([0, 1, 2]);
  });

  test.each([
    ['an entry that is inserted before one with an error', '# second\n', `# second\n${entry('z')}`],
    ['an entry that is added in the lines of another', '# second\n', `${entry('z')}# second\n`],
    ['a document that is ended before it', '# second\n', '---\n'],
    ['a second byte order mark', 'apiVersion', '\ufeff\ufeffapiVersion'],
    ['an anchor and an alias', 'audiences: [app]', 'audiences: &x [app, *x]'],
    ['a dash that moves', '- issuer:\n    url: https://b', ' - issuer:\n    url: https://b'],
    ['the last dash that moves', '- issuer:\n    url: https://c', ' - issuer:\n    url: https://c'],
    ['a quote that swallows the next entry', '[app]', '["app]'],
    ['a text that goes on', "claims.sub'\n", "claims.sub' |\n"],
    ['lines that end otherwise', 'audiences: [app]\n', 'audiences: [app]\r\n'],
    ['a key that is there already', '    audiences: [app]\n', '    url: x\n    audiences: [app]\n'],
    ['a value that JSON cannot hold', 'audiences: [app]', 'audiences: .inf'],
  ])('with %s', (_, from, to) => {
    // The last entry has an error, which names its number.
    const old = text.replace('"c:" + claims.sub', 'claims.');
    const edited = old.replace(from, to);
    expect(edited).not.toBe(old);
    expect(differencesOf(compiled(edited, compiled(old)))).toEqual([]);
    expect(differencesOf(compiled(old, compiled(edited)))).toEqual([]);
  });
});

test('a dash that leaves its column is read with the whole', () => {
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

test('a fix ends its lines as the file does, not as the entry', () => {
  const mixed = text.replace('/v1\n', '/v1\r\n');
  const before = compiled(mixed);
  const after = compiled(mixed.replace('audiences: [app]', 'audiences: [app, web]'), before);
  expect(differencesOf(after)).toEqual([]);
  const [fix] = after.diagnostics[0]?.fixes ?? [];
  expect(fix?.edits[0]?.newText).toMatch(/^\r\n/);
});

test('what is kept does not keep the texts before', () => {
  // A piece of a text keeps the whole of it, which nobody sees but the memory: so it is copied.
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

test('the sample configurations are cut', () => {
  const file = join(import.meta.dirname, '../../../samples/jwt/github-actions.yaml');
  expect(analysesOf(compiled(readFileSync(file, 'utf8')))).not.toEqual([]);
});
