/** The span that an error underlines, and the suggested name. */
import { expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';

interface SpanCase {
  /** The expression, with the expected span between `⟦` and `⟧`. */
  readonly marked: string;
  readonly message: string;
  readonly suggestion?: string;
}

const cases: readonly SpanCase[] = [
  {
    marked: '⟦clams⟧.sub',
    message: "undeclared reference to 'clams' (in container '')",
    suggestion: 'claims',
  },
  {
    marked: 'claims.sub.⟦startswith⟧("a")',
    message: "undeclared reference to 'startswith' (in container '')",
    suggestion: 'startsWith',
  },
  {
    marked: '⟦hsa⟧(claims.sub)',
    message: "undeclared reference to 'hsa' (in container '')",
    suggestion: 'has',
  },
  {
    marked: 'dyn(claims.groups).map(group, ⟦grop⟧)',
    message: "undeclared reference to 'grop' (in container '')",
    suggestion: 'group',
  },
  {
    marked: 'user.⟦usrname⟧ == "a"',
    message: "undefined field 'usrname'",
    suggestion: 'username',
  },
  { marked: 'has(user.⟦extr⟧)', message: "undefined field 'extr'", suggestion: 'extra' },
  {
    marked: '⟦1 + "a"⟧ == 2',
    message: "found no matching overload for '_+_' applied to '(int, string)'",
  },
  {
    marked: '"abc".⟦startsWith(1)⟧',
    message: "found no matching overload for 'startsWith' applied to 'string.(int)'",
  },
  {
    marked: '⟦claims.groups⟧.exists(g, g == "dev")',
    message:
      "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
  },
  {
    marked: '["a"].filter(x, ⟦x⟧)',
    message:
      "found no matching overload for '_?_:_' applied to '(string, list(string), list(string))'",
  },
  {
    marked: '⟦"a"⟧ ? 1 : 2',
    message: "found no matching overload for '_?_:_' applied to '(string, int, int)'",
  },
  {
    marked: '⟦true ? 1 : "b"⟧',
    message: "found no matching overload for '_?_:_' applied to '(bool, int, string)'",
  },
  { marked: '["a"].all(x, ⟦x⟧)', message: "expected type 'bool' but found 'string'" },
  { marked: '["a", ⟦1⟧]', message: "expected type 'string' but found 'int'" },
  { marked: '"😀" == "a" && ⟦1⟧', message: "expected type 'bool' but found 'int'" },
  { marked: '"a".matches(⟦"["⟧)', message: 'invalid matches argument' },
  {
    marked: '"%d".format([⟦"a"⟧])',
    message:
      'error during formatting: decimal clause can only be used on integers, was given string',
  },
  { marked: '⟦claims.sub⟧', message: 'must evaluate to bool' },
];

test.each(cases)('underlines $marked', ({ marked, message, suggestion }) => {
  const text = marked.replace(/[⟦⟧]/g, '');
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  const compiled = compileExpression({
    text,
    environment: marked.includes('user') ? 'user' : 'claims',
    result: message === 'must evaluate to bool' ? 'bool' : 'any',
    release: 37,
  });
  const span = { start, end };
  expect(compiled.errors).toEqual([
    {
      message,
      span,
      ...(suggestion === undefined ? {} : { suggestion: { span, text: suggestion } }),
      ...(message.startsWith("expression of type 'any'") ? { needsDyn: true } : {}),
    },
  ]);
});

test.each([
  ['a correct name with the wrong number of arguments', '[1].map(x)'],
  ['a short name unlike all others', 'q.sub'],
  ['two equally similar names', '[1].mat()'],
])('suggests nothing for %s', (_, text) => {
  const compiled = compileExpression({ text, environment: 'claims', result: 'any', release: 37 });
  expect(compiled.errors.length).toBeGreaterThan(0);
  expect(compiled.errors.map((error) => error.suggestion)).toEqual(
    compiled.errors.map(() => undefined),
  );
});
