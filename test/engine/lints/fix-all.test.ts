/**
 * `fixAll`, which an editor may run on every save, corrects mistakes in the notation. It applies no
 * fix that changes who has access or under which name.
 */
import { expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { fixAll } from '../../../engine/src/lints/parts/fix-all.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';

interface Parts {
  readonly url?: string;
  readonly issuer?: readonly string[];
  readonly username?: string;
  readonly mappings?: readonly string[];
  readonly rules?: readonly string[];
}

const fileOf = ({ url, issuer, username, mappings, rules }: Parts): string =>
  [
    'apiVersion: apiserver.config.k8s.io/v1',
    'kind: AuthenticationConfiguration',
    'jwt:',
    '- issuer:',
    `    url: ${url ?? 'https://issuer.example'}`,
    ...(issuer ?? ['audiences: [app]']).map((line) => `    ${line}`),
    '  claimMappings:',
    `    username: ${username ?? '{claim: sub, prefix: "oidc:"}'}`,
    ...(mappings ?? []).map((line) => `    ${line}`),
    ...(rules === undefined ? [] : ['  claimValidationRules:', ...rules.map((at) => `  - ${at}`)]),
    '',
  ].join('\n');

const diagnose = (text: string): readonly Diagnostic[] => {
  const compilation = compile({ source: sourceFile('file.yaml', text) });
  return [...compilation.diagnostics, ...lint(compilation)];
};

const applyFixAll = (text: string): string =>
  applyEdits(text, fixAll(compile({ source: sourceFile('file.yaml', text) })));

const codesIn = (text: string): readonly string[] => diagnose(text).map(({ code }) => code);

const fixesThatChangeAccess: readonly (readonly [string, string, Parts])[] = [
  ['an issuer URL without a scheme', 'AG1017', { url: 'issuer.example' }],
  ['an issuer URL with a username', 'AG1018', { url: 'https://jane@issuer.example' }],
  ['an issuer URL with a fragment', 'AG1020', { url: 'https://issuer.example/#a' }],
  ['an email address that is not verified', 'AG1045', { username: '{expression: claims.email}' }],
  [
    'an email address that is read by index',
    'AG4008',
    { username: `{expression: 'claims["email"]'}` },
  ],
  [
    'a rule about email_verified that has no effect',
    'AG4015',
    {
      username: '{expression: claims.email}',
      rules: ['expression: has(claims.email_verified) || true'],
    },
  ],
  ['an optional claim', 'AG4013', { mappings: ['uid: {expression: claims.preferred_username}'] }],
  ['a username that is not a string', 'AG4004', { username: `{expression: 'int(claims.number)'}` }],
  [
    'a number that is converted to a string',
    'AG4018',
    { mappings: ['uid: {expression: string(claims.iat)}'] },
  ],
  [
    'a default for a claim that is read without a question mark',
    'AG4019',
    { mappings: [`groups: {expression: 'claims.groups.orValue([])'}`] },
  ],
  [
    'a required value of a Boolean claim',
    'AG4012',
    { rules: ['claim: email_verified\n    requiredValue: "true"'] },
  ],
  [
    'a function of another language',
    'AG2001',
    { rules: [`expression: claims.sub.toLowerCase() == "a"`] },
  ],
  // These reject every token until they are fixed.
  [
    'a list that kube-apiserver cannot read',
    'AG4001',
    { mappings: [`groups: {expression: 'claims.roles.split(",")'}`] },
  ],
  ['a number that is never an integer', 'AG4003', { rules: ['expression: claims.level % 2 == 0'] }],
  [
    'an expression that uses claims as a whole',
    'AG4002',
    { rules: [`expression: '"hd" in claims'`] },
  ],
];

test.each(fixesThatChangeAccess)('does not apply the fix for %s', (_, code, parts) => {
  const text = fileOf(parts);
  const found = diagnose(text).filter((each) => each.code === code);
  expect(found.map(({ fixes }) => fixes.filter(({ choice }) => choice === undefined))).toEqual([
    [expect.objectContaining({ changesAccess: true })],
  ]);
  expect(codesIn(applyFixAll(text))).toContain(code);
});

test('applies none of several fixes for a missing prefix', () => {
  const text = fileOf({ username: '{claim: sub}' });
  const found = diagnose(text).filter(({ code }) => code === 'AG1039');
  expect(
    found.map(({ fixes }) => fixes.map(({ choice, changesAccess }) => [choice, changesAccess])),
  ).toEqual([
    [
      [true, true],
      [true, true],
    ],
  ]);
  expect(codesIn(applyFixAll(text))).toContain('AG1039');
});

const appliedFixes: readonly (readonly [string, string, Parts])[] = [
  ['a misspelled field', 'AG1008', { issuer: ['audience: [app]'] }],
  [
    'a field that is indented too far',
    'AG1008',
    { issuer: ['audiences: [app]', 'userValidationRules: []'] },
  ],
  ['a missing audience match policy', 'AG1025', { issuer: ['audiences: [app, web]'] }],
  ['a duplicate audience', 'AG1024', { issuer: ['audiences: [app, app]'] }],
  ['spaces around an issuer URL', 'AG1016', { url: '" https://issuer.example "' }],
  [
    'a discovery URL that equals the issuer URL',
    'AG1021',
    { issuer: ['discoveryURL: https://issuer.example', 'audiences: [app]'] },
  ],
  [
    'an empty prefix next to an expression',
    'AG1038',
    { username: `{expression: '"oidc:" + claims.sub', prefix: ""}` },
  ],
  [
    'a message next to a required value',
    'AG1031',
    { rules: ['{claim: hd, requiredValue: example.com, message: stay out}'] },
  ],
  [
    'a duplicate rule',
    'AG1034',
    { rules: ['expression: has(claims.hd)', 'expression: has(claims.hd)'] },
  ],
  [
    'an uppercase key',
    'AG1041',
    { mappings: ['extra: [{key: example.com/Tenant, valueExpression: claims.tenant}]'] },
  ],
  [
    'operators of other languages',
    'AG2001',
    { rules: [`expression: claims.hd = "a" and claims.tid = "b"`] },
  ],
];

test.each(appliedFixes)('applies the fix for %s', (_, code, parts) => {
  const text = fileOf(parts);
  expect(codesIn(text)).toContain(code);
  expect(codesIn(applyFixAll(text))).not.toContain(code);
});
