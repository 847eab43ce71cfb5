/** Texts inside of other files: positions in both directions, and equivalent edits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findConfigurations } from '../../../engine/src/documents/embedded/find-configurations.ts';
import type { NestedText } from '../../../engine/src/documents/embedded/nested-text.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { span } from '../../../engine/src/source/span.ts';
import { applyEdits, type TextEdit } from '../../../engine/src/source/text-edit.ts';

const configuration = [
  'apiVersion: apiserver.config.k8s.io/v1',
  'kind: AuthenticationConfiguration',
  'jwt:',
  '- issuer:',
  '    url: "https://ä𝒳.example" # \'quoted\'',
  '',
  '    audiences: [a, b]',
  '',
].join('\n');

const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

const literal = (text: string): string =>
  `kind: ConfigMap\ndata:\n  before: x\n  auth.yaml: |\n${indented(text, 4)}  after: y\n`;

const files: Readonly<Record<string, (text: string) => string>> = {
  'literal block': literal,
  'literal block, CRLF': (text) => literal(text).replaceAll('\n', '\r\n'),
  'literal block at the end': (text) => `kind: ConfigMap\ndata:\n  a: |+\n${indented(text, 3)}`,
  'double quotes': (text) => `kind: ConfigMap\ndata: {a: ${JSON.stringify(text)}, b: x}\n`,
  JSON: (text) => JSON.stringify({ kind: 'ConfigMap', data: { a: text, b: 'x' } }, null, 2),
  'second document': (text) => `kind: A\n---\n${text}---\nkind: B\n`,
};

const onlyConfiguration = (file: string): NestedText => {
  const found = findConfigurations(sourceFile('f', file), { isDeclared: false });
  expect(found).toHaveLength(1);
  const [nested] = found;
  if (nested === undefined) throw new Error('unreachable: counted');
  return nested;
};

test.each(Object.keys(files))('%s: the text is found unchanged', (form) => {
  const own = onlyConfiguration(files[form]?.(configuration) ?? '').source.text;
  expect(own.replace(/^---\n/, '')).toBe(configuration);
});

test.each(Object.keys(files))('%s: positions are converted in both directions', (form) => {
  const file = files[form]?.(configuration) ?? '';
  const nested = onlyConfiguration(file);
  const { text } = nested.source;
  for (const word of ['apiVersion', 'issuer', 'https', '𝒳', 'audiences', 'b]']) {
    const start = text.indexOf(word);
    const place = nested.toFile(span(start, start + word.length));
    expect(file.slice(place.start, place.end)).toBe(word);
    expect(nested.fromFile(place.start)).toBe(start);
  }
  expect(nested.fromFile(0)).toBeUndefined();
});

const edits = fc
  .tuple(
    fc.nat(configuration.length),
    fc.nat(30),
    fc.array(fc.constantFrom('\n', 'a', ' ', '- ', 'k: v', '"', '\\', "'")),
  )
  .map(
    ([start, length, pieces]): TextEdit => ({
      span: span(start, Math.min(configuration.length, start + length)),
      newText: pieces.join(''),
    }),
  );

test.each(Object.keys(files))('%s: an edit is equivalent in the file', (form) => {
  const file = files[form]?.(configuration) ?? '';
  fc.assert(
    fc.property(edits, (edit) => {
      const nested = onlyConfiguration(file);
      const shift = nested.source.text.startsWith('---\n') ? 4 : 0;
      const moved = { ...edit, span: span(edit.span.start + shift, edit.span.end + shift) };
      const wanted = applyEdits(nested.source.text, [moved]);
      const edited = applyEdits(file, [nested.editOfFile(moved)]);
      const [found] = findConfigurations(sourceFile('f', edited), { isDeclared: false });
      // An edit of the first lines may change the kind, and one of the indentation the extent of
      // the text.
      fc.pre(found !== undefined && /^[^ \n]/.test(wanted) && wanted.isWellFormed());
      expect(trimmed(found?.source.text ?? '')).toBe(trimmed(wanted));
    }),
    { numRuns: 200 },
  );
});

/** Removes white space at the ends of lines and of the text, which blocks do not preserve. */
const trimmed = (text: string): string => text.replace(/[ \t]+$/gm, '').trimEnd();
