/** Renaming preserves results: of variables with the same claims, of claims with renamed claims. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import { claimMentions, claimPathText } from '../../../../engine/src/cel/editor/claim-mentions.ts';
import { renameClaim } from '../../../../engine/src/cel/editor/rename-claim.ts';
import { renameVariable } from '../../../../engine/src/cel/editor/rename-variable.ts';
import { variableUses } from '../../../../engine/src/cel/editor/variable-uses.ts';
import type { JsonRecord } from '../../../../engine/src/cel/values/value.ts';
import { newestRelease } from '../../../../engine/src/model/release.ts';
import { applyEdits } from '../../../../engine/src/source/text-edit.ts';

const requestFor = (text: string) =>
  ({ text, environment: 'claims', result: 'any', release: newestRelease }) as const;

const names = ['a', 'b', 'x', 'size', 'optional', 'claims', 'in', 'int'] as const;
const name = fc.constantFrom('a', 'b', 'x');

/** Random expressions over the claims `list` (maps with `text`), `map` and `text`. */
const expressions = fc.letrec<{ readonly text: string; readonly list: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'claims.text',
      'claims["text"]',
      'string(claims.?text.hasValue())',
      'claims.map.text',
      "claims['map']['text']",
      'claims[?"map"].?text.orValue("")',
      'string(has(claims.map.text) && "text" in claims.map && has(claims.text))',
      'string("text" in claims)',
      'claims.?map.optMap(m, m.text).orValue("-")',
      'optional.of(claims.text).optMap(text, text + claims.text).value()',
    ),
    name.map((each) => `string(${each} == ${each})`),
    fc.tuple(tie('text'), tie('text')).map(([left, right]) => `(${left} + ${right})`),
    fc
      .tuple(tie('list'), name, tie('text'))
      .map(([of, each, body]) => `${of}.map(${each}, ${body})[0]`),
  ),
  list: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('claims.list', 'claims["list"]', 'claims.?list.orValue([])'),
    fc
      .tuple(tie('list'), name)
      .map(([of, each]) => `${of}.filter(${each}, ${each}.text != "z" && has(${each}.text))`),
    fc
      .tuple(tie('list'), name, name)
      .map(([of, key, value]) =>
        key === value
          ? of
          : `${of}.transformList(${key}, ${value}, ${key} >= 0, {"text": ${value}["text"]})`,
      ),
  ),
}));

const claims: JsonRecord = {
  text: 't',
  list: [{ text: 'one' }, { text: 'two' }],
  map: { text: 'inner', other: 1 },
};

const resultOf = (text: string, over: JsonRecord): unknown => {
  const { program, errors } = compileExpression(requestFor(text));
  if (program === undefined) return errors.map(({ message }) => message);
  const { value, error } = program.evaluate(over);
  return error ?? value;
};

test('preserves the result when a variable is renamed, or refuses the rename', () => {
  let renamed = 0;
  let refused = 0;
  fc.assert(
    fc.property(expressions.text, fc.constantFrom(...names), fc.nat(9), (text, newName, index) => {
      const { checked, errors } = compileExpression(requestFor(text));
      const variables = variableUses(checked);
      const variable = variables[index % Math.max(1, variables.length)];
      if (variable === undefined || errors.length > 0) return;
      const renaming = renameVariable(requestFor(text), variable, newName);
      if (renaming.kind === 'refused') {
        refused += 1;
        return;
      }
      renamed += 1;
      const after = applyEdits(text, renaming.edits);
      expect(resultOf(after, claims), after).toEqual(resultOf(text, claims));
    }),
    { numRuns: 1_500, seed: 21 },
  );
  expect(renamed).toBeGreaterThan(60);
  expect(refused).toBeGreaterThan(10);
});

test.each(['label', 'https://a.example/"x"', "it's", 'in'])(
  'preserves the result when a claim is renamed to %j in the expression and the claims',
  (newName) => {
    let renamed = 0;
    fc.assert(
      fc.property(expressions.text, fc.nat(9), (text, index) => {
        const { checked, errors } = compileExpression(requestFor(text));
        if (errors.length > 0) return;
        const mentions = claimMentions(checked.parsed);
        const mention = mentions[index % Math.max(1, mentions.length)];
        if (mention === undefined) return;
        const path = claimPathText(mention.path);
        const same = mentions.filter((other) => claimPathText(other.path) === path);
        const renaming = renameClaim(requestFor(text), same, newName);
        expect(renaming).toMatchObject({ kind: 'edits' });
        if (renaming.kind === 'refused') return;
        renamed += 1;
        const after = applyEdits(text, renaming.edits);
        expect(resultOf(after, renamedClaims(path, newName)), after).toEqual(
          resultOf(text, claims),
        );
      }),
      { numRuns: 500, seed: 22 },
    );
    expect(renamed).toBeGreaterThan(100);
  },
);

const renamedClaims = (path: string, newName: string): JsonRecord => {
  const { text = null, list = null, map = null } = claims;
  switch (path) {
    case 'text':
      return { [newName]: text, list, map };
    case 'list':
      return { text, [newName]: list, map };
    case 'map':
      return { text, list, [newName]: map };
    case 'map.text':
      return { text, list, map: { [newName]: 'inner', other: 1 } };
    case 'list[].text':
      return { text, list: [{ [newName]: 'one' }, { [newName]: 'two' }], map };
    default:
      throw new Error(`no claim ${path}`);
  }
};

test.each([
  ['claims.a.filter(x, x.b)', 'y', 'claims.a.filter(y, y.b)'],
  ['claims.a.filter(x, x.x == claims.x)', 'y', 'claims.a.filter(y, y.x == claims.x)'],
  ['claims.a.exists(x, claims.b.exists(x, x))', 'y', 'claims.a.exists(y, claims.b.exists(x, x))'],
  ['x.map(x, x)', 'y', 'x.map(y, y)'],
  ['claims.a.map(x, [x].map(y, x))', 'y', undefined],
  ['claims.a.map(x, [x].map(y, y))', 'y', 'claims.a.map(y, [y].map(y, y))'],
  ['claims.a.map(x, .x + x)', 'y', 'claims.a.map(y, .x + y)'],
  ['claims.a.transformMap(k, v, k)', 'v', undefined],
])('in %s, renames the first variable to %s', (text, newName, expected) => {
  const [variable] = variableUses(compileExpression(requestFor(text)).checked);
  if (variable === undefined) throw new Error('no variable');
  const renaming = renameVariable(requestFor(text), variable, newName);
  expect(renaming.kind === 'refused' ? undefined : applyEdits(text, renaming.edits)).toBe(expected);
});
