/** The type under the cursor, also in a text that is not finished. */
import { expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import { typeAt } from '../../../../engine/src/cel/type-at.ts';
import { typeText } from '../../../../engine/src/cel/type-text.ts';

test.each([
  ['us$0er.groups', 'kubernetes.UserInfo'],
  ['user.gro$0ups', 'list(string)'],
  ['user.groups.all(g, g$0.startsWith("a"))', 'string'],
  ['user.groups.map(g, g.si$0ze()) == []', 'int'],
  ['user.groups.ma$0p(g, g.size()) == []', 'list(int)'],
  ['user.extra["a"]$0 == []', 'list(string)'],
  ['us$0er.', 'kubernetes.UserInfo'],
])('%s', (marked, expected) => {
  const offset = marked.indexOf('$0');
  const { checked } = compileExpression({
    text: marked.replace('$0', ''),
    environment: 'user',
    result: 'any',
    release: 37,
  });
  const found = typeAt(checked, offset);
  expect(found === undefined ? undefined : typeText(found.type)).toBe(expected);
});
