/** Incomplete expressions have a tree with holes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderErrors } from '../../../../engine/src/cel/syntax/error-text.ts';
import { parseCel } from '../../../../engine/src/cel/syntax/parser.ts';
import type { CelNode } from '../../../../engine/src/cel/tree/ast.ts';
import { treeText } from './tree-text.ts';

const parse = (text: string) => parseCel(text, { release: 37 });

test.each([
  ['claims.', 'claims.□'],
  ["['a', 'b'", '["a", "b"]'],
  ["['a', ", '["a", □]'],
  ['has(claims.x', 'claims.x~'],
  ["foo(claims., 'x')", 'foo(claims.□, "x")'],
  ['a == ', '_==_(a, □)'],
  ['claims. && user.x', '_&&_(claims.□, user.x)'],
  ['claims.a ? : 3', '_?_:_(claims.a, □, 3)'],
  ['(claims.x', 'claims.x'],
  ['!', '!_(□)'],
  ['a b', 'a'],
  ['', '□'],
  ['1 + * 2', '_+_(1, _*_(□, 2))'],
  ['a && ', '_&&_(a, □)'],
  ['a ? b', '_?_:_(a, b, □)'],
  ['a.f(', 'a.f()'],
  ['a.f(b, ', 'a.f(b, □)'],
  ['f(, b)', 'f(□, b)'],
  ['f(a, , b)', 'f(a, □, b)'],
  ['[1, , 2]', '[1, 2]'],
  ['claims[', '_[_](claims, □)'],
  ['claims.?', '_?._(claims, "")'],
  ["{'a': }", '{"a": □}'],
  ["{'a'", '{"a": □}'],
  ["{'k': claims., 'z': 1}", '{"k": claims.□, "z": 1}'],
  ['A{b: ', 'A{b: □}'],
  ["claims.email.endsWith('@exa", 'claims.email.endsWith("@exa")'],
  [
    'l.exists(g, g.',
    'loop(g in l; @result = false; while @not_strictly_false(!_(@result)); then _||_(@result, g.□); gives @result)',
  ],
])('parses the incomplete expression %j', (text, expected) => {
  const { tree, errors } = parse(text);
  expect(treeText(tree)).toBe(expected);
  expect(errors.length).toBeGreaterThan(0);
});

test('locates a missing field after its dot', () => {
  const { tree } = parse('f(claims. , 1)');
  const select = tree.kind === 'call' ? tree.args[0] : undefined;
  expect(select?.kind === 'select' && select.fieldSpan).toEqual({ start: 9, end: 9 });
});

const children = (node: CelNode): readonly CelNode[] => {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return node.fields.map((field) => field.value);
    case 'comprehension':
      return [node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result];
    default:
      return [];
  }
};

const nodes = (node: CelNode): readonly CelNode[] => [node, ...children(node).flatMap(nodes)];

const pieces = fc.constantFrom(
  ...['claims', '.', '?', 'x', '(', ')', '[', ']', '{', '}', ':', ',', '+', '-', '!', '&&', '||'],
  ...[
    "'a'",
    '"',
    "'",
    '1',
    '1u',
    '.5',
    'in',
    'true',
    'has(',
    '.map(y, ',
    ' ',
    '\n',
    '//',
    '`',
    '😀',
  ],
);

test('parses random input to a tree with valid spans, and errors that can be printed', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('');
      const { tree, errors } = parse(text);
      expect(renderErrors(text, errors)).toBeTypeOf('string');
      const all = nodes(tree);
      for (const node of all) {
        expect(node.span.start).toBeGreaterThanOrEqual(0);
        expect(node.span.end).toBeLessThanOrEqual(text.length);
        expect(node.span.start).toBeLessThanOrEqual(node.span.end);
      }
      if (errors.length === 0) expect(all.some((node) => node.kind === 'hole')).toBe(false);
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

test('assigns unique ids without macros', () => {
  const ids = nodes(parse('a.b[c] + f(d, [e, {g: h}])').tree).map((node) => node.id);
  expect(new Set(ids).size).toBe(ids.length);
});
