/** Checks that hostile expressions (long, deep, wide, or not CEL at all) are answered within a second. */
import { expect, test } from 'vitest';
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { formatCelType } from '../../engine/src/cel/values/type-format.ts';
import { processorMs } from '../support/processor-time.ts';

const secondMs = 1_000;

const compile = (text: string) =>
  compileExpression({ text, environment: 'claims', result: 'any', release: 37 });

const repeated = (count: number, text: string, between: string): string =>
  Array.from({ length: count }, () => text).join(between);

const nested = (count: number, open: string, inside: string, close: string): string =>
  open.repeat(count) + inside + close.repeat(count);

test.each<[what: string, text: string, answer: RegExp]>([
  ['a string of a megabyte', `"${'a'.repeat(1_000_000)}"`, /code point size exceeds limit/],
  ['a sum of a megabyte', repeated(500_000, '1', '+'), /code point size exceeds limit/],
  ['10,000 parentheses', nested(10_000, '(', '1', ')'), /recursion limit exceeded/],
  ['10,000 brackets', nested(10_000, '[', '', ']'), /recursion limit exceeded/],
  ['20,000 open calls', 'foo('.repeat(20_000), /recursion limit exceeded/],
  ['10,000 selects', `claims${'.b'.repeat(10_000)}`, /recursion/],
  ['5,000 indexes', `claims${'["a"]'.repeat(5_000)}`, /recursion/],
  ['10,000 indexes', `claims${'["a"]'.repeat(10_000)}`, /recursion/],
  ['12,000 operands of &&', repeated(12_000, '1==1', ' && '), /^bool$/],
  ['8,000 equalities of open types', repeated(8_000, '[]==[]', '&&'), /^bool$/],
  ['50,000 negations', `${'!'.repeat(50_000)}true`, /^bool$/],
  ['a list of 40,000', `[${repeated(40_000, '1', ',')}]`, /^list\(int\)$/],
  ['a list of 30,000 empty lists', `[${repeated(30_000, '[]', ',')}]`, /^list\(list\(dyn\)\)$/],
  ['a map of 12,000', `{${repeated(12_000, '1:[]', ',')}}`, /^map\(int, list\(dyn\)\)$/],
  ['20,000 unknown names', repeated(20_000, 'x', '&&'), /19900 more errors were truncated$/],
  ['60 nested macros', `${'[1].map(x,'.repeat(60)}x${')'.repeat(60)}`, /^list\(/],
])('answers %s within a second', (_, text, answer) => {
  compile('1');
  const { checked, serverError } = compile(text);
  expect(processorMs(() => compile(text), secondMs)).toBeLessThan(secondMs);
  expect(serverError?.detail ?? formatCelType(checked.type)).toMatch(answer);
});
