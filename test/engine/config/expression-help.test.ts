/** The help of expressions that do not compile: what to write instead, and which errors remain. */
import { describe, expect, test } from 'vitest';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { compileText } from '../../support/compile-text.ts';

const ruleFile = (
  list: string,
  expression: string,
): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
  ${list}:
  - expression: ${JSON.stringify(expression)}
`;

const diagnose = (text: string) => compileText(text).diagnostics;
const claimRule = (expression: string): string => ruleFile('claimValidationRules', expression);
const userRule = (expression: string): string => ruleFile('userValidationRules', expression);

describe('help says what to write', () => {
  test.each([
    ['size(claims.groups) > "3"', 'Compare with the number: `> 3`.'],
    ['claims.groups.map(g => g) == []', 'CEL has no arrow functions'],
    ['claims.sub.matches("[a-")', 'The pattern is invalid: missing closing ]: `[a-`.'],
    ['claims.sub.matches("(?!x)y")', 'RE2 has no lookahead or lookbehind'],
    ['["a", claims.b] == []', 'convert this one with string(…)'],
    ['"a" + 3 == "b"', 'convert the other value with string(…)'],
    ['["a"] + "b" == []', 'put the string into brackets'],
    ['["a"] == "a"', 'write `"value" in list`'],
    ['["a"].contains("a")', 'write `"value" in list`'],
    ['["a"].startsWith("a")', 'write `.exists(x, x.startsWith("…"))` for a list'],
    ['"a" in "abc"', 'use `.contains(…)`'],
    ['!"a"', 'Only a bool can be negated'],
    ['"a" ? true : false', 'The condition before `?` must be a bool'],
    ['claims.a == 1 && "x"', '`&&` and `||` join conditions: compare this value of type string'],
    ['foo(claims.a)', 'CEL has no function `foo`'],
    ['claims.a.toLowerCase() == nope', 'In CEL, the function is named `lowerAscii`.'],
    ['nope == "a"', 'Write `claims.nope` for the claim, or quote it'],
    ['user.username == "a"', '`user` is only available in userValidationRules'],
    ['[1, 2].exists(1, true)', 'The first argument names the variable'],
    ['has(claims)', 'has() tests a field: write `has(claims.name)`.'],
    ['duration("1 day") > duration("1h")', 'Write a duration such as "1h30m"'],
    ['timestamp("now") > timestamp(0)', 'Write a time as in RFC 3339'],
    ['(claims.a == 1', 'The bracket `(` is not closed.'],
    ['claims.a ==', 'The expression ends too early: complete it.'],
    ['if claims.a then true', 'CEL has no statements: write `condition ? value : otherwise`.'],
    [`claims.a == \${c}`, 'CEL has no templates'],
    ['claims.a == ü', '`ü` is only allowed in strings'],
    ['claims.a == "b', 'A string is not closed: add the missing quote.'],
    ['claims.sub', 'Compare the value, for example with `… == true`.'],
    ['claims.exp - claims.nbf', 'Compare the result, for example with `… <= 3600`.'],
    ['"a"', 'This is a string: compare it'],
    ['size("a")', 'This is a number: compare it'],
    ['["a"]', 'This is a list: test it'],
    ['{"a": 1}', 'This is a map: test it'],
    ['claims.?a', 'append `.orValue(false) == true`'],
  ])('%s', (expression, help) => {
    const [found] = diagnose(claimRule(expression));
    expect(found?.code).toMatch(/^AG200[12]$/);
    expect(found?.help).toContain(help);
  });
  test.each([
    ['claims.sub == "a"', '`claims` is not available here'],
    ['user.email == "a"', '`user` has the fields username, uid, groups and extra.'],
    ['user["uid"] == "a"', '`user` is not a map'],
    ['nope == "a"', 'Write `user.username`, `user.uid`, `user.groups` or `user.extra`'],
  ])('user rule %s', (expression, help) => {
    expect(diagnose(userRule(expression))[0]?.help).toContain(help);
  });
});

describe('errors that follow from the first one', () => {
  const own = { code: 'AG2001', path: 'jwt[0].claimValidationRules[0].expression' };
  test.each([
    ['a syntax error', 'claims.hd = "example.com"', [undefined, own]],
    ['an arrow function', 'claims.g.map(g => "x" + g) == []', [undefined, own, own]],
    ['a repeated name', 'clams.a == 1 && clams.b == 2', [undefined, own]],
    ['names that one fix corrects', 'hd == "a" && tid == "b"', [undefined, own]],
    ['independent names', 'nope(1) == 1 && other(2) == 2', [undefined, undefined]],
  ])('%s', (_, expression, consequences) => {
    const found = diagnose(claimRule(expression));
    expect(found.map(({ consequenceOf }) => consequenceOf)).toEqual(consequences);
    // Only the first one has the error of kube-apiserver.
    expect(found.map(({ server }) => server !== undefined)).toEqual(found.map((_, at) => at === 0));
  });
});

test.each([
  ['size(claims.groups) > "3"', 'size(claims.groups) > 3'],
  ['dyn(claims.groups).map(g => "x" + g) == []', 'dyn(claims.groups).map(g, "x" + g) == []'],
  ['dyn(claims.groups).exists((g) => g == "x")', 'dyn(claims.groups).exists(g, g == "x")'],
])('the fix of %s', (expression, result) => {
  const text = claimRule(expression);
  const [fix] = diagnose(text)[0]?.fixes ?? [];
  const edited = applyEdits(text, fix?.edits ?? []);
  expect(edited).toBe(claimRule(result));
  expect(diagnose(edited)).toEqual([]);
});

test('a number is not compared with true', () => {
  expect(diagnose(claimRule('claims.exp - claims.nbf'))[0]?.fixes).toEqual([]);
  expect(diagnose(claimRule('claims.email_verified'))[0]?.fixes).toHaveLength(1);
});

test('a long expression is diagnosed in linear time', () => {
  const source = sourceFile('a.yaml', claimRule(`${'('.repeat(50_000)} =>`));
  expect(compileText(source.text).diagnostics.length).toBeGreaterThan(0);
});
