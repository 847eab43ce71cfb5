/** The formatter: examples, and properties of all expressions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatExpression } from '../../../../engine/src/cel/editor/format-expression.ts';
import { layoutGaps } from '../../../../engine/src/cel/editor/layout-gaps.ts';
import { tokenize } from '../../../../engine/src/cel/syntax/grammar.ts';
import { parseCel } from '../../../../engine/src/cel/syntax/parser.ts';
import type { CelNode } from '../../../../engine/src/cel/tree/ast.ts';
import { applyEdits } from '../../../../engine/src/source/text-edit.ts';
import { cases } from '../../../support/cases.ts';
import { treeText } from '../syntax/tree-text.ts';

test.each([
  ['a+b', 'a + b'],
  ['a  &&   b', 'a && b'],
  ['  a . b ( c ,d )  ', 'a.b(c, d)'],
  ['a?b:c', 'a ? b : c'],
  ['! a', '!a'],
  ['- - 1', '--1'],
  ['a - -1', 'a - -1'],
  ['a-1', 'a - 1'],
  ['[ 1,2 , ]', '[1, 2]'],
  ['[ , ]', '[]'],
  ["{'a' :1,?b:2,}", "{'a': 1, ?b: 2}"],
  ['a . ? b [ ? c ]', 'a.?b[?c]'],
  ['A . B { c :1 }', 'A.B{c: 1}'],
  ['( ( a ) )', '((a))'],
  ['a in[b]', 'a in [b]'],
  ['l.map(x,x>0,f( x ))', 'l.map(x, x > 0, f(x))'],
  ['. a', '.a'],
  ["claims.groups\n  .exists(g,\n  g == 'x')", "claims.groups.exists(g, g == 'x')"],
  ["'''a\nb'''+c", "'''a\nb''' + c"],
])('formats %j', (text, expected) => {
  expect(formatExpression(text)).toBe(expected);
});

test('keeps a single line and reformats several lines if one is too long', () => {
  const name = 'x'.repeat(30);
  const text = `${name} && [${name}, ${name}].all(v, v) && ${name}`;
  expect(formatExpression(text)).toBe(text);
  expect(formatExpression(text.replace(' &&', '\n&&'))).toBe(
    `${name} &&\n  [${name}, ${name}].all(v, v) &&\n  ${name}`,
  );
  expect(formatExpression(`f(${name},\n${name}, ${name}, a ? ${name} : b)`)).toBe(
    `f(\n  ${name},\n  ${name},\n  ${name},\n  a ? ${name} : b\n)`,
  );
});

test.each([
  ['a   // why  ', 'a // why'],
  ['a&&b // x\n||c', 'a && b // x\n  || c'],
  ['f( a,// one\n b // two\n)', 'f(a, // one\n  b // two\n)'],
  ['// head\n\n\n// two\na?b:\n // c\n-c', '// head\n\n// two\na ? b :\n  // c\n  -c'],
  [
    'l.filter(g,\n// only\n  g.y({?a:1,"b":[?c,- 2,! d]})\n )[ 0].?z',
    'l.filter(g,\n  // only\n  g.y({?a: 1, "b": [?c, -2, !d]})\n)[0].?z',
  ],
  ['a &&\nf(\n// c\nb)', 'a &&\n  f(\n    // c\n    b)'],
  ['a\n// end', 'a\n// end'],
])('preserves the lines of comments: %j', (text, expected) => {
  expect(formatExpression(text)).toBe(expected);
  expect(formatExpression(text, { lines: 'one' })).toBeUndefined();
  expect(formatExpression(text, { column: 4 })?.replaceAll('\n    ', '\n')).toBe(expected);
});

test.each(['a +', '', 'if', '"a', '// nothing'])(
  'does not format the invalid expression %j',
  (text) => {
    expect(formatExpression(text)).toBeUndefined();
  },
);

const tree = (text: string): string => {
  const node: CelNode = parseCel(text, { release: 37 }).tree;
  return treeText(node);
};

let formattedCount = 0;
const expectStable = (text: string): void => {
  const formatted = formatExpression(text);
  if (formatted === undefined) return;
  formattedCount++;
  expect(tree(formatted), text).toBe(tree(text));
  expect(formatExpression(formatted), text).toBe(formatted);
};

test('preserves the tree of recorded expressions and is idempotent', () => {
  const recorded = cases<{ readonly expression: string }>('conformance/cel.jsonl');
  for (const { input } of recorded) {
    expectStable(input.expression);
    expectStable(input.expression.replaceAll(/ (?=[^'"]*$)/g, '\n'));
  }
});

const blank = fc.constantFrom('', ' ', '\n', '\t ');
const expressions = fc.letrec<{ readonly any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', '.b', '1', '-2', '0x1Fu', '.5', "'s'", 'b"x"', 'null', 'true', '[]', '{}'),
    fc
      .tuple(
        tie('any'),
        blank,
        fc.constantFrom('+', '-', '*', '<', '==', '&&', '||', '%'),
        blank,
        tie('any'),
      )
      .map((parts) => parts.join('')),
    fc.tuple(tie('any'), tie('any')).map(([x, y]) => `${x} in ${y}`),
    fc
      .tuple(tie('any'), blank, tie('any'), tie('any'))
      .map(([x, b, y, z]) => `(${x}?${b}${y}:${z})`),
    fc
      .tuple(fc.constantFrom('!', '- ', '!!', '--'), tie('any'))
      .map(([sign, x]) => `${sign}(${x})`),
    fc.tuple(tie('any'), blank).map(([x, b]) => `(${x})${b}.${b}f`),
    fc.tuple(tie('any'), tie('any')).map(([x, y]) => `(${x})[?${y}].?g`),
    fc.tuple(tie('any'), tie('any'), blank).map(([x, y, b]) => `f(${x},${b}${y})`),
    fc.tuple(tie('any'), tie('any'), blank).map(([x, y, b]) => `[${x},${b}?${y},]`),
    fc.tuple(tie('any'), tie('any')).map(([x, y]) => `{${x}:${y}, ?'k':${x}}`),
    fc.tuple(tie('any'), blank).map(([x, b]) => `A.B${b}{c:${x},${b}?d:1}`),
    fc.tuple(tie('any'), tie('any')).map(([x, y]) => `(${x}).map(v,${y},v)`),
  ),
}));

test.each([
  ['a && b || c', 'a && b ||\n  c'],
  ['a ? b : c', 'a\n  ? b\n  : c'],
  ['claims.groups.exists(g, g == 1)', 'claims.groups.exists(g, g == 1)'],
  ['[a, b]', '[a, b]'],
  ['a.b.f(x)[0].g(y, z).c', 'a.b\n  .f(x)[0]\n  .g(y, z).c'],
  ['-a.?b.f(x) + c', '-a.?b.f(x) +\n  c'],
])('puts the outermost parts on separate lines: %s', (text, expected) => {
  const spread = formatExpression(text, { lines: 'many' });
  expect(spread).toBe(expected);
  expect(formatExpression(expected, { lines: 'many' })).toBe(expected);
  expect(formatExpression(expected, { lines: 'one' })).toBe(text);
});

test('preserves comments anywhere, with the same tree and layout', () => {
  formattedCount = 0;
  const withComments = fc.tuple(expressions.any, fc.array(fc.nat(60))).map(([text, places]) => {
    const { tokens } = tokenize(text);
    return tokens
      .map(({ image }, index) => image + (places.includes(index) ? ` // ${index}\n` : ' '))
      .join('');
  });
  fc.assert(
    fc.property(withComments, (text) => {
      expectStable(text);
      const comments = (of: string): readonly string[] =>
        tokenize(of).comments.map(({ image }) => image.trim());
      const formatted = formatExpression(text);
      if (formatted !== undefined) expect(comments(formatted)).toEqual(comments(text));
    }),
    { numRuns: 500, seed: 12 },
  );
  expect(formattedCount).toBeGreaterThan(450);
});

test('formats the lines of an expression with comments like one without', () => {
  fc.assert(
    fc.property(expressions.any, (text) => {
      const flat = formatExpression(text, { lines: 'one' });
      if (flat === undefined) return;
      expect(formatExpression(`${flat} // end`)).toBe(`${flat} // end`);
    }),
    { numRuns: 500, seed: 13 },
  );
});

test('returns gaps that produce the same layout', () => {
  fc.assert(
    fc.property(expressions.any, (text) => {
      const gaps = layoutGaps(text, { lines: 'many', column: 2 });
      if (gaps === undefined) return;
      const edits = gaps.map(({ span, newText }) => ({ span, newText }));
      expect(applyEdits(text, edits)).toBe(formatExpression(text, { lines: 'many', column: 2 }));
    }),
    { numRuns: 500, seed: 14 },
  );
});

test('preserves the tree of random expressions and is idempotent', () => {
  formattedCount = 0;
  fc.assert(fc.property(expressions.any, expectStable), { numRuns: 1_000, seed: 11 });
  expect(formattedCount).toBeGreaterThan(900);
});
