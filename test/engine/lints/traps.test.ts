/**
 * Files that load and then refuse every token, or let in whom nobody meant: the lint that says so, the
 * neighbour that it leaves alone, and its fix in every style of scalar.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
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
    ['AG4013', groups, '[claims.locale]', '[claims.country]'],
    ['AG4013', groups, 'claims.name', "has(claims.name) ? [claims.name] : ['x']"],
    ['AG4016', groups, 'claims._claim_names', 'claims.names'],
    ['AG4018', rule, "string(claims.exp) != ''", "string(claims.level) != ''"],
    ['AG4019', rule, "claims.a.b.orValue('') != ''", "claims.a.?b.orValue('') != ''"],
    ['AG4019', rule, "claims['a'].orValue('') != ''", "claims[?'a'].orValue('') != ''"],
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

const username = (expression: string, rest = ''): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://issuer.example.com, audiences: [app] }
  claimMappings:
    username:
      expression: ${JSON.stringify(expression)}
${rest}`;
const withRule = (expression: string, rest = ''): string =>
  `  claimValidationRules:\n  - expression: ${JSON.stringify(expression)}\n${rest}`;

describe('a mention of email_verified that decides nothing', () => {
  const mail = "'m:' + claims.email";
  test.each([
    ['always true', username(mail, withRule('claims.email_verified || true'))],
    ['presence alone', username(mail, withRule('has(claims.email_verified)'))],
    ['both values', username(mail, withRule('claims.email_verified in [true, false]'))],
    [
      'beside a condition that it does not change',
      username(mail, withRule("claims.hd == 'a' || has(claims.email_verified)")),
    ],
    [
      'one name for both',
      username("claims.email_verified ? 'm:' + claims.email : 'm:' + claims.email"),
    ],
    [
      'an extra value that no rule reads',
      username(
        mail,
        "    extra: [{ key: a.example/v, valueExpression: 'string(claims.?email_verified.orValue(false))' }]\n",
      ),
    ],
  ])('%s is told', (_, text) => {
    expect(codes(text)).toContain('AG4015');
    const mended = mend(text, 'AG4015');
    if (mended !== text) expect(codes(mended)).toEqual([]);
  });

  test.each([
    ['a rule', username(mail, withRule('claims.email_verified == true'))],
    ['the rule of the server', username(mail, withRule('claims.?email_verified.orValue(true)'))],
    [
      'beside another condition',
      username(mail, withRule("claims.hd == 'a' || claims.email_verified")),
    ],
    ['not unverified', username(mail, withRule('!(claims.email_verified == false)'))],
    ['a claim that is not known', username(mail, withRule('claims.email_verified == claims.ok'))],
    [
      'two names',
      username("claims.email_verified == true ? 'm:' + claims.email : 'u:' + claims.sub"),
    ],
    [
      'an extra value that a rule reads',
      username(
        mail,
        `    extra: [{ key: a.example/v, valueExpression: 'string(claims.?email_verified.orValue(false))' }]
  userValidationRules:
  - expression: "user.extra['a.example/v'] == ['true']"
`,
      ),
    ],
  ])('%s is not', (_, text) => {
    expect(codes(text)).not.toContain('AG4015');
  });
});

describe('a name that can be empty', () => {
  test.each([
    ['bare prefix', "'p:' + claims.?login.orValue('')", '', 'warning'],
    ['in a branch', "has(claims.login) ? 'p:' + claims.login : ''", '', 'information'],
    ['nothing at all', "claims.?login.orValue('')", '', 'information'],
    ['two parts', "claims.?a.orValue('') + '@' + claims.?b.orValue('')", '', 'warning'],
    [
      'a rule about another thing',
      "'p:' + claims.?login.orValue('')",
      `  userValidationRules:\n  - expression: "!user.username.startsWith('system:')"\n`,
      'warning',
    ],
  ])('%s is told', (_, expression, rest, severity) => {
    const found = diagnose(username(expression, rest)).filter(({ code }) => code === 'AG4014');
    expect(found.map((one) => one.severity)).toEqual([severity]);
  });

  test.each([
    ['a fall back', "'p:' + claims.?login.orValue(claims.sub)", ''],
    ['one part is there', "claims.?a.orValue('') + '@' + claims.b", ''],
    ['the claim is judged', "'p:' + claims.?login.orValue('')", withRule('has(claims.login)')],
    [
      'the name is judged',
      "'p:' + claims.?login.orValue('')",
      `  userValidationRules:\n  - expression: "user.username != 'p:'"\n`,
    ],
  ])('%s is not', (_, expression, rest) => {
    expect(codes(username(expression, rest))).not.toContain('AG4014');
  });

  test('a claim that people write themselves', () => {
    const claim = (name: string): string => file('').replace('claim: sub', `claim: ${name}`);
    expect(codes(claim('nickname'))).toEqual(['AG4014']);
    expect(codes(claim('oid'))).toEqual([]);
  });
});

describe('a claim that is optional here', () => {
  test.each([
    [
      'by another expression',
      `${groups("'claims.team'")}  claimValidationRules:
  - expression: claims.?team.orValue('') != 'guests'
`,
    ],
    ['as UID', file('    uid: { claim: email }\n')],
  ])('%s is told', (_, text) => {
    expect(codes(text)).toContain('AG4013');
  });

  test.each([
    ['demanded by a rule', groups("'claims.name'") + withRule("claims.name != ''")],
    [
      'demanded by a claim rule',
      `${groups("'claims.locale'")}  claimValidationRules:
  - { claim: locale, requiredValue: de }
`,
    ],
    ['the name itself', file('    uid: { claim: sub }\n')],
  ])('%s is not', (_, text) => {
    expect(codes(text)).not.toContain('AG4013');
  });

  test.each([
    [groups('claims.name'), 'claims.?name.orValue([])'],
    [file('    uid:\n      expression: claims.locale\n'), 'claims.?locale.orValue("")'],
    [file(`    uid:\n      expression: "claims.locale"\n`), `"claims.?locale.orValue('')"`],
  ])('its fix says what stands for nothing', (text, wanted) => {
    const mended = mend(text, 'AG4013');
    expect(mended).toContain(wanted);
    expect(codes(mended)).toEqual([]);
  });
});

describe('a required value of a claim that is no text', () => {
  const required = (item: string): string => `${file('')}  claimValidationRules:\n${item}`;
  test.each([
    ['two lines', '  - claim: email_verified\n    requiredValue: "true"\n'],
    ['a flow', '  - {claim: email_verified, requiredValue: "false"}\n'],
  ])('is mended in %s', (_, item) => {
    expect(codes(required(item))).toEqual(['AG4012']);
    const mended = mend(required(item), 'AG4012');
    expect(mended).toContain('expression: claims.email_verified == ');
    expect(codes(mended)).toEqual([]);
  });
  test('a number has no certain fix', () => {
    const text = required('  - claim: exp\n    requiredValue: "1"\n');
    expect(codes(text)).toEqual(['AG4012']);
    expect(mend(text, 'AG4012')).toBe(text);
  });
});

describe('groups of Microsoft Entra ID', () => {
  const entra = (rest: string): string =>
    groups("'claims.?groups.orValue([])'").replace(
      'https://issuer.example.com',
      'https://login.microsoftonline.com/tenant/v2.0',
    ) + rest;
  test('an expression does not see many of them', () => {
    expect(codes(entra(''))).toEqual(['AG4016']);
    expect(codes(entra(withRule('!has(claims._claim_names)')))).toEqual([]);
    expect(codes(groups("'claims.?groups.orValue([])'"))).toEqual([]);
  });
});

describe('the rule about email_verified is added in the layout of the file', () => {
  const bypass = "'m:' + claims['email']";
  const flow = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt: [{issuer: {url: "https://a.example", audiences: [b]}, claimMappings: {username: {expression: "'m:' + claims['email']"}}}]
`;
  const json = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://a.example', audiences: ['b'] },
        claimMappings: { username: { expression: bypass } },
      },
    ],
  });
  test.each([
    ['block', username(bypass)],
    ['block, with Windows line ends', username(bypass).replaceAll('\n', '\r\n')],
    ['beside other rules', username(bypass, withRule("claims.hd == 'a'"))],
    [
      'beside other rules in a flow',
      username(bypass, '  claimValidationRules: [{ claim: hd, requiredValue: a }]\n'),
    ],
    ['flow', flow],
    ['JSON', json],
  ])('%s', (_, text) => {
    expect(codes(text)).toContain('AG4008');
    const mended = mend(text, 'AG4008');
    expect(mended).toContain('claims.?email_verified.orValue(true) == true');
    expect(codes(mended)).toEqual([]);
  });
});

test.each(['v1', '"apiserver.config.k8s.io/v1"'])(
  'an older release gets %s as v1beta1',
  (version) => {
    const text = file('').replace(
      /apiserver.config.k8s.io\/v1|$^/,
      version.length > 2 ? version : '$&',
    );
    const older = compile({ source: sourceFile('file.yaml', text), settings: settingsFor(33) });
    const [found] = lint(older);
    expect(found?.code).toBe('AG4006');
    const mended = applyEdits(text, found?.fixes[0]?.edits ?? []);
    const again = compile({ source: sourceFile('file.yaml', mended), settings: settingsFor(33) });
    expect([...again.diagnostics, ...lint(again)]).toEqual([]);
  },
);

test('the samples and the workload of the benches have none of the traps', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = ['samples', 'bench/workload/configs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(25);
  const told = files.flatMap((path) =>
    diagnose(readFileSync(path, 'utf8')).flatMap(({ code, source }) =>
      source === 'lint' && code !== 'AG4010' ? [`${path} ${code}`] : [],
    ),
  );
  expect(told).toEqual([]);
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
