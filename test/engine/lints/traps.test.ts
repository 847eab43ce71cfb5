/**
 * Configurations that kube-apiserver loads, but that reject every token or give access to the wrong
 * users. Each lint reports such a configuration and not a similar one that is valid, and its fix
 * preserves the style of the scalar.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { automaticFix, type Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { advise } from '../../../engine/src/simulate/advice/advise.ts';
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
/** Returns the codes, except for the advice not to use an address as the username. */
const codes = (text: string): readonly string[] =>
  diagnose(text).flatMap(({ code }) => (code === 'AG4031' ? [] : [code]));

/** Applies the first fix of each diagnostic with this code. */
const applyFixes = (text: string, code: string): string =>
  applyEdits(
    text,
    diagnose(text).flatMap((found) => (found.code === code ? (found.fixes[0]?.edits ?? []) : [])),
  );

describe('reports a left example value', () => {
  const value = (rest: string): string => groups(`claims.roles${rest}`);
  test.each([
    [' # CHANGE ME: groups, your groups', 1],
    ['\n# CHANGE ME:', 1],
    [' # change me: groups', 0],
    [' # CHANGE MEMBERS: groups', 0],
    [' # ask CHANGE ME: groups', 0],
    [" + ['# CHANGE ME: groups']", 0],
  ])('%j: %d', (rest, count) => {
    expect(codes(value(rest)).filter((code) => code === 'AG4041')).toHaveLength(count);
  });

  test.each([
    ['audiences: [app] # CHANGE ME: audiences', 'jwt[0].issuer.audiences'],
    ['audiences: # CHANGE ME: audiences\n    - app', 'jwt[0].issuer'],
    ['audiences:\n    - app # CHANGE ME: audience', 'jwt[0].issuer.audiences[0]'],
  ])('%j has the path %s', (line, path) => {
    const text = groups('claims.roles').replace(
      /- issuer: .*/,
      () => `- issuer:\n    url: https://issuer.example.com\n    ${line}`,
    );
    expect(text).toContain(line);
    expect(diagnose(text).flatMap((one) => (one.code === 'AG4041' ? [one.path] : []))).toEqual([
      path,
    ]);
  });

  test('with the path of the rule before the comment', () => {
    const text = `${rule("claims.hd == 'example.com'").trimEnd()} # CHANGE ME: domain\n`;
    expect(diagnose(text).find(({ code }) => code === 'AG4041')?.path).toBe(
      'jwt[0].claimValidationRules[0].expression',
    );
  });

  test('at the comment, also inside of a ConfigMap value', () => {
    const text = value(` # CHANGE ME: groups, ${'x'.repeat(500)}`);
    const found = diagnose(text).find(({ code }) => code === 'AG4041');
    expect(found?.span.start).toBe(text.indexOf('# CHANGE ME'));
    expect(found?.message.length).toBeLessThan(300);
  });
});

