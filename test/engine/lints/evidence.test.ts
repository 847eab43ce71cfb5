/** A finding has an example that the graph confirms or a proof; what the search refutes is silent. */
import { describe, expect, test, vi } from 'vitest';
import { compileText } from '../../../engine/src/cli/compile-text.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import type { Diagnostic } from '../../../engine/src/diagnostics/diagnostic.ts';
import { evidenceText } from '../../../engine/src/diagnostics/evidence.ts';
import { githubAnnotations } from '../../../engine/src/diagnostics/github.ts';
import { jsonReport } from '../../../engine/src/diagnostics/json.ts';
import { renderText } from '../../../engine/src/diagnostics/render.ts';
import { sarifLog } from '../../../engine/src/diagnostics/sarif.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { ExpressionReader } from '../../../engine/src/simulate/access/expression-reader.ts';
import { advise } from '../../../engine/src/simulate/advice/advise.ts';
import { EntrySearch } from '../../../engine/src/simulate/advice/entry-search.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

interface Entry {
  readonly url?: string;
  readonly audience?: string;
  readonly username?: string;
  readonly groups?: string;
  readonly extra?: string;
  readonly rules?: readonly string[];
  readonly userRules?: readonly string[];
}

const entryText = ({
  url = 'https://issuer.example.com',
  audience = 'app',
  username = "{claim: sub, prefix: 'oidc:'}",
  groups,
  extra,
  rules = [],
  userRules = [],
}: Entry): string => `- issuer: {url: '${url}', audiences: ['${audience}']}
  claimMappings:
    username: ${username}
${groups === undefined ? '' : `    groups: ${groups}\n`}${extra === undefined ? '' : `    extra: ${extra}\n`}  claimValidationRules: [${rules.join(', ')}]
  userValidationRules: [${userRules.join(', ')}]
`;

