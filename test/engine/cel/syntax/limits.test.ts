/** Large and deep expressions get a clear error quickly and do not overflow the stack. */
import { expect, test } from 'vitest';
import { parseCel } from '../../../../engine/src/cel/syntax/parser.ts';

const messages = (text: string): readonly string[] =>
  parseCel(text, { release: 37 }).errors.map((error) => error.message);

const depth = 'expression recursion limit exceeded: 250';
const height = 'max recursion depth exceeded';

test.each<[name: string, good: string, bad: string, message: string]>([
  ['brackets', nest('(', 249, ')'), nest('(', 250, ')'), depth],
  ['lists', nest('[', 249, ']'), nest('[', 251, ']'), depth],
  ['maps', nest('{1:', 249, '}'), nest('{1:', 250, '}'), depth],
  ['calls', nest('f(', 249, ')'), nest('f(', 250, ')'), depth],
  ['terms', `1${'+1'.repeat(250)}`, `1${'+1'.repeat(251)}`, height],
  ['fields', `a${'.b'.repeat(250)}`, `a${'.b'.repeat(251)}`, height],
  [
    'a copied receiver',
    `a${'.b'.repeat(248)}.optMap(x, x)`,
    `a${'.b'.repeat(30_000)}.optMap(x, x)`,
    height,
  ],
  ['conditions', `${'a?1:'.repeat(249)}2`, `${'a?1:'.repeat(250)}2`, depth],
])('limits the depth of %s', (_, good, bad, message) => {
  expect(messages(good)).toEqual([]);
  expect(messages(bad)).toEqual([message]);
});

function nest(open: string, count: number, close: string): string {
  return `${open.repeat(count)}1${close.repeat(count)}`;
}

test.each([
  ['chains of &&', `a${'&&a'.repeat(20_000)}`],
  ['signs', `${'!'.repeat(50_000)}a`],
  ['long lists', `[${'1,'.repeat(20_000)}]`],
  ['code points, not units', `'${'😀'.repeat(99_998)}'`],
])('does not limit %s', (_, text) => {
  expect(messages(text)).toEqual([]);
});

test.each([
  [
    '1 MB',
    'a'.repeat(1 << 20),
    'expression code point size exceeds limit: size: 1048576, limit 100000',
  ],
  ['10,000 brackets', nest('(', 10_000, ')'), depth],
  ['10,000 open braces', '{'.repeat(10_000), depth],
  [
    'a receiver copied again and again',
    `a${'.optMap(x, x)'.repeat(100)}`,
    'expression exceeds 300000 nodes',
  ],
])('rejects %s', (_, text, message) => {
  expect(messages(text)).toEqual([message]);
});

test.each([
  ['attempts', '{'.repeat(25), 'Syntax error: error recovery attempt limit exceeded: 30'],
  ['tokens', '?'.repeat(300), 'error recovery token lookahead limit exceeded: 256'],
  ['reports', `${'@ '.repeat(110)}1`, 'Syntax error: More than 100 syntax errors'],
])('aborts after too many %s', (_, text, last) => {
  expect(messages(text).at(-1)).toBe(last);
});

test.each(['[)', 'a,b ', 'f(a,) ', '||', '. ', '{1:2 ', "'\\", 'a ? ', '- !', '[if, '])(
  'reports errors for %s repeated many times',
  (piece) => {
    const text = `[${piece.repeat(Math.floor(60_000 / piece.length))}`;
    const { tree, errors } = parseCel(text, { release: 37 });
    expect(errors.length).toBeGreaterThan(0);
    expect(tree.span.end).toBeLessThanOrEqual(text.length);
  },
);