describe('reports an invalid expression and not a similar valid one', () => {
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

describe('a fix preserves the style of the scalar', () => {
  test.each([
    ['plain', `claims.roles.split(',')`],
    ['single-quoted', `'claims.roles.split('','')'`],
    ['double-quoted', `"claims.roles.split(\\",\\")"`],
    ['literal block', `|\n        claims.roles\n          .split(',')`],
    ['folded block', `>-\n        claims.roles\n        .split(',')`],
  ])('adds map() to a %s scalar', (_, scalar) => {
    const fixed = applyFixes(groups(scalar), 'AG4001');
    expect(fixed).toContain('.map(r, r)');
    expect(codes(fixed)).toEqual([]);
  });

  test.each([
    ['plain', 'claims.groups.map(g, g)'],
    ['single-quoted', `'claims[''groups''].map(g, g)'`],
    ['double-quoted', `"claims[\\"groups\\"].map(g, g)"`],
    ['literal block', `|\n        claims.groups.map(g, g)`],
  ])('adds dyn() to a %s scalar', (_, scalar) => {
    const fixed = applyFixes(groups(scalar), 'AG2001');
    expect(fixed).toContain('dyn(claims');
    expect(codes(fixed)).toEqual([]);
  });

  test('replaces the operator in with has()', () => {
    expect(applyFixes(rule(`"'hd' in claims"`), 'AG4002')).toContain('"has(claims.hd)"');
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

describe('an expression that uses email_verified without effect', () => {
  const mail = "'m:' + claims.email";
  test.each([
    ['a rule that is always true', username(mail, withRule('claims.email_verified || true'))],
    ['a rule that checks only presence', username(mail, withRule('has(claims.email_verified)'))],
    [
      'a rule that accepts both values',
      username(mail, withRule('claims.email_verified in [true, false]')),
    ],
    [
      'presence as an alternative to another condition',
      username(mail, withRule("claims.hd == 'a' || has(claims.email_verified)")),
    ],
    [
      'the same username for both values',
      username("claims.email_verified ? 'm:' + claims.email : 'm:' + claims.email"),
    ],
    [
      'an extra value that no rule reads',
      username(
        mail,
        "    extra: [{ key: a.example/v, valueExpression: 'string(claims.?email_verified.orValue(false))' }]\n",
      ),
    ],
  ])('reports %s', (_, text) => {
    expect(codes(text)).toContain('AG4015');
    const fixed = applyFixes(text, 'AG4015');
    if (fixed !== text) expect(codes(fixed)).toEqual([]);
  });

  test.each([
    ['a rule that requires true', username(mail, withRule('claims.email_verified == true'))],
    [
      'the rule that kube-apiserver recommends',
      username(mail, withRule('claims.?email_verified.orValue(true)')),
    ],
    [
      'the value as an alternative to another condition',
      username(mail, withRule("claims.hd == 'a' || claims.email_verified")),
    ],
    ['a rule that rejects false', username(mail, withRule('!(claims.email_verified == false)'))],
    [
      'a comparison with another claim',
      username(mail, withRule('claims.email_verified == claims.ok')),
    ],
    [
      'different usernames for the two values',
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
  ])('does not report %s', (_, text) => {
    expect(codes(text)).not.toContain('AG4015');
  });
});

describe('a username that can be empty', () => {
  test.each([
    ['a prefix without a name', "'p:' + claims.?login.orValue('')", '', 'warning'],
    [
      'an empty string in one branch',
      "has(claims.login) ? 'p:' + claims.login : ''",
      '',
      'information',
    ],
    ['an empty default', "claims.?login.orValue('')", '', 'information'],
    ['two optional parts', "claims.?a.orValue('') + '@' + claims.?b.orValue('')", '', 'warning'],
    [
      'a user rule about another prefix',
      "'p:' + claims.?login.orValue('')",
      `  userValidationRules:\n  - expression: "!user.username.startsWith('system:')"\n`,
      'warning',
    ],
  ])('reports %s', (_, expression, rest, severity) => {
    const found = diagnose(username(expression, rest)).filter(({ code }) => code === 'AG4014');
    expect(found.map((one) => one.severity)).toEqual([severity]);
  });

  test.each([
    ['another claim as the default', "'p:' + claims.?login.orValue(claims.sub)", ''],
    ['an optional part and a required one', "claims.?a.orValue('') + '@' + claims.b", ''],
    [
      'a rule that requires the claim',
      "'p:' + claims.?login.orValue('')",
      withRule('has(claims.login)'),
    ],
    [
      'a rule that rejects the prefix without a name',
      "'p:' + claims.?login.orValue('')",
      `  userValidationRules:\n  - expression: "user.username != 'p:'"\n`,
    ],
  ])('does not report %s', (_, expression, rest) => {
    expect(codes(username(expression, rest))).not.toContain('AG4014');
  });

  test('reports a claim that users can edit, and not an ID', () => {
    const claim = (name: string): string => file('').replace('claim: sub', `claim: ${name}`);
    expect(codes(claim('nickname'))).toEqual(['AG4014']);
    expect(codes(claim('oid'))).toEqual([]);
  });
});

describe('an optional claim', () => {
  test.each([
    [
      'a claim that another expression treats as optional',
      `${groups("'claims.team'")}  claimValidationRules:
  - expression: claims.?team.orValue('') != 'guests'
`,
    ],
    ['the email claim as the UID', file('    uid: { claim: email }\n')],
  ])('reports %s', (_, text) => {
    expect(codes(text)).toContain('AG4013');
  });

  test.each([
    [
      'a claim that an expression requires',
      groups("'claims.name'") + withRule("claims.name != ''"),
    ],
    [
      'a claim with a required value',
      `${groups("'claims.locale'")}  claimValidationRules:
  - { claim: locale, requiredValue: de }
`,
    ],
    ['the username claim as the UID', file('    uid: { claim: sub }\n')],
  ])('does not report %s', (_, text) => {
    expect(codes(text)).not.toContain('AG4013');
  });

  test.each([
    [groups('claims.name'), 'claims.?name.orValue([])'],
    [file('    uid:\n      expression: claims.locale\n'), 'claims.?locale.orValue("")'],
    [file(`    uid:\n      expression: "claims.locale"\n`), `"claims.?locale.orValue('')"`],
  ])('the fix adds a default', (text, wanted) => {
    const fixed = applyFixes(text, 'AG4013');
    expect(fixed).toContain(wanted);
    expect(codes(fixed)).toEqual([]);
  });
});

describe('a required value of a claim that is not a string', () => {
  const required = (item: string): string => `${file('')}  claimValidationRules:\n${item}`;
  test.each([
    ['a block mapping', '  - claim: email_verified\n    requiredValue: "true"\n'],
    ['a flow mapping', '  - {claim: email_verified, requiredValue: "false"}\n'],
  ])('is replaced with an expression in %s', (_, item) => {
    expect(codes(required(item))).toEqual(['AG4012']);
    const fixed = applyFixes(required(item), 'AG4012');
    expect(fixed).toContain('expression: claims.email_verified == ');
    expect(codes(fixed)).toEqual([]);
  });
  test('has no fix for a number', () => {
    const text = required('  - claim: exp\n    requiredValue: "1"\n');
    expect(codes(text)).toEqual(['AG4012']);
    expect(applyFixes(text, 'AG4012')).toBe(text);
  });
});

describe('groups of Microsoft Entra ID', () => {
  const entra = (rest: string): string =>
    groups("'claims.?groups.orValue([])'").replace(
      'https://issuer.example.com',
      'https://login.microsoftonline.com/tenant/v2.0',
    ) + rest;
  test('reports an expression that does not handle distributed groups', () => {
    expect(codes(entra(''))).toEqual(['AG4016']);
    expect(codes(entra(withRule('!has(claims._claim_names)')))).toEqual([]);
    expect(codes(groups("'claims.?groups.orValue([])'"))).toEqual([]);
  });
});

describe('the fix adds the rule about email_verified in the style of the file', () => {
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
    ['block, with Windows line endings', username(bypass).replaceAll('\n', '\r\n')],
    ['after other rules', username(bypass, withRule("claims.hd == 'a'"))],
    [
      'after other rules in a flow sequence',
      username(bypass, '  claimValidationRules: [{ claim: hd, requiredValue: a }]\n'),
    ],
    ['flow', flow],
    ['JSON', json],
  ])('%s', (_, text) => {
    expect(codes(text)).toContain('AG4008');
    const fixed = applyFixes(text, 'AG4008');
    expect(fixed).toContain('claims.?email_verified.orValue(false) == true');
    expect(codes(fixed)).toEqual([]);
  });
});

test.each(['v1', '"apiserver.config.k8s.io/v1"'])(
  'replaces %s with v1beta1 for an older release',
  (version) => {
    const text = file('').replace(
      /apiserver.config.k8s.io\/v1|$^/,
      version.length > 2 ? version : '$&',
    );
    const older = compile({ source: sourceFile('file.yaml', text), settings: settingsFor(33) });
    const [found] = older.diagnostics;
    expect(found?.code).toBe('AG1007');
    expect(lint(older)).toEqual([]);
    const fixed = applyEdits(text, found?.fixes[0]?.edits ?? []);
    const again = compile({ source: sourceFile('file.yaml', fixed), settings: settingsFor(33) });
    expect([...again.diagnostics, ...lint(again)]).toEqual([]);
  },
);

test('the samples have no findings except advice that they take into account', () => {
  // Names and addresses as usernames, and what the issuers of some samples cannot change.
  const accepted = new Set(['AG4010', 'AG4029', 'AG4031', 'AG4034', 'AG4038']);
  const root = join(import.meta.dirname, '../../../samples');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(root, name));
  expect(files.length).toBeGreaterThan(15);
  const findings = files.flatMap((path) =>
    advise(compile({ source: sourceFile(path, readFileSync(path, 'utf8')) })).flatMap(
      ({ code, source, severity }) =>
        source === 'lint' && (severity === 'warning' || !accepted.has(code))
          ? [`${path} ${code}`]
          : [],
    ),
  );
  expect(findings).toEqual([]);
});

test('reports a second document unless it is empty', () => {
  expect(codes(`${file('')}---\nkind: Other\n`)).toContain('AG4011');
  expect(codes(`${file('')}---\n# nothing\n`)).toEqual([]);
});

test('does not report AG4010 for a missing username', () => {
  expect(
    codes(
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: https://a, audiences: [b]}\n',
    ),
  ).not.toContain('AG4010');
});

test('suggests the claim that the issuer sends instead of a misspelled one', () => {
  const text = rule("claims.repositry == 'acme/app'").replace(
    'https://issuer.example.com',
    'https://token.actions.githubusercontent.com',
  );
  const advice = advise(compile({ source: sourceFile('file.yaml', text) }));
  const found = advice.find(({ code }) => code === 'AG4038');
  expect(found?.help).toContain('Did you mean repository? ');
});

describe('a misspelled claim of an issuer whose claims are not known', () => {
  test.each([
    ['claims.email_verifed == true', 'email_verified'],
    ['claims.?emial_verified.orValue(true) == true', 'email_verified'],
    ['has(claims.email_verifed)', 'email_verified'],
    [`claims["prefered_username"] != ""`, 'preferred_username'],
    ["'x' in dyn(claims.grups)", 'groups'],
  ])('%s: %s', (expression, meant) => {
    const found = diagnose(rule(`|\n      ${expression}`)).filter(({ code }) => code === 'AG4038');
    expect(found.map(({ severity, help }) => [severity, help.split('?')[0]])).toEqual([
      ['warning', `Did you mean ${meant}`],
    ]);
    expect(found.map(automaticFix)).toEqual([undefined]);
    const fixed = applyFixes(rule(`|\n      ${expression}`), 'AG4038');
    expect(fixed).toContain(meant);
    expect(codes(fixed)).not.toContain('AG4038');
  });

  test.each(['group', 'role', 'mail', 'emails', 'Groups', 'sid', 'oid', 'teams', 'username'])(
    'does not report %s, which issuers send',
    (claim) => {
      expect(codes(rule(`claims.?${claim}.orValue('a') == 'a'`))).not.toContain('AG4038');
    },
  );

  test('reports the name of a claim in a mapping and in a rule', () => {
    const text = file('  claimValidationRules:\n  - { claim: emial, requiredValue: a }\n');
    expect(applyFixes(text, 'AG4038')).toContain('claim: email,');
    expect(applyFixes(text.replace('claim: sub', 'claim: emall'), 'AG4038')).toContain(
      'username: { claim: email,',
    );
  });

  test('AG1045 names the line of the misspelled claim, and renames it first', () => {
    const text = rule('claims.email_verifed == true').replace(
      "{ claim: sub, prefix: 'p:' }",
      '{ expression: claims.email }',
    );
    const found = diagnose(text).find(({ code }) => code === 'AG1045');
    expect(found?.help).toMatch(/^Line 8 reads email_verifed: did you mean email_verified\? /);
    expect(found && automaticFix(found)).toBeUndefined();
    const fixed = applyFixes(text, 'AG1045');
    expect(fixed).toContain('expression: claims.email_verified == true\n');
    expect(codes(fixed)).not.toContain('AG1045');
  });
});

test('names the members of a claim in the help, however many there are', () => {
  const helpOf = (path: string) =>
    diagnose(groups(path)).find(({ code }) => code === 'AG4013')?.help;
  expect(helpOf('claims.realm_access.roles')).toBe(
    'Read it as claims.?realm_access.roles.orValue(…).',
  );
  expect(() => diagnose(groups(`claims.realm_access${'.a'.repeat(45_000)}`))).not.toThrow();
});
