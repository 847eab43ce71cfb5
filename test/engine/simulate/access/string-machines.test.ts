/** The machines answer for every string what the functions of the evaluator return. */
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../../engine/src/cel/regex/regex.ts';
import {
  lengthMachine,
  literalMachine,
  orderMachine,
} from '../../../../engine/src/cel/text-machines/literal-machines.ts';
import { regexMachine } from '../../../../engine/src/cel/text-machines/regex-machine.ts';
import {
  answerOf,
  errorAnswer,
  type StringMachine,
} from '../../../../engine/src/cel/text-machines/string-machine.ts';
import {
  lowerWrapper,
  partCountMachine,
  partWrapper,
  prefixWrapper,
  replaceWrapper,
  type StringWrapper,
  splitWrapper,
  suffixWrapper,
  trimWrapper,
  upperWrapper,
} from '../../../../engine/src/cel/text-machines/string-wrappers.ts';
import { walkStrings } from '../../../../engine/src/cel/text-machines/walk-strings.ts';
import {
  lowerAscii,
  replace,
  split,
  substring,
  trim,
  upperAscii,
} from '../../../../engine/src/cel/values/string-operations.ts';
import { CelError } from '../../../../engine/src/cel/values/value.ts';
import { randomNumbers } from '../../../../engine/src/simulate/access/random-numbers.ts';
import { runToCompletion } from '../../../../engine/src/source/resumable-work.ts';

const random = randomNumbers(3);
const characters = [
  'a',
  'a',
  'b',
  'A',
  'B',
  '@',
  ':',
  ':',
  ' ',
  '\t',
  '\u3000',
  'é',
  '😀',
  '\n',
  'K',
  '\u212a',
];
const texts = [
  '',
  ...Array.from({ length: 400 }, () =>
    Array.from({ length: 1 + random(6) }, () => characters[random(characters.length)]).join(''),
  ),
];

const functions: readonly (readonly [StringWrapper, (text: string) => unknown])[] = [
  [prefixWrapper('a:'), (text) => `a:${text}`],
  [suffixWrapper('a'), (text) => `${text}a`],
  [lowerWrapper, (text) => lowerAscii(text)],
  [upperWrapper, (text) => upperAscii(text)],
  [trimWrapper, (text) => trim(text)],
  [replaceWrapper('aa', 'b'), (text) => replace(text, 'aa', 'b')],
  [replaceWrapper('aba', ''), (text) => replace(text, 'aba', '')],
  [splitWrapper(':', 1), (text) => itemOf(split(text, ':'), 1)],
  [splitWrapper('::', 0), (text) => itemOf(split(text, '::'), 0)],
  [
    partWrapper({ start: 2, end: Number.POSITIVE_INFINITY, shortest: 2 }),
    (text) => substring(text, 2n),
  ],
  [partWrapper({ start: 1, end: 3, shortest: 3 }), (text) => substring(text, 1n, 3n)],
];

const itemOf = (list: unknown, index: number): unknown =>
  Array.isArray(list) && index < list.length ? list[index] : new CelError('out of range');

const patterns = [
  '^a+$',
  'ab',
  '(?i)^k',
  '\\bb',
  '^[^a]*$',
  '(?m)^b$',
  '^.{2,3}$',
  '\\p{L}$',
  ':|@',
];

const tests: readonly (readonly [string, StringMachine, (text: string) => string])[] = [
  ['equals', literalMachine('equals', 'ab'), (text) => letter(text === 'ab')],
  ['startsWith', literalMachine('startsWith', 'ab'), (text) => letter(text.startsWith('ab'))],
  ['endsWith', literalMachine('endsWith', 'aab'), (text) => letter(text.endsWith('aab'))],
  ['contains', literalMachine('contains', 'aab'), (text) => letter(text.includes('aab'))],
  ['size', lengthMachine(3), (text) => String(Math.min(3, Array.from(text).length))],
  ['parts', partCountMachine('::', 3), (text) => String(Math.min(3, text.split('::').length))],
  ['order', orderMachine('ab'), (text) => (text === 'ab' ? '=' : text < 'ab' ? '<' : '>')],
  ...patterns.map((pattern): (typeof tests)[number] => {
    const regex = compileRegex(pattern);
    const machine = regexMachine(pattern);
    if (regex instanceof CelError || machine === undefined) throw new Error(`invalid: ${pattern}`);
    return [pattern, machine, (text) => letter(regex.test(text) === true)];
  }),
];

const letter = (value: boolean): string => (value ? 'T' : 'F');

describe('machines', () => {
  test.each(tests)('%s', (_name, machine, expected) => {
    for (const text of texts)
      expect([text, answerOf(machine, text)]).toEqual([text, expected(text)]);
  });

  test.each(functions)('%o', (wrapper, call) => {
    for (const [, machine, expected] of tests) {
      const wrapped = wrapper.wrap(machine);
      for (const text of texts) {
        const value = call(text);
        const answer = typeof value === 'string' ? expected(value) : errorAnswer;
        expect([text, answerOf(wrapped, text)]).toEqual([text, answer]);
      }
    }
  });
});

describe('walks', () => {
  test('find every combination of answers that a random string gives', () => {
    const machines = [
      ...tests.slice(0, 4).map(([, machine]) => machine),
      ...functions.slice(3, 9).map(([wrapper]) => wrapper.wrap(literalMachine('contains', 'ab'))),
      ...tests.slice(-4).map(([, machine]) => machine),
    ];
    for (let index = 0; index + 4 < machines.length; index++) {
      const some = machines.slice(index, index + 4);
      const walk = runToCompletion(walkStrings(some));
      expect(walk.isComplete).toBe(true);
      const found = new Set(walk.classes.map(({ answers }) => answers.join(' ')));
      for (const text of texts) {
        expect(found).toContain(some.map((machine) => answerOf(machine, text)).join(' '));
      }
    }
  });

  test('stop at the limit of states', () => {
    const machine = regexMachine('^(a|b)*a(a|b){11}$');
    const walk = walkStrings(machine === undefined ? [] : [machine], { maxStates: 100 });
    expect(runToCompletion(walk).isComplete).toBe(false);
  });
});
