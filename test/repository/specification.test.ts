/** docs/specification.md names an implementation and a test for each requirement, and they exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences } from '../support/differences.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Requirement {
  readonly number: number;
  readonly requirement: string;
  readonly files: readonly string[];
  readonly tests: readonly (readonly [file: string, name: string])[];
  readonly deviation: string;
}

const requirements = read('docs/specification.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line): Requirement => {
    const cells = line.split('|').map((cell) => cell.trim());
    expect(cells, line).toHaveLength(7);
    const [, number, requirement = '', where = '', shown = '', deviation = ''] = cells;
    return {
      number: Number(number),
      requirement,
      files: Array.from(where.matchAll(/`([^`]+)`/g), ([, file = '']) => file),
      tests: Array.from(shown.matchAll(/`([^`]+)`: `([^`]+)`/g), ([, file = '', name = '']) => [
        file,
        name,
      ]),
      deviation,
    };
  });

/** A requirement is neither added nor dropped without a look at the document. */
const count = 177;

test('the requirements are numbered without gaps, and none is missing', () => {
  const numbers = requirements.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

/** The name of a test as a string of its file, or the ID of a recorded case. */
const isNamed = (text: string, file: string, name: string): boolean =>
  file.endsWith('.jsonl')
    ? text.split('\n').some((line) => line !== '' && JSON.parse(line).id === name)
    : [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => text.includes(quoted));

const texts = new Map<string, string>();
const textOf = (file: string): string => {
  const text = texts.get(file) ?? read(file);
  texts.set(file, text);
  return text;
};

describe.each(requirements)('$number $requirement', ({ requirement, files, tests, deviation }) => {
  test('is implemented by files that exist', () => {
    expect(requirement).not.toBe('');
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(file).toMatch(/^engine\/src\//);
      expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    }
  });

  test('is shown by tests that exist', () => {
    expect(tests).not.toEqual([]);
    for (const [file, name] of tests) {
      expect(file).toMatch(/^test\/.*\.(?:test\.ts|jsonl)$/);
      expect([file, name, isNamed(textOf(file), file, name)]).toEqual([file, name, true]);
    }
  });

  test('deviates with a reason or a row of the differences', () => {
    const rows = Array.from(deviation.matchAll(/\(differences\.md#([\w-]+)\)/g), ([, id]) => id);
    const known: readonly string[] = differences.map(({ id }) => id);
    expect(rows.filter((id) => id === undefined || !known.includes(id))).toEqual([]);
    if (deviation !== '' && rows.length === 0) expect(deviation).toMatch(/^[A-Za-z].{30,}\.$/);
  });
});

test('every known deviation is named', () => {
  const deviating = requirements
    .filter(({ deviation }) => deviation !== '')
    .map(({ number }) => number);
  expect(deviating).toHaveLength(14);
});
