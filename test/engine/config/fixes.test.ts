/**
 * Every fix of every diagnostic: once it is applied, the diagnostic is gone and no other was added.
 * Each row is tested with LF and with CRLF.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../engine/src/catalog.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { automaticFix, type Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { fixAll } from '../../../engine/src/lints/parts/fix-all.ts';
import { newestRelease, parseRelease, type Release } from '../../../engine/src/model/release.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { accessChangesOf } from '../../support/access-of-fix.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const issuer = '- issuer:\n    url: https://a.example\n    audiences: [app]\n';
const mappings = "  claimMappings:\n    username: {claim: sub, prefix: 'a:'}\n";
const file = (entry: string): string => `${head}jwt:\n${entry}`;

/** Returns a file with additional lines in one of its parts. */
const withIssuerLines = (lines: string): string => file(`${issuer}${lines}${mappings}`);
const withUrl = (url: string): string =>
  file(`${issuer}${mappings}`.replace('https://a.example', url));
const withRules = (lines: string): string =>
  file(`${issuer}  claimValidationRules:\n${lines}${mappings}`);
const withRule = (expression: string): string => withRules(`  - expression: ${expression}\n`);
const username = (lines: string): string =>
  file(`${issuer}  claimMappings:\n    username:\n${lines}`);
const inMappings = (lines: string): string => file(issuer + mappings + lines);
const groups = (expression: string): string =>
  inMappings(`    groups:\n      expression: ${expression}\n`);
const userRule = (lines: string): string => inMappings(`  userValidationRules:\n${lines}`);
const withSecondEntry = (entry: string): string => file(issuer + mappings + entry);
const audiences = (list: string): string => file(`${issuer}${mappings}`.replace('[app]', list));

const diagnose = (text: string, release: Release = newestRelease): readonly Diagnostic[] => {
  const compilation = compile({
    source: sourceFile('file.yaml', text),
    settings: settingsFor(release),
  });
  return [...compilation.diagnostics, ...lint(compilation)];
};

