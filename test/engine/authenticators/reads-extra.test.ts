/** `user.extra` is built only for user validation rules that read it. */
import { expect, test } from 'vitest';
import { readsExtra } from '../../../engine/src/authenticators/jwt/reads-extra.ts';
import { compileExpression } from '../../../engine/src/cel/compile-expression.ts';
import { serializeExpression } from '../../../engine/src/cel/evaluate/serialize.ts';
import { newestRelease } from '../../../engine/src/model/release.ts';

const cases: readonly (readonly [string, boolean])[] = [
  ["!user.username.startsWith('system:')", false],
  ["user.groups.all(group, group != 'extra') && user.uid != ''", false],
  ["has(user.uid) && 'extra' in user.groups", false],
  ["'a' in user.extra", true],
  ['has(user.extra)', true],
  ["user.extra['a'][0] == 'b'", true],
  ['user.?extra.hasValue()', true],
  ["[user].exists(u, 'a' in u.extra)", true],
  ['[1].all(user, user == 1)', true],
];

test.each(cases)('%s', (text, expected) => {
  const { checked } = compileExpression({
    text,
    environment: 'user',
    result: 'any',
    release: newestRelease,
  });
  expect(readsExtra(serializeExpression(checked))).toBe(expected);
});

test('data that is not an expression reads nothing', () => {
  expect(readsExtra({ text: '', code: ['s', 1, 'extra', null] })).toBe(false);
});
