/** Regular expressions: error texts of the real server, and the quick automaton against the general engine. */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../../engine/src/cel/regex.ts';
import { compileAutomaton } from '../../../../engine/src/cel/regex-automaton.ts';
import { CelError } from '../../../../engine/src/cel/value.ts';

describe('errors', () => {
  test.each([
    ['[', 'missing closing ]: `[`'],
    ['x(', 'missing closing ): `x(`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['\\', 'trailing backslash at end of expression: ``'],
    ['*x', 'missing argument to repetition operator: `*`'],
    ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
  ])('%s: %s', (pattern, message) => {
    const compiled = compileRegex(pattern);
    expect(compiled instanceof CelError && compiled.message).toBe(
      `error parsing regexp: ${message}`,
    );
  });

  test('two groups may have one name', () => {
    const compiled = compileRegex('(?<n>a)(?P<n>b)');
    expect(!(compiled instanceof CelError) && compiled.test('xaby')).toBe(true);
  });
});

describe('matches one after another', () => {
  test.each([
    ['x*', 'abab', -1, ['', '', '', '', '']],
    ['a*', 'baaac', -1, ['', 'aaa', '']],
    ['', 'aé😀b', -1, ['', '', '', '', '']],
    ['b', 'abab', 1, ['b']],
    ['b', 'abab', 0, []],
  ])('%s in %s, at most %i', (pattern, text, limit, wanted) => {
    const compiled = compileRegex(pattern);
    expect(!(compiled instanceof CelError) && compiled.findAll(text, limit)).toEqual(wanted);
  });
});

const atoms = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\.',
  '[a-c1]',
  'é',
  '[]a]',
  '[\\d_-]',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{1,}', '*?'))
      .map(([a, times]) => `(?:${a})${times}`),
    tie('pattern').map((a) => `^${a}`),
    tie('pattern').map((a) => `${a}$`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '.', 'é', '-', '_', '\n'),
  maxLength: 8,
});

test('the automaton answers as the general engine', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 8 }), (expression, texts) => {
      const quick = compileAutomaton(expression);
      if (quick === undefined) return;
      const general = RE2JS.compile(expression);
      for (const each of texts) expect(quick(each)).toBe(general.test(each));
    }),
    { numRuns: 2000, seed: 20 },
  );
});