const countsOf = (found: readonly Diagnostic[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
};

/** Titles of the fixes; a leading `?` marks those that a person has to choose. */
type Row = readonly [code: string, bad: string, titles: readonly string[], target?: string];

const [recorded = ''] = readFileSync(join(import.meta.dirname, 'certificates.jsonl'), 'utf8').split(
  '\n',
);
const bundle: string = JSON.parse(recorded).input.certificateAuthority;

const rows: readonly Row[] = [
  ['AG1001', username('      expression: "a:" + claims.sub\n'), ['Quote the value']],
  ['AG1001', username("      expression: claims.a ? 'a:x' : 'a:y'\n"), ['Quote the value']],
  ['AG1001', groups("[claims.role] + ['x']"), ['Quote the value']],
  [
    'AG1001',
    withRules('  - expression: has(claims.a)\n    message: @example\n'),
    ['Quote the value'],
  ],
  ['AG1001', withRules('  - expression: has(claims.a)\n    message: "open\n'), []],
  [
    'AG1001',
    `${head}jwt:\n- issuer:\n    url:https://a.example\n    audiences: [app]\n${mappings}`,
    ['Add a space after the colon'],
  ],
  [
    'AG1001',
    `${head}jwt:\n- issuer:\n    audiences:[app]\n    url: https://a.example\n${mappings}`,
    ['Add a space after the colon'],
  ],
  ['AG1001', `${head}anonymous:\n\tenabled: true\n`, ['Indent with spaces']],
  [
    'AG1002',
    '{"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthenticationConfiguration",}',
    ['Remove the comma'],
  ],
  ['AG1003', `${head}kind: AuthenticationConfiguration\n`, ['Remove it']],
  ['AG1003', `${head}kind: Other\n`, []],
  ['AG1006', 'kind: AuthenticationConfiguration\n', ['Add apiVersion: apiserver.config.k8s.io/v1']],
  [
    'AG1006',
    'apiVersion: apiserver.config.k8s.io/v1beta1\n',
    ['Add kind: AuthenticationConfiguration'],
  ],
  [
    'AG1006',
    'apiVersion: apiserver.config.k8s.io/v1\nkind:\n',
    ['Write kind: AuthenticationConfiguration'],
  ],
  [
    'AG1006',
    'kind: "" # empty\napiVersion: apiserver.config.k8s.io/v1\n',
    ['Write kind: AuthenticationConfiguration'],
  ],
  [
    'AG1006',
    '{"apiVersion": "apiserver.config.k8s.io/v1"}',
    ['Add kind: AuthenticationConfiguration'],
  ],
  [
    'AG1006',
    '# comment\nanonymous: {enabled: false}\n',
    ['Add apiVersion: apiserver.config.k8s.io/v1 and kind: AuthenticationConfiguration'],
  ],
  [
    'AG1007',
    'apiVersion: apiserver.config.k8s.io/v2\nkind: AuthenticationConfiguration\n',
    ['Write apiserver.config.k8s.io/v1'],
  ],
  [
    'AG1007',
    'apiVersion: apiserver.config.k8s.io/v2\nkind: AuthenticationConfiguration\n',
    ['Write apiserver.config.k8s.io/v1beta1'],
    '1.30',
  ],
  [
    'AG1007',
    'apiVersion: "authentication.k8s.io/v1beta1"\nkind: AuthenticationConfiguration\n',
    ['Write apiserver.config.k8s.io/v1beta1'],
  ],
  [
    'AG1007',
    'apiVersion: apiserver.config.platform.io/V1\nkind: AuthenticationConfiguration\n',
    ['Write apiserver.config.platform.io/v1'],
  ],
  [
    'AG1007',
    'apiVersion: a/b/v1\nkind: AuthenticationConfiguration\n',
    ['Write apiserver.config.k8s.io/v1'],
  ],
  [
    'AG1007',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfigurations\n',
    ['Write AuthenticationConfiguration'],
  ],
  ['AG1007', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n', []],
  ['AG1007', inMappings(''), ['Write apiserver.config.k8s.io/v1beta1'], '1.30'],
  [
    'AG1008',
    file(`${issuer.replace('audiences', 'audience')}${mappings}`),
    ['Rename to audiences'],
  ],
  ['AG1008', file(`${issuer.replace('url', "'URL'")}${mappings}`), ['Rename to url']],
  ['AG1008', withIssuerLines('    URL: https://b.example\n'), []],
  [
    'AG1009',
    '{"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthenticationConfiguration", "anonymous": {"enabled": true, "enabled": true}}',
    ['Remove it'],
  ],
  [
    'AG1009',
    '{"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AuthenticationConfiguration", "anonymous": {"enabled": true, "enabled": false}}',
    [],
  ],
  ['AG1010', username('      claim: 017\n      prefix: "a:"\n'), ['Quote the value']],
  ['AG1010', inMappings('    groups: {expression: [claims.role]}\n'), ['Quote the value']],
  ['AG1010', `${head}anonymous: {enabled: "yes"}\n`, ['Write true']],
  ['AG1010', audiences('app'), ['Convert to a list']],
  ['AG1010', audiences('"app, web"'), ['Convert to a list']],
  ['AG1010', audiences('app, web'), []],
  [
    'AG1010',
    `${head}jwt:\n  issuer:\n    url: https://a.example\n    audiences: [app]\n  claimMappings:\n    username: {claim: sub, prefix: 'a:'}\n`,
    ['Convert to a list'],
  ],
  [
    'AG1010',
    `${head}jwt: {issuer: {url: https://a.example, audiences: [app]}, claimMappings: {username: {claim: sub, prefix: 'a:'}}}\n`,
    ['Convert to a list'],
  ],
  ['AG1012', withSecondEntry(issuer + mappings), ['Remove it']],
  ['AG1012', withSecondEntry(issuer.replace('[app]', '[web]') + mappings), []],
  [
    'AG1013',
    withSecondEntry(
      `${issuer.replace('a.example', 'b.example')}    discoveryURL: https://c.example/x\n${mappings}`,
    ).replace(
      '    audiences: [app]\n',
      '    audiences: [app]\n    discoveryURL: https://c.example/x\n',
    ),
    [],
  ],
  [
    'AG1013',
    withSecondEntry(issuer + mappings).replaceAll(
      '    audiences: [app]\n',
      '    audiences: [app]\n    discoveryURL: https://c.example/x\n',
    ),
    ['Remove it'],
  ],
  ['AG1016', withUrl('" https://a.example"'), ['Remove the spaces']],
  ['AG1017', withUrl('http://a.example'), ['?Use https']],
  ['AG1017', withUrl('a.example'), ['Use https']],
  ['AG1017', withUrl('ftp://a.example'), []],
  ['AG1018', withUrl("'https://jane:x@a.example'"), ['Remove username and password']],
  ['AG1019', withUrl('https://a.example?b=c'), ['?Remove the query']],
  ['AG1020', withUrl('https://a.example#b'), ['Remove the fragment']],
  ['AG1021', withIssuerLines('    discoveryURL: https://a.example/\n'), ['Remove discoveryURL']],
  [
    'AG1021',
    file(
      `- issuer: {url: https://a.example, discoveryURL: https://a.example, audiences: [app]}\n${mappings}`,
    ),
    ['Remove discoveryURL'],
  ],
  [
    'AG1021',
    file(
      `- issuer: {discoveryURL: https://a.example, url: https://a.example, audiences: [app]}\n${mappings}`,
    ),
    ['Remove discoveryURL'],
  ],
  [
    'AG1021',
    file(
      `- issuer:\n    discoveryURL: https://a.example # same\n    url: https://a.example\n    audiences: [app]\n${mappings}`,
    ),
    ['Remove discoveryURL'],
  ],
  ['AG1023', audiences("[app, '']\n    audienceMatchPolicy: MatchAny"), ['?Remove it']],
  ['AG1024', audiences('[app, app]\n    audienceMatchPolicy: MatchAny'), ['Remove it']],
  [
    'AG1024',
    audiences('\n    - app # one\n    # two\n    - app # again\n    audienceMatchPolicy: MatchAny'),
    ['Remove it'],
  ],
  ['AG1025', audiences('[app, web]'), ['Add audienceMatchPolicy: MatchAny']],
  ['AG1025', audiences('\n    - app\n    - web'), ['Add audienceMatchPolicy: MatchAny']],
  [
    'AG1039',
    username('      claim: >-\n        sub\n'),
    ['?Add prefix: "oidc:"', '?Add prefix: ""'],
  ],
  ['AG1025', audiences('[app]\n    audienceMatchPolicy: "any"'), ['Set MatchAny']],
  [
    'AG1026',
    withIssuerLines(`    certificateAuthority: ${Buffer.from(bundle).toString('base64')}\n`),
    ['Convert to PEM'],
  ],
  [
    'AG1026',
    withIssuerLines(
      `    certificateAuthority: >\n      ${bundle.replaceAll('\n', '\n      ').trimEnd()}\n`,
    ),
    ['Convert to PEM'],
  ],
  [
    'AG1026',
    file(
      `- issuer: {url: https://a.example, audiences: [app], certificateAuthority: '${Buffer.from(bundle).toString('base64')}'}\n${mappings}`,
    ),
    ['Convert to PEM'],
  ],
  ['AG1026', withIssuerLines('    certificateAuthority: /etc/ca.pem\n'), []],
  [
    'AG1028',
    withIssuerLines('    egressSelectorType: elsewhere\n'),
    ['?Remove egressSelectorType'],
  ],
  [
    'AG3002',
    withIssuerLines('    egressSelectorType: controlplane\n'),
    ['?Remove egressSelectorType'],
  ],
  [
    'AG1029',
    withRules("  - claim: hd\n    requiredValue: x\n    expression: claims.hd == 'x'\n"),
    ['?Split into two rules'],
  ],
  [
    'AG1031',
    withRules('  - claim: hd\n    requiredValue: x\n    message: not ours\n'),
    ['Remove message'],
  ],
  [
    'AG1031',
    withRules('  - message: not ours\n    claim: hd\n    requiredValue: x\n'),
    ['Remove message'],
  ],
  [
    'AG1031',
    withRules('  - {message: not ours, claim: hd, requiredValue: x}\n'),
    ['Remove message'],
  ],
  [
    'AG1031',
    withRules('  - claim: hd\n    requiredValue: x\n    message: |\n      not\n      ours\n'),
    ['Remove message'],
  ],
  [
    'AG1032',
    withRules('  - claim: hd\n    requiredValue: x\n  - claim: hd\n    requiredValue: x\n'),
    ['Remove it'],
  ],
  [
    'AG1032',
    withRules('  - claim: hd\n    requiredValue: x\n  - claim: hd\n    requiredValue: y\n'),
    [],
  ],
  [
    'AG1033',
    withRules("  - expression: claims.hd == 'x'\n    requiredValue: x\n"),
    ['?Remove requiredValue'],
  ],
  [
    'AG1034',
    withRules("  - expression: claims.hd == 'x'\n  - expression: claims.hd == 'x'\n"),
    ['Remove it'],
  ],
  [
    'AG1034',
    withRules(
      "  - expression: claims.hd == 'x'\n    message: a\n  - expression: claims.hd == 'x'\n    message: b\n",
    ),
    ['?Remove it'],
  ],
  [
    'AG1034',
    userRule("  - expression: user.username != 'x'\n  - expression: user.username != 'x'\n"),
    ['Remove it'],
  ],
  [
    'AG1036',
    username("      claim: sub\n      prefix: 'a:'\n      expression: '''a:'' + claims.sub'\n"),
    ['?Remove claim and prefix', '?Remove expression'],
  ],
  [
    'AG1038',
    username("      expression: '''a:'' + claims.sub'\n      prefix: ''\n"),
    ['Remove prefix'],
  ],
  [
    'AG1038',
    username("      expression: '''a:'' + claims.sub'\n      prefix: 'b:'\n"),
    ['?Move the prefix into the expression'],
  ],
  [
    'AG1038',
    username("      expression: '''b:'' + claims.sub'\n      prefix: 'b:'\n"),
    ['?Remove prefix'],
  ],
  [
    'AG1038',
    username("      expression: claims.b_name + 'b'\n      prefix: 'b'\n"),
    ['?Move the prefix into the expression'],
  ],
  ['AG1038', inMappings("    groups:\n      expression: claims.groups\n      prefix: 'b:'\n"), []],
  [
    'AG1039',
    username('      claim: sub\n').replace(mappings, ''),
    ['?Add prefix: "oidc:"', '?Add prefix: ""'],
  ],
  [
    'AG1039',
    file(`${issuer}  claimMappings: {username: {claim: sub}}\n`),
    ['?Add prefix: "oidc:"', '?Add prefix: ""'],
  ],
  ['AG1039', username('      claim: sub\n      prefix: null\n'), []],
  ['AG1041', inMappings('    extra: [{key: a.b/C, valueExpression: claims.x}]\n'), ['Write a.b/c']],
  ['AG1041', inMappings('    extra: [{key: K8s.io/c, valueExpression: claims.x}]\n'), []],
  [
    'AG1043',
    inMappings(
      '    extra:\n    - key: a.b/c\n      valueExpression: claims.x\n    - key: a.b/c\n      valueExpression: claims.x\n',
    ),
    ['Remove it'],
  ],
  [
    'AG1043',
    inMappings(
      '    extra:\n    - key: a.b/c\n      valueExpression: claims.x\n    - key: a.b/c\n      valueExpression: claims.y\n',
    ),
    [],
  ],
  [
    'AG1045',
    username("      expression: '''a:'' + claims.email'\n"),
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    `${username("      expression: '''a:'' + claims.email'\n")}  claimValidationRules:\n  - expression: has(claims.hd)\n`,
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    `${username("      expression: '''a:'' + claims.email'\n")}  claimValidationRules:\n    - {expression: has(claims.hd)}\n`,
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    `${username("      expression: '''a:'' + claims.email'\n")}  claimValidationRules: [{expression: has(claims.hd)}]\n`,
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    `${username("      expression: '''a:'' + claims.email'\n")}  claimValidationRules: []\n`,
    [],
  ],
  [
    'AG1045',
    file(
      `- {issuer: {url: https://a.example, audiences: [app]}, claimMappings: {username: {expression: '"a:" + claims.email'}}}\n`,
    ),
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url: 'https://a.example', audiences: ['a'] },
          claimMappings: { username: { expression: '"a:" + claims.email' } },
        },
      ],
    }),
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  [
    'AG1045',
    file(
      `- issuer:\n    audiences: [app]\n    url: https://a.example\n    certificateAuthority: |\n      ${bundle.replaceAll('\n', '\n      ').trimEnd()}\n  claimMappings:\n    username:\n      expression: "'a:' + claims.email"\n`,
    ),
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  ['AG2001', withRule("clams.hd == 'x'"), ['Write claims']],
  [
    'AG2001',
    withRule('>-\n      claims.hd.startWith("x") &&\n      claims.b == "y"'),
    ['Write startsWith'],
  ],
  ['AG2001', withRule("claims.hd = 'x'"), ['Write ==']],
  ['AG2001', withRule("claims.hd == 'x' and not (claims.b == 'y')"), ['Write &&, !']],
  ['AG2001', withRule("not claims.a && claims.b == 'y'"), ['?Write !']],
  ['AG2001', username('      expression: claims.a | claims.b\n'), []],
  ['AG2001', withRule('"claims.hd === \\"x = y\\""'), ['Write ==']],
  ['AG2001', withRule("'claims.a == ''x'' | claims.b == ''y'''"), ['Write ||']],
  ['AG2001', withRule('claims.hd == “x”'), ['Write "']],
  ['AG2001', groups('claims.cognito:groups'), ['Write ["cognito:groups"]']],
  ['AG2001', groups('"claims.cognito:groups"'), ["Write ['cognito:groups']"]],
  ['AG2001', groups('claims.my-groups'), ['Write ["my-groups"]']],
  ['AG2001', groups('claims.https://a.example/roles'), ['Write ["https://a.example/roles"]']],
  ['AG2001', withRule("claims.email.toLowerCase().endsWith('@a.example')"), ['Write lowerAscii']],
  ['AG2001', withRule('claims.hd.match("^a")'), ['Write matches']],
  ['AG2001', withRule('claims.hd.test("^a")'), ['Write matches']],
  ['AG2001', withRule(`"'^a'.test(claims.hd)"`), ["Write claims.hd.matches('^a')"]],
  [
    'AG2001',
    withRule(`"claims.a == 'b' && r'^\\\\d'.test( claims.hd )"`),
    ["Write claims.hd.matches(r'^\\d')"],
  ],
  ['AG2001', withRule('len(claims.groups) > 0'), ['Write size']],
  ['AG2001', withRule('"\'admins\' in groups"'), ['Write claims.groups']],
  ['AG2001', withRule("department == 'x'"), ['?Write claims.department']],
  ['AG2001', userRule("  - expression: username != 'root'\n"), ['Write user.username']],
  ['AG2001', withRule('claims.a.b('), []],
  ['AG2002', withRule('claims.email_verified'), ['Compare with true']],
  ['AG2002', withRule('claims.?admin.orValue(false)'), ['Compare with true']],
  ['AG2002', withRule('claims.admin'), ['?Compare with true']],
  ['AG2002', withRule('"\'x\'"'), []],
  ['AG4001', groups("claims.roles.split(',')"), ['Append .map(r, r)']],
  ['AG4001', groups("claims.roles.split(',') + []"), ['Append .map(r, r)']],
  [
    'AG4001',
    inMappings("    groups: {expression: claims.roles.split('x')}\n"),
    ['Append .map(r, r)'],
  ],
  ['AG4002', withRule("'''hd'' in claims'"), ['Use has(claims.hd)']],
  [
    'AG4002',
    withRule("'''cognito:groups'' in claims'"),
    ['Use claims[?"cognito:groups"].hasValue()'],
  ],
  ['AG4002', withRule('size(claims) > 3'), []],
  ['AG4003', withRule('claims.n % 2 == 0'), ['Wrap in int()']],
  ['AG4003', withRule('claims.a.n + 1 > 3.0'), ['Write 1.0']],
  ['AG4004', groups("'[1, 2]'"), ['Convert the items to strings']],
  ['AG4004', groups("'[1.5, 2.5]'"), []],
  ['AG4004', groups('claims.level > 3'), []],
  ['AG4004', groups("claims.roles.contains('admin')"), ['?Write … ? ["admin"] : []']],
  ['AG4004', groups('"\'admin\' in claims.roles"'), ["?Write … ? ['admin'] : []"]],
  [
    'AG4004',
    groups("dyn(claims.roles).exists(r, r == 'ops team')"),
    ['?Write … ? ["ops team"] : []'],
  ],
  ['AG4004', groups("dyn(claims.roles).all(r, r == 'admin')"), []],
  ['AG4004', groups('"\'admin\' in (claims.roles)"'), ["?Write … ? ['admin'] : []"]],
  ['AG4004', groups('"\'system:masters\' in claims.roles"'), []],
  ['AG4004', groups("claims.role != 'guest'"), []],
  ['AG4004', groups('"!(claims.role == \'guest\')"'), []],
  ['AG4004', groups("claims.email.contains('@a.example')"), []],
  ['AG4004', username("      expression: claims.role == 'admin'\n"), []],
  ['AG4004', inMappings("    uid: {expression: claims.role == 'admin'}\n"), []],
  ['AG4004', username('      expression: int(claims.number)\n'), ['Wrap in string()']],
  ['AG4004', username('      expression: size(claims.groups)\n'), []],
  ['AG4004', username('      expression: double(claims.number)\n'), []],
  ['AG4004', username('      expression: timestamp(claims.since)\n'), []],
  [
    'AG4004',
    inMappings("    extra: [{key: example.com/admin, valueExpression: claims.role == 'admin'}]\n"),
    ['Wrap in string()'],
  ],
  ['AG4004', groups('claims.?groups'), ['Append .orValue([])']],
  ['AG4004', inMappings('    groups: {expression: claims.?groups}\n'), ['Append .orValue([])']],
  ['AG4004', groups("'{1: 2}'"), []],
  [
    'AG4008',
    username("      expression: \"'a:' + claims['email']\"\n"),
    [
      'Add the claim validation rule claims.?email_verified.orValue(false) == true',
      '?Add the claim validation rule claims.?email_verified.orValue(true) == true',
    ],
  ],
  ['AG4035', `${file('').replace('/v1\n', '/v1beta1\n')}`, ['?Write v1']],
  [
    'AG4037',
    file(`${issuer}  claimValidationRules:\n  - expression: claims.type != 'guest'\n${mappings}`),
    ['?Accept tokens without type'],
  ],
  [
    'AG4026',
    inMappings("    groups: {claim: groups, prefix: ''}\n"),
    ["?Add the user validation rule user.groups.all(group, !group.startsWith('system:'))"],
  ],
  [
    'AG1008',
    file(`${issuer}${mappings.replaceAll(/^/gm, '  ').trimEnd()}\n`),
    ['Move claimMappings out of issuer'],
  ],
  [
    'AG1008',
    file(
      `- issuer:\n    url: https://a.example\n    # The users.\n    claimMappings:\n      username:\n        claim: sub # the subject\n\n        prefix: 'a:'\n    audiences: [app]\n`,
    ),
    ['Move claimMappings out of issuer'],
  ],
  [
    'AG1008',
    file(
      `${issuer}${mappings.replaceAll(/^/gm, '  ').trimEnd()}\n    userValidationRules:\n    - expression: user.username != 'x'\n`,
    ),
    ['Move claimMappings, userValidationRules out of issuer'],
  ],
  [
    'AG1008',
    file(`- issuer:\n  url: https://a.example\n  audiences:\n  - app\n${mappings}`),
    ['Move url, audiences into issuer'],
  ],
  [
    'AG1008',
    file(`${issuer}  username:\n    claim: sub\n    prefix: 'a:'\n`),
    ['Move username into claimMappings'],
  ],
  [
    'AG1008',
    file(`${issuer}  claimMappings:\n  username: {claim: sub, prefix: 'a:'}\n`),
    ['Move username into claimMappings'],
  ],
  ['AG1008', username('    claim: sub\n    prefix: "a:"\n'), ['Move claim, prefix into username']],
  ['AG1008', withIssuerLines('    uid: {claim: sub}\n'), ['Move uid into claimMappings']],
  [
    'AG1008',
    withRules('  - claim: hd\n  requiredValue: x\n'),
    ['Move requiredValue into claimValidationRules'],
  ],
  ['AG1008', `${withIssuerLines('')}  anonymous: {enabled: true}\n`, []],
  [
    'AG1008',
    file(
      `- {issuer: {url: https://a.example, audiences: [app], claimMappings: {username: {claim: sub, prefix: 'a:'}}}}\n`,
    ),
    [],
  ],
  ['AG1008', withIssuerLines("    claimMappings: {username: {claim: sub, prefix: 'b:'}}\n"), []],
  [
    'AG4010',
    username('      claim: sub\n      prefix: ""\n'),
    ["?Add the user validation rule !user.username.startsWith('system:')"],
  ],
  ['AG4024', inMappings('').replace('k8s.io', 'platform.io'), ['?Write apiserver.config.k8s.io']],
  [
    'AG4023',
    inMappings('anonymous:\n  enabled: true\n  conditions:\n  - path: livez\n'),
    ['Add the slash'],
  ],
  [
    'AG4041',
    audiences('[app] # CHANGE ME: audience, the client ID'),
    ['?Remove the comment, because the value has been replaced'],
  ],
  ['AG4011', `${inMappings('')}---\nkind: x\n`, ['?Remove the ignored document']],
  [
    'AG4012',
    withRules('  - claim: email_verified\n    requiredValue: "true"\n'),
    ['Write expression: claims.email_verified == true'],
  ],
  [
    'AG4012',
    withRules('  - {claim: amr, requiredValue: mfa}\n'),
    ["Write expression: 'mfa' in claims.amr"],
  ],
  ['AG4012', withRules('  - {claim: exp, requiredValue: "1"}\n'), []],
  [
    'AG4013',
    groups('claims.preferred_username'),
    ['Read it as claims.?preferred_username.orValue([])'],
  ],
  [
    'AG4013',
    inMappings('    uid: {expression: claims.preferred_username}\n'),
    ['Read it as claims.?preferred_username.orValue("")'],
  ],
  [
    'AG4015',
    username(
      "      expression: '''a:'' + claims.email'\n  claimValidationRules:\n  - expression: (claims.email_verified || true) && claims.email.endsWith('@a.example')\n",
    ),
    [
      "Write ((claims.email_verified || true) && claims.email.endsWith('@a.example')) && claims.?email_verified.orValue(false) == true",
      "?Write ((claims.email_verified || true) && claims.email.endsWith('@a.example')) && claims.?email_verified.orValue(true) == true",
    ],
  ],
  [
    'AG4015',
    username(
      "      expression: '''a:'' + claims.email'\n  claimValidationRules:\n  - expression: claims.email_verified || true\n",
    ),
    [
      'Write claims.?email_verified.orValue(false) == true',
      '?Write claims.?email_verified.orValue(true) == true',
    ],
  ],
  ['AG4018', withRule("string(claims.exp) != ''"), ['Wrap in int()']],
  ['AG4019', withRule("claims.a.b.orValue('') != ''"), ['Read the claim with a question mark']],
];

