/** The release of kube-apiserver that introduced each name. */
import { expect, test } from 'vitest';
import { firstReleaseOfName } from '../../../../engine/src/cel/check/release-of-name.ts';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import { parseRelease, type Release } from '../../../../engine/src/model/release.ts';

const compiles = (text: string, release: Release): boolean =>
  compileExpression({ text, environment: 'claims', result: 'any', release }).serverError ===
  undefined;

test.each<[text: string, since: Release]>([
  ['format.dns1123Label()', 31],
  ['[1].transformList(i, v, v)', 32],
  ['[1].exists(i, v, v == 1)', 32],
  ['semver("1.0.0").major()', 33],
  ['[2, 1].sort()', 34],
  ['lists.range(3)', 34],
  ['[1].includes(1)', 37],
  ['claims.`a.b`', 37],
])('compiles %s since 1.%i', (text, since) => {
  const before = parseRelease(`1.${since - 1}`);
  expect(before && compiles(text, before)).toBe(false);
  expect(compiles(text, since)).toBe(true);
  expect(compiles(text, 37)).toBe(true);
});

test.each<[text: string]>([
  ['"a".split(",")'],
  ['ip("1.1.1.1").family()'],
  ['sets.contains([1], [1])'],
  ['claims.?a.orValue(1)'],
  ['[1, 2].isSorted()'],
])('compiles %s in the oldest release', (text) => {
  expect(compiles(text, 30)).toBe(true);
});

test.each([
  ['sort', 34],
  ['transformList', 32],
  ['semver', 33],
  ['startsWith', 30],
  ['unknownName', undefined],
])('finds the release of %s: %s', (name, since) => {
  expect(firstReleaseOfName(name)).toBe(since);
});

test.each<[release: Release, text: string]>([
  [37, "type 'type(list(dyn))' does not support field selection"],
  [36, "type 'type(list(A))' does not support field selection"],
])('formats the type of lists like 1.%i', (release, message) => {
  const compiled = compileExpression({
    text: 'list.a',
    environment: 'claims',
    result: 'any',
    release,
  });
  expect(compiled.errors.map((error) => error.message)).toEqual([message]);
});
