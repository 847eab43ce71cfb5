/** Keys of YAML maps that are equal, or only have one text, and values that messages print. */
import { expect, test } from 'vitest';
import { parseDocument } from '../../../engine/src/documents/yaml/parse.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const read = (text: string) => parseDocument(sourceFile('x.yaml', text), { limits: 'none' });

const duplicates: readonly (readonly [name: string, text: string, expected: readonly string[]])[] =
  [
    ['strings', 'a: 1\nb: 2\na: 3\na: 4\n', ['3 "a" at 0', '4 "a" at 0']],
    ['strings around a number', 'a: 1\n1: 2\na: 3\n1: 4\n', ['3 "a" at 0', '4 1 at 5']],
    ['a number and a string of the same text', '1: a\n"1": b\n0x1: c\n', ['3 1 at 0']],
    ['floats', '1.0: a\n1: b\n1e0: c\n', ['3 1 at 0']],
    ['null', '~: a\nnull: b\n', ['2 <nil> at 0']],
    ['merged maps', 'x: &x {a: 1}\ny:\n  a: 2\n  <<: *x\n', ['1 "a" at 18']],
  ];

test.each(duplicates)('%s', (_, text, expected) => {
  const { diagnostics } = read(text);
  const found = diagnostics
    .filter(({ name }) => name === 'duplicate-key')
    .map(({ message, related }) => {
      const [, line, key] = /line (\d+): key (.*) already set in map/.exec(message) ?? [];
      return `${line} ${key} at ${related[0]?.span.start}`;
    });
  expect(found).toEqual(expected);
});

test('keys of any kind are strings in data, and the last one wins', () => {
  const { data } = read('1: a\n"1": b\ntrue: c\n1.5: d\n');
  const entries = data?.kind === 'object' ? [...data.byKey.values()] : [];
  expect(entries.map(({ key, value }) => [key, value.kind === 'string' && value.text])).toEqual([
    ['1', 'b'],
    ['true', 'c'],
    ['1.5', 'd'],
  ]);
  expect(entries[0]?.replaces?.keySpan.start).toBe(0);
});

const failures: readonly (readonly [text: string, failure: string])[] = [
  [
    '? [1, 1e7, 10000000, {b: .inf, 1: 2}]\n: x\n',
    'yaml: invalid map key: []interface {}{1, 1e+07, 10000000, map[interface {}]interface {}{1:2, "b":+Inf}}',
  ],
  [
    'a: {~: [18446744073709551615, "s", true]}\n',
    'unsupported map key of type: %!s(<nil>), key: <nil>, value: []interface {}{0xffffffffffffffff, "s", true}',
  ],
  ['a: [1, .nan]\n', 'json: unsupported value: NaN'],
  ['a: [1, .nan]\nb: {~: 1.0}\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1'],
];

test.each(failures)('%j', (text, failure) => {
  expect(read(text).failure).toBe(failure);
});

test('reports the first value that JSON cannot represent, however many values a list has', () => {
  const items = Array.from({ length: 200_000 }, () => '1').join(',');
  expect(read(`a: [${items},.nan,.inf]\n`).failure).toBe('json: unsupported value: NaN');
});

test('prints the value of one key only, however many keys are unsupported', () => {
  const items = Array.from({ length: 20_000 }, () => '1').join(',');
  const depth = 500;
  const text = `a: ${'{~: '.repeat(depth)}[${items}]${'}'.repeat(depth)}\n`;
  const before = process.cpuUsage();
  expect(read(text).failure).toMatch(/^unsupported map key of type: .*, value: map\[/);
  const { user } = process.cpuUsage(before);
  // Each of the messages would take about 10 ms.
  expect(user / 1000).toBeLessThan(2_000);
});