/** Files in which a fix would make things worse. */
const unsafeToFix: readonly (readonly [code: string, bad: string])[] = [
  // Which of the two is meant to have a value is not known.
  ['AG1006', 'apiVersion: apiserver.config.k8s.io/v1\nkind:\njwt: []\n---\nkind:\n'],
  // The dash would be further left than its key.
  ['AG1010', inMappings('  userValidationRules:\n   expression: user.username != "x"\n')],
  // Entries that cannot be read look like duplicates.
  ['AG1012', file('- issuer:\n- issuer:\n')],
  // A suggestion that leaves the error is a choice.
  ['AG2001', withRule('claims.?a.orue(true) == true')],
];

test.each(unsafeToFix)('%s has no certain fix in %j', (code, bad) => {
  const found = diagnose(bad).filter((one) => one.code === code);
  expect(found).not.toEqual([]);
  expect(found.flatMap(({ fixes }) => fixes.filter(({ choice }) => choice === undefined))).toEqual(
    [],
  );
});

test('no fix adds or removes lines of broken text', () => {
  const text = `${username('      claim: sub\n')}    groups:\n  - }\n`;
  const found = diagnose(text);
  expect(found.map(({ code }) => code)).toContain('AG1001');
  for (const { fixes } of found) {
    for (const { edits } of fixes) {
      expect(applyEdits(text, edits).split('\n')).toHaveLength(text.split('\n').length);
    }
  }
});

