/** The position map of scalars in every style. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StringData } from '../../../engine/src/documents/yaml/data.ts';
import { parseDocument } from '../../../engine/src/documents/yaml/parse.ts';
import {
  toDecodedOffset,
  toFileOffset,
  toFileSpan,
} from '../../../engine/src/source/position-map.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const scalarOf = (text: string): StringData => {
  const { data } = parseDocument(sourceFile('x.yaml', text));
  const value = data?.kind === 'object' ? data.byKey.get('k')?.value : undefined;
  if (value?.kind !== 'string') throw new Error(`no text at k in ${JSON.stringify(text)}`);
  return value;
};

const styles: readonly (readonly [name: string, file: string, decoded: string])[] = [
  ['plain', 'k: claims.sub == x\n', 'claims.sub == x'],
  [
    'plain over lines',
    'k: claims.a\n   && claims.b\n\n   || claims.c  # end\n',
    'claims.a && claims.b\n|| claims.c',
  ],
  ['single quoted', "k: 'it''s ''x'''\n", "it's 'x'"],
  ['single quoted over lines', "k: 'a\n\n  b\n  c'\n", 'a\nb c'],
  ['double quoted', 'k: "a\\"b\\u00e9\\x41\\n\\t\\\\ c"\n', 'a"b\u00e9A\n\t\\ c'],
  ['double quoted, escaped break', 'k: "a \\\n   b\\\n   \\ c"\n', 'a b c'],
  ['double quoted, code point', 'k: "\\U0001F600x"\n', '\u{1f600}x'],
  ['literal', 'k: |\n  a\n   b\n\n  c\nz: 1\n', 'a\n b\n\nc\n'],
  ['literal, stripped', 'k: |-\n    a\n\n', 'a'],
  ['literal, keep', 'k: |+\n    a\n\n\nz: 1\n', 'a\n\n\n'],
  ['literal, indented by number', 'k: |2\n     a\n', '   a\n'],
  ['folded', 'k: >\n  a\n  b\n\n  c\n    d\n  e\n', 'a b\nc\n  d\ne\n'],
  ['folded, stripped', 'k: >-\n  a &&\n  b\n', 'a && b'],
  ['CRLF', 'k: "a\r\n  b"\r\n', 'a b'],
  ['anchored and tagged', 'k: &x !!str 12\n', '12'],
  ['JSON', '{"k": "a\\u00e9\\"b"}', 'a\u00e9"b'],
];

test.each(styles)('%s', (_, file, decoded) => {
  const scalar = scalarOf(file);
  expect(scalar.text).toBe(decoded);
  for (const word of decoded.matchAll(/[a-z.]{2,}/g)) {
    const span = toFileSpan(scalar.map, { start: word.index, end: word.index + word[0].length });
    expect(file.slice(span.start, span.end)).toBe(word[0]);
  }
});

/** The pieces cover the text, are in the order of the file, and decode to their text. */
const checkMap = (file: string, scalar: StringData): void => {
  const { pieces } = scalar.map;
  let decoded = 0;
  let at = 0;
  for (const piece of pieces) {
    expect(piece.decoded).toBe(decoded);
    expect(piece.file).toBeGreaterThanOrEqual(at);
    decoded += piece.decodedLength;
    at = piece.file + piece.fileLength;
    const written = file.slice(piece.file, at);
    const read = scalar.text.slice(piece.decoded, decoded);
    if (written === read || piece.decodedLength === 0) continue;
    expect(written).toMatch(/^(?:[ \t]*[\r\n]\s*|\\[\s\S]+|''|(?:[ \t]*\\?[\r\n]\s*))$/);
  }
  expect(decoded).toBe(scalar.text.length);
  for (let offset = 0; offset < scalar.text.length; offset += 1) {
    const back = toDecodedOffset(scalar.map, toFileOffset(scalar.map, offset));
    const piece = pieces.findLast((candidate) => candidate.decoded <= offset);
    const inStep = piece?.decodedLength === piece?.fileLength;
    expect(back).toBe(inStep ? offset : piece?.decoded);
  }
};

const letters = fc.constantFrom(
  'a',
  'b',
  ' ',
  '  ',
  '\n',
  '\n\n',
  "'",
  '"',
  '\\',
  '\u00e9',
  '\u{1f600}',
  ':',
  '#',
  '-',
  '\t',
  '.',
  '&&',
);
const texts = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));

const written: readonly (readonly [string, (text: string) => string])[] = [
  ['double', (text) => `k: ${JSON.stringify(text)}\n`],
  [
    'double with breaks',
    (text) => `k: "${JSON.stringify(text).slice(1, -1).replaceAll('\\n', '\\n\\\n  ')}"\n`,
  ],
  ['single', (text) => `k: '${text.replace(/[\t ]*\n[\t ]*/g, '\n\n  ').replaceAll("'", "''")}'\n`],
  [
    'literal',
    (text) =>
      `k: |2-\n${text
        .split('\n')
        .map((line) => (line === '' ? '' : `  ${line}`))
        .join('\n')}\nz: 1\n`,
  ],
];

test.each(written)('the map of random text is correct: %s', (_, write) => {
  fc.assert(
    fc.property(texts, (text) => {
      const file = write(text);
      const { failure, data } = parseDocument(sourceFile('x.yaml', file));
      fc.pre(failure === undefined);
      fc.pre(data?.kind === 'object' && data.byKey.get('k')?.value.kind === 'string');
      checkMap(file, scalarOf(file));
    }),
    { numRuns: 400 },
  );
});

test('a double quoted string is decoded to the original', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const file = `k: ${JSON.stringify(text).replace(/[\u007f-\u009f\ufffe\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
      expect(scalarOf(file).text).toBe(text);
    }),
  );
});

test('text that decodes to itself is one piece', () => {
  for (const file of [
    'k: claims.sub == x  # end\n',
    'k: "a b: c"\n',
    "k: 'a # b'\n",
    'k: |-\n  a b\n',
  ])
    expect(scalarOf(file).map.pieces).toHaveLength(1);
  expect(scalarOf("k: 'a b''c d'\n").map.pieces).toHaveLength(3);
});
