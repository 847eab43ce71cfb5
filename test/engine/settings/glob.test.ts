/** Globs of the settings. */
import { expect, test } from 'vitest';
import { matcher } from '../../../engine/src/settings/glob.ts';

test.each([
  ['**/*.claims.{json,yaml,yml}', 'jane.claims.json', true],
  ['**/*.claims.{json,yaml,yml}', 'a/b/jane.claims.yml', true],
  ['**/*.claims.{json,yaml,yml}', 'a/jane.claims.jsonc', false],
  ['**/*.claims.{json,yaml,yml}', 'a/jane.claims/json', false],
  ['*.json', 'a.json', true],
  ['*.json', 'a/a.json', false],
  ['./people/*.json', 'people/a.json', true],
  ['/people/*.json', 'people/a.json', true],
  ['people/**', 'people/a/b', true],
  ['people/**', 'other/a', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**/b/**/z', 'a/x/b/y/z', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a?c', 'a𝒳c', true],
  ['{a,b}{c,d}', 'bd', true],
  ['{a', '{a', true],
  ['a.b', 'axb', false],
  ['[ab]', '[ab]', true],
  ['', '', true],
  ['', 'a', false],
])('%s and %s: %s', (glob, path, expected) => {
  expect(matcher([glob])(path)).toBe(expected);
});

test('matches if one of several globs matches', () => {
  expect(matcher(['a', 'b'])('b')).toBe(true);
  expect(matcher([])('b')).toBe(false);
});

test('matches hostile globs in bounded time', () => {
  const stars = matcher(['*a'.repeat(100), '**/'.repeat(80), '{a,b}'.repeat(50), 'x'.repeat(300)]);
  expect(stars('a'.repeat(20_000))).toBe(true);
  expect(stars(`${'b/'.repeat(5000)}c`)).toBe(false);
  expect(stars('x'.repeat(300))).toBe(false);
});