/** Codes without a fix, because only the author knows the answer. */
const withoutFix: readonly string[] = [
  // Limits, or too little text.
  'AG1004',
  'AG1005',
  'AG1011',
  // Names and addresses that are not in the file.
  'AG1014',
  'AG1015',
  'AG1022',
  'AG1030',
  'AG1035',
  'AG1037',
  'AG1040',
  'AG1042',
  'AG1044',
  'AG4021',
  'AG4022',
  'AG4025',
  // A flag or a feature gate, which is not in the file.
  'AG1027',
  'AG1047',
  'AG3001',
  'AG3003',
  // More than one fix, each of which changes access.
  'AG1046',
  'AG4007',
  'AG4009',
  'AG4014',
  'AG4016',
  'AG4027',
  'AG4028',
  'AG4029',
  'AG4030',
  'AG4031',
  'AG4032',
  'AG4033',
  'AG4034',
  'AG4036',
  'AG4038',
  'AG4039',
  'AG4040',
  // Fields of another file: a test file.
  'AG3201',
  'AG3202',
  // The intended constant, fields or character.
  'AG2003',
  'AG4005',
  'AG4017',
  'AG4020',
];

const releaseOf = (target: string | undefined): Release =>
  (target === undefined ? undefined : parseRelease(target)) ?? newestRelease;

