/**
 * Regular expressions: kube-apiserver's errors, and the automata compared with the general engine
 * of re2js.
 */
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../../engine/src/cel/regex/regex.ts';
import { CelError } from '../../../../engine/src/cel/values/value.ts';

describe('reports the errors of Go', () => {
  test.each([
    ['[', 'missing closing ]: `[`'],
    ['x(', 'missing closing ): `x(`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['\\', 'trailing backslash at end of expression: ``'],
    ['*x', 'missing argument to repetition operator: `*`'],
    ['(?<=a)b', 'invalid named capture: `(?<=a)b`'],
    ['(a{1000}){1000}', 'invalid repeat count: `{1000}`'],
    ['(?:(?:bb{400}c){30,90}|d)*', 'invalid repeat count: `{30,90}`'],
  ])('%s: %s', (pattern, message) => {
    const compiled = compileRegex(pattern);
    expect(compiled instanceof CelError && compiled.message).toBe(
      `error parsing regexp: ${message}`,
    );
  });

  test('accepts two groups with the same name', () => {
    const compiled = compileRegex('(?<n>a)(?P<n>b)');
    expect(!(compiled instanceof CelError) && compiled.test('xaby')).toBe(true);
  });
});

describe('finds successive matches', () => {
  test.each([
    ['x*', 'abab', -1, ['', '', '', '', '']],
    ['a*', 'baaac', -1, ['', 'aaa', '']],
    ['', 'aé😀b', -1, ['', '', '', '', '']],
    ['b', 'abab', 1, ['b']],
    ['b', 'abab', 0, []],
  ])('%s in %s, at most %i', (pattern, text, limit, expected) => {
    const compiled = compileRegex(pattern);
    expect(!(compiled instanceof CelError) && compiled.findAll(text, limit)).toEqual(expected);
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
  '^',
  '$',
  '\\b',
  '\\B',
  '(?m:^)',
  '(?m:$)',
  '(?i:k)',
  '\\pL',
  '😀',
  '[^😀]',
  '(?s:.)',
  '\\A',
  '\\z',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{1,}', '*?', '??'))
      .map(([a, times]) => `(?:${a})${times}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '.', 'é', '-', '_', '\n', 'k', 'K', '\u212a', '😀'),
  maxLength: 12,
});

/** Returns what Go's `FindAll` returns, for an engine that searches from one position. */
const matchesOf = (regex: RE2JS, searched: string): readonly string[] => {
  const matcher = regex.matcher(searched);
  const matches: string[] = [];
  let previousEnd = -1;
  for (let position = 0; position <= searched.length && matcher.find(position); ) {
    const start = matcher.start();
    const end = matcher.end();
    if (end !== position || start !== previousEnd) matches.push(searched.slice(start, end));
    const isWide = (searched.codePointAt(position) ?? 0) > 0xffff;
    position = end === position ? end + (isWide ? 2 : 1) : end;
    previousEnd = end;
  }
  return matches;
};

test('gives the same matches as the general engine', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 8 }), (expression, texts) => {
      const regex = compileRegex(expression);
      const general = RE2JS.compile(expression);
      if (regex instanceof CelError) throw new Error(regex.message);
      for (const each of texts) {
        const matcher = general.matcher(each);
        expect(regex.test(each)).toBe(general.test(each));
        expect(regex.find(each)).toBe(matcher.find() ? matcher.group() : '');
        expect(regex.findAll(each, -1)).toEqual(matchesOf(general, each));
      }
    }),
    { numRuns: 2000, seed: 20 },
  );
});

describe('limits the work', () => {
  const limit = 'operation cancelled: actual cost limit exceeded';
  const compile = (pattern: string) => {
    const compiled = compileRegex(pattern);
    if (compiled instanceof CelError) throw new Error(compiled.message);
    return compiled;
  };
  const messageOf = (result: unknown): unknown =>
    result instanceof CelError ? result.message : result;

  test.each([
    ['repeated repetitions', 'a{1000}'.repeat(33)],
    ['a repeated group', `(?:${'b'.repeat(40)}){900}`],
    ['repetitions after each other', `${'(?:b{500}){2}'.repeat(33)}`],
    ['Unicode classes', '\\pL'.repeat(1100)],
    ['Unicode classes without case', `(?i)${'\\PL'.repeat(240)}`],
    ['wide ranges without case', `(?i)${'[B-\u{1f600}]'.repeat(10)}`],
    ['escaped wide ranges without case', `(?i)${'[B-\\x{1f600}]'.repeat(10)}`],
    ['a long pattern', 'a'.repeat(40_000)],
  ])('does not compile %s', (_, pattern) => {
    expect(messageOf(compileRegex(pattern))).toBe(limit);
  });

  test.each([
    '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$',
    '(?i)^[a-z0-9._%+-]+@(?:[a-z0-9-]+\\.)+[a-z]{2,63}$',
    '^\\p{L}{1,1000}$',
    '(?i)^\\W*\\x{e9}$',
    '(?i)^[a-zäöüßéèêàçñåøæ]+$',
    '[[:alpha:]]{1,500}',
    '(((',
  ])('compiles %s', (pattern) => {
    expect(messageOf(compileRegex(pattern))).not.toBe(limit);
  });

  test('does not count cached transitions again', () => {
    const regex = compile(`${'(?:a|b)*c?'.repeat(100)}\\b!`);
    expect(regex.find('ab'.repeat(50_000))).toBe('');
    expect(regex.test('ab'.repeat(50_000))).toBe(false);
    expect(regex.findAll('ab'.repeat(50_000), -1)).toEqual([]);
  });

  /** Returns a string in which almost every position has a state of its own. */
  const random = (length: number): string => {
    let seed = 1;
    return Array.from({ length }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 31 === 0 ? 'a' : 'b';
    }).join('');
  };

  test('ends a search that visits too many instructions', () => {
    const regex = compile('a.{600}b{600}');
    expect(regex.test(random(2000))).toBe(false);
    expect(messageOf(regex.test(random(40_000)))).toBe(limit);
    const backward = compile('b{600}.{600}a');
    expect(backward.find(random(2000))).toBe('');
    expect(messageOf(backward.find(random(40_000)))).toBe(limit);
    expect(messageOf(backward.findAll(random(40_000), -1))).toBe(limit);
  });

  test('ends the same search again', () => {
    const forward = compile('a.{300}b{300}');
    const backward = compile(`b{300}.{300}a${'(?:a|b)*c?'.repeat(200)}`);
    for (let run = 0; run < 3; run++) {
      expect(messageOf(forward.test(random(40_000)))).toBe(limit);
      expect(messageOf(backward.find(random(40_000)))).toBe(limit);
    }
  });

  test.each([
    ['a.*b|a', 'a'.repeat(100_000), 100_000],
    ['[^,]+', 'group,'.repeat(10_000), 10_000],
    ['g[0-9]{1,9}', 'g12,'.repeat(10_000), 10_000],
    ['[a-z]+.*[0-9]+.*!|[a-z]', 'abc4,'.repeat(10_000), 30_000],
    ['(?:[a-z]+-)*[a-z]+[0-9]*', 'team-a-b-7,'.repeat(10_000), 10_000],
    ['\\b\\w+\\b', 'group one '.repeat(5000), 10_000],
  ])('finds all matches of %s in linear time', (pattern, text, count) => {
    expect(compile(pattern).findAll(text, -1)).toHaveLength(count);
  });
});
