/** The trees of valid expressions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateGrammar } from '../../../../engine/src/cel/syntax/grammar.ts';
import { parseAsReference } from '../../../../engine/src/cel/syntax/parse-as-reference.ts';
import { type ParseOptions, parseCel } from '../../../../engine/src/cel/syntax/parser.ts';
import { TreeBuilder } from '../../../../engine/src/cel/syntax/tree-builder.ts';
import type { CelNode } from '../../../../engine/src/cel/tree/ast.ts';
import { cases } from '../../../support/cases.ts';
import { allMacros } from '../../../support/cel-extensions/macros.ts';
import { treeText } from './tree-text.ts';

const authentication: ParseOptions = { release: 37 };
const language: ParseOptions = { release: 37, macros: allMacros };

const check = (text: string, expected: string, options = authentication): void => {
  const parsed = parseCel(text, options);
  expect(parsed.errors).toEqual([]);
  expect(treeText(parsed.tree)).toBe(expected);
};

const all = (init: string, condition: string, step: string, result: string, head: string) =>
  `loop(${head}; @result = ${init}; while ${condition}; then ${step}; gives ${result})`;

test.each([
  ['1 + 2 * 3 - 4', '_-_(_+_(1, _*_(2, 3)), 4)'],
  ['a < b == c', '_==_(_<_(a, b), c)'],
  ['a || b && c || d', '_||_(_||_(a, _&&_(b, c)), d)'],
  ['a && b && c && d', '_&&_(_&&_(a, b), _&&_(c, d))'],
  ['a ? b : c ? d : e', '_?_:_(a, b, _?_:_(c, d, e))'],
  ['a in b in c', '@in(@in(a, b), c)'],
  ['!!!a', '!_(a)'],
  ['!!a', 'a'],
  ['-a', '-_(a)'],
  ['--a', 'a'],
  ['-1', '-1'],
  ['- 1', '-1'],
  ['--1', '1'],
  ['---1', '-_(1)'],
  ['-1.f()', '-1.f()'],
  ['-a.b', '-_(a.b)'],
  ['(a).b[c]', '_[_](a.b, c)'],
  ['a.?b[?c].d', '_[?_](_?._(a, "b"), c).d'],
  ['.a.b', '.a.b'],
  ['.f(a)', '.f(a)'],
  ['a.`b c/d`', 'a.b c/d'],
  ['a.namespace', 'a.namespace'],
  ['[]', '[]'],
  ['[,]', '[]'],
  ['[a, ?b,]', '[a, ?b]'],
  ['{,}', '{}'],
  ['{"a": 1, ?b: c,}', '{"a": 1, ?b: c}'],
  ['a.b.C{d: 1, ?`e f`: 2}', 'a.b.C{d: 1, ?e f: 2}'],
  ['.A{}.b', '.A{}.b'],
  ['a // comment\n+ b', '_+_(a, b)'],
])('parses %s', check);

test.each([
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['0x1F', '31'],
  ['-0x8000000000000000', '-9223372036854775808'],
  ['18446744073709551615u', '18446744073709551615u'],
  ['0xFFU', '255u'],
  ['1.5e3', '1500d'],
  ['.5', '0.5d'],
  ['-0.0', '-0.0'],
  ['1e-400', '0d'],
  ['"a\\n\\t\\"\\u00e9\\U0001F600\\x41\\101\\?\\`"', '"a\\n\\t\\"é😀AA?`"'],
  ["r'a\\n'", '"a\\\\n"'],
  ['R"""a"b"""', '"a\\"b"'],
  ["'''a'b\r\nc\rd'''", '"a\'b\\nc\\nd"'],
  ['"\\x80\\377"', '"\u0080ÿ"'],
  ["b'\\x80\\377é'", 'b[128,255,195,169]'],
  ["bR'\\x80'", 'b[92,120,56,48]'],
  ['true', 'true'],
  ['null', 'null'],
])('parses the literal %s', check);

const on = 'x in l';
test.each([
  ['has(a.b)', 'a.b~'],
  ['has(a.b, c)', 'has(a.b, c)'],
  ['l.all(x, p)', all('true', '@not_strictly_false(@result)', '_&&_(@result, p)', '@result', on)],
  [
    'l.exists(x, p)',
    all('false', '@not_strictly_false(!_(@result))', '_||_(@result, p)', '@result', on),
  ],
  [
    'l.exists_one(x, p)',
    all('0', 'true', '_?_:_(p, _+_(@result, 1), @result)', '_==_(@result, 1)', on),
  ],
  ['l.map(x, f)', all('[]', 'true', '_+_(@result, [f])', '@result', on)],
  ['l.map(x, p, f)', all('[]', 'true', '_?_:_(p, _+_(@result, [f]), @result)', '@result', on)],
  ['l.filter(x, p)', all('[]', 'true', '_?_:_(p, _+_(@result, [x]), @result)', '@result', on)],
  [
    'l.all(i, x, p)',
    all('true', '@not_strictly_false(@result)', '_&&_(@result, p)', '@result', 'i, x in l'),
  ],
  [
    'm.transformMap(k, v, p, f)',
    all('{}', 'true', '_?_:_(p, cel.@mapInsert(@result, k, f), @result)', '@result', 'k, v in m'),
  ],
  [
    'm.transformMapEntry(k, v, e)',
    all('{}', 'true', 'cel.@mapInsert(@result, e)', '@result', 'k, v in m'),
  ],
  [
    'o.optMap(x, f)',
    '_?_:_(o.hasValue(), optional.of(loop(#unused in []; x = o.value(); while false; then x; gives f)), optional.none())',
  ],
  [
    'l.sortBy(x, k)',
    'loop(#unused in []; @__sortBy_input__ = l; while false; then @__sortBy_input__; gives @__sortBy_input__.@sortByAssociatedKeys(loop(x in @__sortBy_input__; @result = []; while true; then _+_(@result, [k]); gives @result)))',
  ],
  ['l.existsOne(x, p)', 'l.existsOne(x, p)'],
  ['cel.bind(x, 1, x)', 'cel.bind(x, 1, x)'],
])('expands the macro %s', check);

test.each([
  ['cel.bind(x, 1, x)', 'loop(#unused in []; x = 1; while false; then x; gives x)'],
  ['c.bind(x, 1, x)', 'c.bind(x, 1, x)'],
  ['math.greatest(a)', 'math.@max(a)'],
  ['math.least(1, 2u, 3.0)', 'math.@min([1, 2u, 3d])'],
])('expands the macro %s of the language', (text, expected) => check(text, expected, language));

test('parses macros of newer releases as calls', () => {
  const older = { release: 31 } as const;
  check('l.all(i, x, p)', 'l.all(i, x, p)', older);
  check('l.sortBy(x, k)', 'l.sortBy(x, k)', older);
});

test('records macro calls as written', () => {
  const { tree, macroCalls } = parseCel('a && l.all(x, p)', authentication);
  expect(macroCalls.map(({ call }) => treeText(call))).toEqual(['l.all(x, p)']);
  expect(tree.kind === 'call' && tree.args[1]?.id).toBe(macroCalls[0]?.id);
});

/** Lists the nodes by kind or function name, with their code point offsets. */
const places = (node: CelNode): readonly string[] => {
  const name = node.kind === 'call' ? node.function : node.kind;
  const children =
    node.kind === 'call'
      ? [...(node.target === undefined ? [] : [node.target]), ...node.args]
      : node.kind === 'select'
        ? [node.operand]
        : node.kind === 'list'
          ? node.elements
          : [];
  return [`${name}@${node.at}`, ...children.flatMap(places)];
};