const cases = rows.flatMap(([code, bad, titles, target]) => [
  { code, bad, titles, release: releaseOf(target), lines: 'LF' },
  { code, bad: bad.replaceAll('\n', '\r\n'), titles, release: releaseOf(target), lines: 'CRLF' },
]);

describe('an applied fix removes its diagnostic and adds no other', () => {
  test.each(cases)('$code $lines $titles', ({ code, bad, titles, release }) => {
    const before = diagnose(bad, release);
    const found = before.filter((one) => one.code === code);
    expect(found).not.toEqual([]);
    expect(found[0]?.fixes.map(({ title, choice }) => (choice ? `?${title}` : title))).toEqual(
      titles,
    );
    for (const diagnostic of found) {
      const { fixes } = diagnostic;
      const automatic = automaticFix(diagnostic);
      if (automatic !== undefined)
        expect(accessChangesOf(bad, applyEdits(bad, automatic.edits))).toEqual([]);
      for (const { edits } of fixes) {
        const after = countsOf(diagnose(applyEdits(bad, edits), release));
        const counts = countsOf(before);
        expect(after.get(code) ?? 0).toBeLessThan(counts.get(code) ?? 0);
        for (const [other, count] of after) {
          // The advice about the whole file is reported once it can be decoded.
          if (other === 'AG4033' || other === 'AG4035') continue;
          // A negated claim is advised about once the expression can be compiled.
          if (other === 'AG4037' && code === 'AG2001') continue;
          // The API domain is known only after the version was fixed.
          if (other === 'AG4024' && code === 'AG1007') continue;
          // The advice about names and groups is reported once the mapping has no error.
          if ((other === 'AG4010' || other === 'AG4026') && code === 'AG1039') continue;
          expect([other, count <= (counts.get(other) ?? 0)]).toEqual([other, true]);
        }
      }
    }
  });
});

