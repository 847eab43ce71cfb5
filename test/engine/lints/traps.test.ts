/**
 * Files that load and then refuse every token, or let in whom nobody meant: the lint that says so, the
 * neighbour that it leaves alone, and its fix in every style of scalar.
 */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';

const file = (mapping: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://issuer.example.com, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'p:' }
${mapping}`;
const groups = (expression: string): string =>
  file(`    groups:\n      expression: ${expression}\n`);
const rule = (expression: string): string =>
  file(`  claimValidationRules:\n  - expression: ${expression}\n`);

const diagnose = (text: string): readonly Diagnostic[] => {
  const compilation = compile({ source: sourceFile('file.yaml', text) });
  return [...compilation.diagnostics, ...lint(compilation)];
};
const codes = (text: string): readonly string[] => diagnose(text).map(({ code }) => code);

/** All fixes of one code, made. */
const mend = (text: string, code: string): string =>
  applyEdits(
    text,
    diagnose(text).flatMap((found) => (found.code === code ? (found.fixes[0]?.edits ?? []) : [])),
  );

describe('fires, and leaves its neighbour alone', () => {
  test.each([
    ['AG4001', groups, "claims.roles.split(',')", "claims.roles.split(',').map(r, r)"],
    ['AG4001', groups, "claims.roles.split(',') + []", "claims.roles.split(',') + ['x']"],
    [
      'AG4001',
      groups,
      "claims.a ? claims.r.findAll('x') : ['y']",
      "claims.r.findAll('x').filter(r, true)",
    ],
    ['AG4002', rule, "'hd' in claims", "'r' in claims.roles"],
    ['AG4002', rule, 'size(claims) > 3', 'size(claims.roles) > 3'],
    ['AG4002', rule, 'size(dyn(claims)) > 3', 'size(dyn(claims).roles) > 3'],
    ['AG4002', rule, 'claims.exists(c, c == "x")', 'dyn(claims.roles).exists(c, c == "x")'],
    ['AG4003', rule, 'claims.n % 2 == 0', 'int(claims.n) % 2 == 0'],
    ['AG4003', rule, 'claims.a.n + 1 > 3', 'claims.exp - claims.nbf <= 86400'],
    [
      'AG4003',
      rule,
      'timestamp(claims.exp) > timestamp(0)',
      'timestamp(claims.day) > timestamp(0)',
    ],
    ['AG4004', groups, '[1, 2]', "['a']"],
    ['AG4004', groups, 'claims.level > 3', 'claims.level'],
    ['AG4005', rule, '[1, 2][5] == claims.n', '[1, 2][1] == claims.n'],
    ['AG4005', rule, "claims.a == 'x' || 1 / 0 == 1", "claims.a == 'x' || 1 / 1 == 1"],
  ])('%s', (code, place, bad, good) => {
    expect(codes(place(JSON.stringify(bad)))).toContain(code);
    expect(codes(place(JSON.stringify(good)))).toEqual([]);
  });
});

describe('a fix keeps the style of its scalar', () => {
  test.each([
    ['plain', `claims.roles.split(',')`],
    ['single quoted', `'claims.roles.split('','')'`],
    ['double quoted', `"claims.roles.split(\\",\\")"`],
    ['literal block', `|\n        claims.roles\n          .split(',')`],
    ['folded block', `>-\n        claims.roles\n        .split(',')`],
  ])('%s', (_, scalar) => {
    const mended = mend(groups(scalar), 'AG4001');
    expect(mended).toContain('.map(r, r)');
    expect(codes(mended)).toEqual([]);
  });

  test.each([
    ['plain', 'claims.groups.map(g, g)'],
    ['single quoted', `'claims[''groups''].map(g, g)'`],
    ['double quoted', `"claims[\\"groups\\"].map(g, g)"`],
    ['literal block', `|\n        claims.groups.map(g, g)`],
  ])('dyn(), %s', (_, scalar) => {
    const mended = mend(groups(scalar), 'AG2001');
    expect(mended).toContain('dyn(claims');
    expect(codes(mended)).toEqual([]);
  });

  test('has()', () => {
    expect(mend(rule(`"'hd' in claims"`), 'AG4002')).toContain('"has(claims.hd)"');
  });
});

test('a second document is told, an empty one is not', () => {
  expect(codes(`${file('')}---\nkind: Other\n`)).toContain('AG4011');
  expect(codes(`${file('')}---\n# nothing\n`)).toEqual([]);
});

test('nothing is said about a username that is not there', () => {
  expect(
    codes(
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: https://a, audiences: [b]}\n',
    ),
  ).not.toContain('AG4010');
});
