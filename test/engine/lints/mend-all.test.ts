/**
 * Which certain mends are made when everything is mended, on a save without anybody looking: those that
 * put the writing right, none that settles who gets in or under which name.
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

const mended = (text: string): string =>
  applyEdits(text, fixAll(compile({ source: sourceFile('file.yaml', text) })));

const codesIn = (text: string): readonly string[] => diagnose(text).map(({ code }) => code);

const left: readonly (readonly [string, string, Parts])[] = [
  ['names without a prefix', 'AG1039', { username: '{claim: sub}' }],
  ['another scheme for a bare host', 'AG1017', { url: 'issuer.example' }],
  ['another issuer without a name', 'AG1018', { url: 'https://jane@issuer.example' }],
  ['another issuer without a fragment', 'AG1020', { url: 'https://issuer.example/#a' }],
  ['addresses that nobody verified', 'AG1045', { username: '{expression: claims.email}' }],
  [
    'a rule about addresses read another way',
    'AG4008',
    { username: `{expression: 'claims["email"]'}` },
  ],
  [
    'a rule about addresses that decides nothing',
    'AG4015',
    {
      username: '{expression: claims.email}',
      rules: ['expression: has(claims.email_verified) || true'],
    },
  ],
  [
    'tokens without an optional claim',
    'AG4013',
    { mappings: ['uid: {expression: claims.preferred_username}'] },
  ],
  ['a name of another type', 'AG4004', { username: `{expression: 'size("x" + claims.sub)'}` }],
  ['another text of a number', 'AG4018', { mappings: ['uid: {expression: string(claims.iat)}'] }],
  [
    'tokens that lack a claim with a default',
    'AG4019',
    { mappings: [`groups: {expression: 'claims.groups.orValue([])'}`] },
  ],
  [
    'truth values for texts',
    'AG4012',
    { rules: ['claim: email_verified\n    requiredValue: "true"'] },
  ],
  [
    'a function that another language has',
    'AG2001',
    { rules: [`expression: claims.sub.toLowerCase() == "a"`] },
  ],
];

test.each(left)('left to a person: %s', (_, code, parts) => {
  const text = fileOf(parts);
  const own = diagnose(text).filter((found) => found.code === code);
  expect(own.map(({ fixes }) => fixes.filter(({ choice }) => choice === undefined))).toEqual([
    [expect.objectContaining({ changesAccess: true })],
  ]);
  expect(codesIn(mended(text))).toContain(code);
});

const made: readonly (readonly [string, string, Parts])[] = [
  ['a misspelt field', 'AG1008', { issuer: ['audience: [app]'] }],
  ['the only policy', 'AG1025', { issuer: ['audiences: [app, web]'] }],
  ['an audience twice', 'AG1024', { issuer: ['audiences: [app, app]'] }],
  ['spaces around an address', 'AG1016', { url: '" https://issuer.example "' }],
  [
    'the discovery address that is meant anyway',
    'AG1021',
    { issuer: ['discoveryURL: https://issuer.example', 'audiences: [app]'] },
  ],
  [
    'an empty prefix beside an expression',
    'AG1038',
    { username: `{expression: '"oidc:" + claims.sub', prefix: ""}` },
  ],
  [
    'a message that is never said',
    'AG1031',
    { rules: ['{claim: hd, requiredValue: example.com, message: stay out}'] },
  ],
  [
    'the same rule twice',
    'AG1034',
    { rules: ['expression: has(claims.hd)', 'expression: has(claims.hd)'] },
  ],
  [
    'a key in upper case',
    'AG1041',
    { mappings: ['extra: [{key: example.com/Tenant, valueExpression: claims.tenant}]'] },
  ],
  [
    'operators of other languages',
    'AG2001',
    { rules: [`expression: claims.hd = "a" and claims.tid = "b"`] },
  ],
  [
    'a list that the server cannot read',
    'AG4001',
    { mappings: [`groups: {expression: 'claims.roles.split(",")'}`] },
  ],
  ['a number that is never an integer', 'AG4003', { rules: ['expression: claims.level % 2 == 0'] }],
  ['claims as a whole', 'AG4002', { rules: [`expression: '"hd" in claims'`] }],
];

test.each(made)('made without asking: %s', (_, code, parts) => {
  const text = fileOf(parts);
  expect(codesIn(text)).toContain(code);
  expect(codesIn(mended(text))).not.toContain(code);
});
