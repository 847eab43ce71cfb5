/** No text makes the reader throw, hang, or return a position outside of the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../engine/src/documents/yaml/parse.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { compileText } from '../../support/compile-text.ts';

const check = (text: string): void => {
  const { diagnostics, report, graph } = compileText(text);
  for (const { span, related, fixes } of diagnostics) {
    const spans = [
      span,
      ...related.map((place) => place.span),
      ...fixes.flatMap(({ edits }) => edits.map((edit) => edit.span)),
    ];
    for (const { start, end } of spans) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(text.length);
    }
  }
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  expect(graph === undefined).toBe(failed);
  if (!report.ok) expect(failed).toBe(true);
};

const good = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [a, 'b'], audienceMatchPolicy: MatchAny}
  claimValidationRules:
  - claim: hd
    requiredValue: "x\\n"
  claimMappings:
    username:
      claim: >-
        sub
      prefix: ''
anonymous:
  enabled: yes
`;

const marks = fc.constantFrom(
  '\n',
  '\n  ',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '&a ',
  '*a',
  '!!str ',
  '|\n',
  '>\n',
  '#',
  '? ',
  '%',
  '\t',
  '\\',
  '---\n',
  '...\n',
  '<<: ',
  '\u0000',
  '\u0085',
  '\ud800',
  '\ufeff',
  '\u{1f600}',
  ',',
  '~',
  '\r',
);

describe('the reader accepts arbitrary text', () => {
  test('of indicators', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(marks, fc.string({ maxLength: 3 })), { maxLength: 30 }),
        (parts) => check(parts.join('')),
      ),
      { numRuns: 500 },
    );
  });

  test('of arbitrary characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), check), { numRuns: 300 });
  });

  test('of a valid file with random edits', () => {
    const cut = fc.record({ at: fc.nat(good.length), remove: fc.nat(6), insert: marks });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
        let text = good;
        for (const { at, remove, insert } of cuts)
          text = text.slice(0, at) + insert + text.slice(at + remove);
        check(text);
      }),
      { numRuns: 700 },
    );
  });

  test('of a truncated file', () => {
    for (let length = 0; length <= good.length; length += 1) check(good.slice(0, length));
  });
});

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';

test('limits reject, warn, or are disabled', () => {
  const text = `${head}x: ${'['.repeat(70)}${']'.repeat(70)}\n`;
  const limits = (options: Parameters<typeof compileText>[1]) =>
    compileText(text, options)
      .diagnostics.filter(({ source }) => source === 'limit')
      .map(({ severity, message }) => `${severity}: ${message}`);
  const message = 'the file has 71 levels of nesting; the limit is 64';
  expect(limits({})).toEqual([`error: ${message}`]);
  expect(limits({ limits: 'warn' })).toEqual([`warning: ${message}`]);
  expect(limits({ exact: true })).toEqual([]);
});

test('a file over the size limit is not parsed', () => {
  const { document, diagnostics } = compileText(`${head}# ${'x'.repeat(1_100_000)}\n`);
  expect(document.root).toBeUndefined();
  expect(diagnostics.map(({ name }) => name)).toEqual(['document-limit']);
});

test.each([
  ['{"a": 1, b: 2}', 'b'],
  ['{"a": 1,}', '}'],
  ['{"a": tru}', '}'],
  ['{"\u00e9": 01}', '1'],
  ['{"a": 1', '1'],
  ['{} x', 'x'],
])('the position of the mistake in %s', (text, at) => {
  const [diagnostic] = parseDocument(sourceFile('x.json', text)).diagnostics;
  expect(text.slice(diagnostic?.span.start, diagnostic?.span.end)).toBe(at);
});

test('comments are recorded with their positions', () => {
  const text = '# first\na: b # second\nc: |  # third\n  # no comment\n';
  const { comments } = parseDocument(sourceFile('x.yaml', text));
  expect(comments.map(({ start, end }) => text.slice(start, end))).toEqual([
    '# first',
    '# second',
    '# third',
  ]);
});
