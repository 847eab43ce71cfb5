/**
 * docs/limits.md has the values of the code: each row names a constant, and each member of the tables of limits has a
 * row.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentLimits } from '../../engine/src/documents/yaml/limits.ts';
import * as modelLimits from '../../engine/src/model/limits.ts';
import * as serverLimits from '../../engine/src/server/limits.ts';
import { limits as editorLimits } from '../../language-server/src/limits.ts';
import { differences } from '../support/differences.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/limits.md'), 'utf8');

/** Numbers of caches that no user can meet. */
const internal = new Set(['memoizedStrings']);

/** The modules that consist of limits. */
const modules = new Map<string, Readonly<Record<string, unknown>>>([
  ['documents/yaml/limits.ts', { documentLimits }],
  ['model/limits.ts', modelLimits],
  ['server/limits.ts', serverLimits],
  ['language-server/limits.ts', { limits: editorLimits }],
]);

/** Constants, and the members of constant tables, by the name that the page uses. */
const declared = new Map<string, number>();
for (const [file, exported] of modules) {
  for (const [name, value] of Object.entries(exported)) {
    if (internal.has(name)) continue;
    if (typeof value === 'number') declared.set(`${file} ${name}`, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [member, number] of Object.entries(value)) {
      declared.set(`${file} ${name}.${member}`, number);
    }
  }
}

interface Row {
  readonly key: string;
  readonly file: string;
  readonly name: string;
  readonly value: string;
}

const rows = page.split('\n').flatMap((line): readonly Row[] => {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, file = '', name = ''] = /^`([\w/.-]+\.ts)` `([\w.]+)`$/.exec(cells[5] ?? '') ?? [];
  return name === '' ? [] : [{ key: `${file} ${name}`, file, name, value: cells[2] ?? '' }];
});

/** Returns the source of a file that the page names; paths of the engine have no prefix. */
const sourceOf = (file: string): string => {
  const [, folder = 'engine', path = file] = /^(language-server|extension)\/(.*)$/.exec(file) ?? [];
  return readFileSync(join(root, folder, 'src', path), 'utf8');
};

/** Evaluates `3 * 4`, `2 ** 31 - 1` and `2 * mebibyte`. */
const numberOf = (text: string): number => {
  const units = { kibibyte: 1024, mebibyte: 1024 * 1024, ...serverLimits };
  const names = text.replaceAll('limits.documentLength', String(editorLimits.documentLength));
  return Number(new Function(...Object.keys(units), `return ${names};`)(...Object.values(units)));
};

/** Returns the value of a constant whose module cannot be imported here, or is not exported. */
const constantIn = (source: string, name: string): number | undefined => {
  const [, value] =
    new RegExp(`^(?:export )?const ${name}(?:: \\w+)? =\\s*([^;]+);`, 'm').exec(source) ?? [];
  return value === undefined ? undefined : numberOf(value);
};

const factors = new Map([
  ['Ki', 1024],
  ['KiB', 1024],
  ['Mi', 1024 * 1024],
  ['MiB', 1024 * 1024],
]);

/** Reads `1 MiB`, `4,096`, and `0.5 s` of a name in milliseconds. */
const documentedNumber = ({ value, name }: Row): number => {
  const [, digits = '', unit = ''] = /^([\d.,]*\d)(?: ([A-Za-z]+))?/.exec(value) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  if (name.endsWith('Megabytes')) return number;
  if (unit === 's' && name.endsWith('Ms')) return Math.round(number * 1000);
  return number * (factors.get(unit) ?? 1);
};

test('the page has the values of the code', () => {
  expect(rows.length).toBeGreaterThan(200);
  const documented = rows.map((row) => [row.key, documentedNumber(row)]);
  const inCode = rows.map(({ key, file, name }) => [
    key,
    declared.get(key) ?? constantIn(sourceOf(file), name),
  ]);
  expect(documented).toEqual(inCode);
});

test('the page has every limit of the tables', () => {
  const documented = new Set(rows.map(({ key }) => key));
  expect([...declared.keys()].filter((key) => !documented.has(key))).toEqual([]);
});

test('rows of differences that the page names exist', () => {
  const ids = new Set<string>(differences.map(({ id }) => id));
  const named = [...page.matchAll(/\[`([a-z-]+)`\]/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