test.each([
  ['a + b', '_+_@2 ident@0 ident@4'],
  ['a.b.c', 'select@3 select@1 ident@0'],
  ['a.f(b)', 'f@3 ident@0 ident@4'],
  ['f(b)', 'f@1 ident@2'],
  ['a[b]', '_[_]@1 ident@0 ident@2'],
  ['a ? b : c', '_?_:_@2 ident@0 ident@4 ident@8'],
  ['!a', '!_@0 ident@1'],
  ['-1 + .b', '_+_@3 literal@0 ident@6'],
  ['["😀", b]', 'list@0 literal@1 ident@6'],
  ['a.?b', '_?._@1 ident@0 literal@3'],
])('locates the nodes of %s', (text, expected) => {
  expect(places(parseCel(text, authentication).tree).join(' ')).toBe(expected);
});

const specification = join(import.meta.dirname, '../../../conformance/cel-spec');
const specified = readdirSync(specification)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const rows: readonly { readonly id: string; readonly expr: string }[] = JSON.parse(
      readFileSync(join(specification, file), 'utf8'),
    );
    return rows;
  });

test('parses every expression of the CEL conformance tests', () => {
  for (const { id, expr } of specified) expect(parseCel(expr, language).errors, id).toEqual([]);
  expect(specified.length).toBeGreaterThan(1_000);
});

test('builds the same tree with both parsers', () => {
  const recorded = cases<{ readonly expression: string }>('conformance/cel.jsonl');
  const expressions = [
    ...specified.map((row) => row.expr),
    ...recorded.map((row) => row.input.expression),
  ];
  for (const text of expressions) {
    const parsed = parseCel(text, language);
    if (parsed.errors.length > 0) continue;
    const exact = parseAsReference(text, new TreeBuilder(text, language));
    expect(withoutIds(exact), text).toBe(withoutIds(parsed.tree));
  }
});

const withoutIds = (node: CelNode | undefined): string =>
  JSON.stringify(node, (key, value: unknown) => {
    if (key === 'id') return undefined;
    return typeof value === 'bigint' ? `${value}` : value;
  });

test('passes the validations of chevrotain', () => {
  expect(validateGrammar).not.toThrow();
});