test('fixes preserve line breaks', () => {
  for (const { bad, release, lines } of cases) {
    for (const { fixes } of diagnose(bad, release)) {
      for (const { edits } of fixes) {
        const fixed = applyEdits(bad, edits);
        const lone = fixed.replaceAll('\r\n', '').includes(lines === 'LF' ? '\r' : '\n');
        expect([fixed, lone]).toEqual([fixed, false]);
      }
    }
  }
});

test('every code about a file has a fix in the table, or is known to have none', () => {
  const fixed = new Set(rows.flatMap(([code, , titles]) => (titles.length > 0 ? code : [])));
  const codes = catalog.flatMap(({ code, source }) =>
    code < 'AG5' && source !== 'settings' ? [code] : [],
  );
  expect(codes.filter((code) => !fixed.has(code))).toEqual(withoutFix.toSorted());
});

describe('in every recorded configuration', () => {
  const recordings = readFileSync(
    join(import.meta.dirname, '../../conformance/config-validation.jsonl'),
    'utf8',
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).input.config)
    .filter((text): text is string => typeof text === 'string' && text.length < 20_000);
  const errorsIn = (text: string): number =>
    diagnose(text).filter(({ severity }) => severity === 'error').length;

  test('a certain fix removes an error, or reveals one that it hid', () => {
    let made = 0;
    for (const text of recordings) {
      const before = diagnose(text);
      const errors = before.filter(({ severity }) => severity === 'error').length;
      for (const { code, fixes } of before) {
        for (const { edits, choice } of fixes) {
          if (choice) continue;
          const after = diagnose(applyEdits(text, edits));
          made += 1;
          // Errors that the syntax error hid may appear.
          if (code >= 'AG1011')
            expect(after.filter((one) => one.severity === 'error').length).toBeLessThanOrEqual(
              errors,
            );
          expect(countsOf(after).get(code) ?? 0).toBeLessThan(countsOf(before).get(code) ?? 0);
        }
      }
    }
    expect(made).toBeGreaterThan(80);
  });

  test('applying all fixes ends, adds no errors, and leaves no certain fix', () => {
    let fixed = 0;
    for (const text of recordings) {
      const edits = fixAll(compile({ source: sourceFile('file.yaml', text) }));
      const after = applyEdits(text, edits);
      if (edits.length > 0) fixed += 1;
      expect(errorsIn(after)).toBeLessThanOrEqual(errorsIn(text));
      expect([after, fixAll(compile({ source: sourceFile('file.yaml', after) }))]).toEqual([
        after,
        [],
      ]);
    }
    expect(fixed).toBe(49);
  });
});