const fileText = (...entries: readonly Entry[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
${entries.map(entryText).join('')}`;

const expression = (text: string): string => `{expression: ${JSON.stringify(text)}}`;

const findingsOf = (text: string, maxEvaluations?: number): readonly Diagnostic[] => {
  const compilation = compile({ source: sourceFile('file.yaml', text) });
  expect(compilation.diagnostics).toEqual([]);
  return maxEvaluations === undefined
    ? advise(compilation)
    : advise(compilation, undefined, { maxEvaluations });
};

/** Returns each finding with its evidence. */
const shown = (...entries: readonly Entry[]): readonly string[] =>
  findingsOf(fileText(...entries)).map(
    ({ code, evidence }) => `${code} ${evidence === undefined ? '' : evidenceText(evidence)}`,
  );

const codes = (...entries: readonly Entry[]): readonly string[] =>
  findingsOf(fileText(...entries)).map(({ code }) => code);

describe('groups', () => {
  const masters =
    'AG4026 {"iss":"https://issuer.example.com","aud":"app","sub":"jane","groups":["system:masters"]} maps to "oidc:jane" in system:masters';

  test.each([
    ['a claim without a prefix', "{claim: groups, prefix: ''}"],
    ['an expression', expression('claims.?groups.orValue([])')],
    ['a filter', expression('dyn(claims.?groups.orValue([])).filter(g, g != "x")')],
  ])('%s can be system:masters', (_, groups) => {
    expect(shown({ groups })).toEqual([masters]);
  });

  test('a prefix can become the name of the group', () => {
    expect(shown({ groups: "{claim: groups, prefix: 'system:'}" })).toEqual([
      masters.replace('["system:masters"]', '["masters"]'),
    ]);
  });

  test.each([
    ['a prefix', { groups: "{claim: groups, prefix: 'oidc:'}" }],
    ['a prefix in an expression', { groups: expression("['oidc:' + claims.team]") }],
    ['a prefix in a loop', { groups: expression("dyn(claims.g).map(g, 'oidc:' + g)") }],
    [
      'a claim rule',
      {
        groups: "{claim: groups, prefix: ''}",
        rules: [expression("dyn(claims.?groups.orValue([])).all(g, !g.startsWith('system:'))")],
      },
    ],
    [
      'a user rule',
      {
        groups: "{claim: groups, prefix: ''}",
        userRules: [expression("!user.groups.exists(g, g.startsWith('system:'))")],
      },
    ],
  ])('%s prevents it', (_, entry) => {
    expect(codes(entry)).toEqual([]);
  });

  test.each([
    [
      'that another group satisfies',
      "user.groups.join(',').contains('ops')",
      '["ops","system:masters"]',
    ],
    [
      'that the username satisfies',
      'user.groups.exists(g, user.username == g)',
      '["system:masters","oidc:jane"]',
    ],
  ])('a disjunction with a part %s does not', (_, part, claim) => {
    const groups = "{claim: groups, prefix: ''}";
    const excluded = "user.groups.all(g, !g.startsWith('system:'))";
    for (const rule of [`${excluded} || ${part}`, `(${part}) || ${excluded}`]) {
      const [finding = ''] = shown({ groups, userRules: [expression(rule)] });
      expect(finding.startsWith('AG4026 ')).toBe(true);
      for (const name of JSON.parse(claim)) expect(finding).toContain(name);
    }
  });

  test('a disjunction with a part about an extra value does not', () => {
    const userRules = [
      expression(
        "user.groups.all(g, !g.startsWith('system:')) || user.extra['example.com/t'].exists(v, v == 'break-glass')",
      ),
    ];
    const extra = `[{key: example.com/t, valueExpression: "claims.?team.orValue('')"}]`;
    const [finding = ''] = shown({ groups: "{claim: groups, prefix: ''}", extra, userRules });
    expect(finding).toMatch(/^AG4026 .*"team":"break-glass".* in system:masters$/);
  });

  test('a disjunction whose parts all exclude the group prevents it', () => {
    const none = "user.groups.all(g, !g.startsWith('system:'))";
    const userRules = [expression(`${none} || (user.groups.size() == 1 && ${none})`)];
    expect(codes({ groups: "{claim: groups, prefix: ''}", userRules })).toEqual([]);
  });

  test('a rule that names another group does not', () => {
    const userRules = [expression("!('system:nodes' in user.groups)")];
    expect(codes({ groups: "{claim: groups, prefix: ''}", userRules })).toEqual(['AG4026']);
  });
});

describe('public issuers', () => {
  const gitHub = {
    url: 'https://token.actions.githubusercontent.com',
    audience: 'https://cluster.example.com',
    username: "{claim: sub, prefix: 'github:'}",
  };
  test.each([
    ['no rule', []],
    ['a rule about the event', [expression("claims.event_name == 'push'")]],
    ['a rule that only checks for an owner', [expression('has(claims.repository_owner)')]],
    ['a rule that excludes an owner', [expression("claims.repository_owner != 'evil'")]],
    ['an alternative', [expression("claims.repository_owner == 'a' || claims.ref != 'x'")]],
    ['the end of a subject', [expression("claims.sub.endsWith(':environment:production')")]],
    ['the end of a repository', [expression("claims.repository.endsWith('/infra')")]],
    ['the beginning of an owner', [expression("claims.repository.startsWith('acme')")]],
    ['a part of a workflow', [expression("claims.workflow_ref.contains('deploy.yaml')")]],
  ])('%s accepts strangers', (_, rules) => {
    expect(codes({ ...gitHub, rules })).toEqual(['AG4029']);
  });
  test.each([
    ['an owner', ["{claim: repository_owner, requiredValue: 'octo'}"], []],
    ['a subject', [expression("claims.sub.startsWith('repo:octo/')")], []],
    ['a pattern', [expression("claims.sub.matches('^repo:octo/')")], []],
    ['a part', [expression("claims.sub.split('/')[0] == 'repo:octo'")], []],
    ['a username', [], [expression("user.username.startsWith('github:repo:octo/')")]],
  ])('%s restricts them', (_, rules, userRules) => {
    expect(codes({ ...gitHub, rules, userRules })).toEqual([]);
  });
});

test('a rule that only excludes system: names restricts no strangers', () => {
  const rules = [expression("claims.ref.matches('^[a-z]{3}[0-9]{2}$')")];
  const userRules = [expression("!user.username.startsWith('system:')")];
  const url = 'https://token.actions.githubusercontent.com';
  const username = "{claim: sub, prefix: 'github:'}";
  const text = fileText({ url, username, rules, userRules });
  expect(findingsOf(text, 1).map(({ code }) => code)).toEqual(['AG4029']);
});

test('a client restricts a shared audience', () => {
  const shared = { url: 'https://login.example.com/realms/a', audience: 'account' };
  expect(codes(shared)).toEqual(['AG4030']);
  expect(codes({ ...shared, rules: ['{claim: azp, requiredValue: kubernetes}'] })).toEqual([]);
  expect(codes({ ...shared, rules: [expression('has(claims.azp)')] })).toEqual(['AG4030']);
});

test.each([
  'https://oidc.eks.us-west-2.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
  'https://oidc-eks.eu-west-1.api.aws/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
  'https://container.googleapis.com/v1/projects/example/locations/europe-west1/clusters/blue',
])('the claims of service accounts of %s are known', (url) => {
  expect(codes({ url, username: "{claim: sub, prefix: 'blue:'}" })).toEqual([]);
  expect(codes({ url, username: "{claim: namespace, prefix: 'blue:'}" })).toEqual(['AG4038']);
  expect(codes({ url, audience: 'example.svc.id.goog' })).toEqual(['AG4030']);
});

describe('usernames of two issuers', () => {
  const other = { url: 'https://other.example.com' };
  test('are shared if a token of each becomes the same user', () => {
    expect(shown({}, other)).toEqual([
      'AG4032 {"iss":"https://other.example.com","aud":"app","sub":"jane"} maps to "oidc:jane"; {"iss":"https://issuer.example.com","aud":"app","sub":"jane"} maps to "oidc:jane"',
    ]);
  });
  test('are not shared if a rule separates them', () => {
    const ofDomain = (domain: string): Entry => ({
      rules: [expression(`claims.sub.endsWith('@${domain}')`)],
    });
    expect(codes(ofDomain('a.example'), { ...other, ...ofDomain('b.example') })).toEqual([]);
  });
});

describe('proofs', () => {
  test('a rule that never holds', () => {
    expect(shown({ rules: [expression("claims.a == 'x' && claims.a == 'y'")] })).toEqual([
      'AG4027 no claims satisfy this rule',
    ]);
  });
  test('rules that contradict each other', () => {
    const rules = ["{claim: a, requiredValue: 'x'}", expression("claims.a.startsWith('y')")];
    expect(shown({ rules })).toEqual(['AG4028 no token of this issuer is accepted']);
  });
  test('a proof is added to the finding that explains it', () => {
    expect(shown({ rules: [expression("'hd' in claims")] })).toEqual([
      'AG4002 no claims satisfy this rule',
    ]);
  });
  test('nothing is reported without a proof', () => {
    const rules = [expression("claims.a.matches('^x+$') && claims.a.lowerAscii() == 'xx'")];
    expect(codes({ rules })).toEqual([]);
  });
});

test('nothing that needs evidence is reported by the lints alone', () => {
  const text = fileText({ rules: [expression('false')], groups: expression('claims.groups') });
  expect(lint(compile({ source: sourceFile('file.yaml', text) }))).toEqual([]);
});

test('an entry after the first is examined itself, also if it refers to an anchor', () => {
  const groups = "{claim: groups, prefix: ''}";
  const found = findingsOf(
    fileText({ username: "{claim: sub, prefix: 'a:'}" }, { url: 'https://b.example', groups }),
  );
  expect(found.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'AG4026 jwt[1].claimMappings.groups.prefix',
  ]);
  const aliased = findingsOf(`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [app]}
  claimMappings: &mappings
    username: {claim: sub, prefix: ''}
    groups: {claim: groups, prefix: ''}
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
  - expression: user.groups.all(group, !group.startsWith('system:'))
- issuer: {url: https://b.example, audiences: [app]}
  claimMappings: *mappings
`);
  // The mappings are refuted for the first issuer, not for the second one.
  expect(aliased.map(({ code }) => code)).toEqual(['AG4010', 'AG4032', 'AG4026']);
});

test('an expression that costs much is not evaluated again and again', () => {
  const costly = 'lists.range(100000).map(x, x).size() > 0 ? claims.sub : ""';
  const [found] = findingsOf(fileText({ username: expression(costly) }));
  expect([found?.code, found?.evidence]).toEqual(['AG4010', { kind: 'undecided', tried: 0 }]);
});

test('examples for the parts of a disjunction leave evaluations for the search', () => {
  const parts = Array.from({ length: 20 }, (_, index) => `user.groups.size() != ${index + 1}`);
  const costly = 'lists.range(2000).map(x, x).size() > 0';
  const groups = "{claim: groups, prefix: 'oidc:'}";
  const userRules = [expression(parts.join(' || '))];
  const text = fileText({ groups, rules: [expression(costly)], userRules });
  const { graph } = compile({ source: sourceFile('file.yaml', text) });
  const [node] = graph?.nodes ?? [];
  if (graph === undefined || node === undefined) throw new Error('the file has errors');
  const target = { field: 'groups', value: 'system:masters', match: 'exact' } as const;
  const answer = new EntrySearch(node, graph, 400).becoming(target);
  expect(answer).toEqual({ kind: 'undecided', tried: 20 });
});

test('a smaller budget leaves a finding without an example', () => {
  const rules = [expression("claims.a.matches('^[a-z]{3}[0-9]$')")];
  const text = fileText({ rules, username: "{claim: sub, prefix: ''}" });
  const kindWith = (maxEvaluations?: number) =>
    findingsOf(text, maxEvaluations).find(({ code }) => code === 'AG4010')?.evidence?.kind;
  expect(kindWith(1)).toBe('undecided');
  expect(kindWith()).toBe('tokens');
});

describe('many rules', () => {
  const rulesOf = (count: number, rule: (index: number) => string): string =>
    fileText({ rules: Array.from({ length: count }, (_, index) => expression(rule(index))) });
  test('are read once for all questions', () => {
    const readsOf = (count: number): number => {
      const read = vi.spyOn(ExpressionReader.prototype, 'readAll');
      findingsOf(rulesOf(count, (index) => `claims.c${index}.matches('^[a-z]{3}${index}$')`));
      const { length } = read.mock.calls;
      read.mockRestore();
      return length;
    };
    expect(readsOf(40)).toBeLessThanOrEqual(2 * readsOf(20));
  });
  test('share one budget', () => {
    const findings = findingsOf(
      rulesOf(160, (index) => `claims.c${index} != 'x'`),
      10,
    );
    expect(findings.length).toBe(160);
    const decided = findings.filter(({ evidence }) => evidence?.kind === 'tokens');
    expect(decided.length).toBeLessThanOrEqual(100);
  });
});

test('a command searches longer than an editor', () => {
  const userRules = [
    expression("user.groups.all(g, !g.startsWith('system:')) || user.username == 'x:root'"),
  ];
  const username = "{claim: sub, prefix: 'x:'}";
  const text = fileText({ username, groups: "{claim: groups, prefix: ''}", userRules });
  const { diagnostics } = compileText('file.yaml', text, {
    settings: defaultSettings,
    limits: 'warn',
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(['AG4026']);
});

test('every output shows the evidence', () => {
  const source = sourceFile('file.yaml', fileText({ groups: "{claim: groups, prefix: ''}" }));
  const diagnostics = advise(compile({ source }));
  const reports = [{ source, diagnostics }];
  const example = 'system:masters';
  expect(renderText(reports, { color: false, width: 80 })).toContain('= example: {"iss":');
  expect(githubAnnotations(reports)).toContain('%0AExample: {"iss":');
  const json = jsonReport(reports).files[0]?.diagnostics[0];
  expect(json?.evidence).toMatchObject({ kind: 'tokens', tokens: [{ claims: { sub: 'jane' } }] });
  const tool = { version: '1', rules: [], hash: (text: string) => text };
  const sarif = JSON.stringify(sarifLog(reports, [], tool));
  expect(sarif).toContain('"properties":{"evidence":{"kind":"tokens"');
  expect(sarif).toContain(example);
});
