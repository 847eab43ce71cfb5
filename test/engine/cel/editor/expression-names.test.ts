/** Finds variables, claims and tokens in complete and incomplete expressions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentFor } from '../../../../engine/src/cel/check/environment.ts';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import { claimMentions, claimPathText } from '../../../../engine/src/cel/editor/claim-mentions.ts';
import { highlightedTokens } from '../../../../engine/src/cel/editor/highlight-tokens.ts';
import { variableUses } from '../../../../engine/src/cel/editor/variable-uses.ts';
import { newestRelease } from '../../../../engine/src/model/release.ts';
import { cases } from '../../../support/cases.ts';

const checkedOf = (text: string) =>
  compileExpression({ text, environment: 'claims', result: 'any', release: newestRelease }).checked;

const environment = environmentFor('claims', newestRelease);

const at = (text: string, { start, end }: { readonly start: number; readonly end: number }) =>
  `${text.slice(start, end)}@${start}`;

test.each([
  ['claims.a.filter(x, x > claims.b)', ['x@16 filter x@19']],
  ['claims.a.map(x, x > 0, x + 1)', ['x@13 map x@16 x@23']],
  ['claims.a.all(i, v, v > i)', ['i@13 all i@23', 'v@16 all v@19']],
  ['claims.a.exists(x, [x].exists(x, x))', ['x@16 exists x@20', 'x@30 exists x@33']],
  ['x.map(x, x)', ['x@6 map x@9']],
  ['claims.a.map(x, claims.b.map(y, .x))', ['x@13 map', 'y@29 map']],
  [
    'claims.?a.optMap(o, claims.?b.optFlatMap(p, o[?p]))',
    ['o@17 optMap o@44', 'p@41 optFlatMap p@47'],
  ],
  [
    'claims.m.transformMapEntry(k, v, {v: k})',
    ['k@27 transformMapEntry k@37', 'v@30 transformMapEntry v@34'],
  ],
  ['claims.l.sortBy(x, x.y)', ['x@16 sortBy x@19']],
  ['optional.of(1).optMap(optional, optional.of(optional))', ['optional@22 optMap optional@44']],
  ['claims.a.filter(x, x.', ['x@16 filter x@19']],
  ['claims.a.filter(x, ', ['x@16 filter']],
  ['claims.a.map(1, x)', []],
  ['has(claims.x)', []],
])('finds the macro variables of %s', (text, expected) => {
  const found = variableUses(checkedOf(text)).map(({ declaration, macro, reads }) =>
    [at(text, declaration), macro, ...reads.map((span) => at(text, span))].join(' '),
  );
  expect(found).toEqual(expected);
});

test.each([
  ['claims.a.b', ['a field', 'a.b field']],
  ['claims["a"][?"b"].c', ['a key', 'a.b key', 'a.b.c field']],
  ['claims.?a.?b', ['a optional field', 'a.b optional field']],
  ['has(claims.a.b)', ['a field', 'a.b has']],
  ['"a" in claims && "b" in claims.c', ['a in', 'c.b in', 'c field']],
  ['.claims.a', ['a field']],
  ['claims.a[0].b', ['a field', 'a[].b field']],
  ['claims.a[claims.b].c', ['a field', 'b field', 'a[].c field']],
  ['dyn(claims).a', ['a field']],
  ['claims.a.filter(x, x.b).map(y, y.c)', ['a field', 'a[].b field', 'a[].c field']],
  ['claims.a.transformList(k, v, k.x + v.y)', ['a field', 'a[].y field']],
  ['claims.?a.optMap(x, x.b).orValue({}).c', ['a optional field', 'a.b field', 'a.b.c field']],
  ['claims.a.map(claims, claims.b)', ['a field', 'a[].b field']],
  ['{"a": claims}.a', []],
  ['claims', []],
  ['claims.', []],
  ['claims.a.filter(x, x.b', ['a field', 'a[].b field']],
  ['claims["__proto__"].constructor', ['__proto__ key', '__proto__.constructor field']],
  ['claims["a b"]', ['["a b"] key']],
])('finds the claims of %s', (text, expected) => {
  expect(
    claimMentions(checkedOf(text).parsed).map(
      ({ path, spelling }) => `${claimPathText(path)} ${spelling}`,
    ),
  ).toEqual(expected);
});

/** Expects tokens in source order, within the expression and without overlap. */
const expectTokens = (text: string): void => {
  let end = 0;
  for (const { span } of highlightedTokens(checkedOf(text), environment)) {
    expect(span.start, text).toBeGreaterThanOrEqual(end);
    expect(span.end).toBeGreaterThan(span.start);
    end = span.end;
  }
  expect(end).toBeLessThanOrEqual(text.length);
};

test('classifies the tokens of recorded expressions, complete and truncated', () => {
  const recorded = cases<{ readonly expression: string }>('conformance/cel.jsonl')
    .map(({ input }) => input.expression)
    .filter((text) => text.length < 200);
  expect(recorded.length).toBeGreaterThan(500);
  for (const [index, text] of recorded.entries()) {
    if (index % 4 !== 0) continue;
    expectTokens(text);
    expectTokens(text.slice(0, (index * 7) % (text.length + 1)));
  }
});

test('classifies the tokens of random input', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...'abx.?,()[]{}"\'\\/ \n+-!&|=0u😀é@#`'), { maxLength: 30 }),
      (letters) => expectTokens(letters.join('')),
    ),
    { numRuns: 1_000, seed: 23 },
  );
});
