/**
 * Configurations with the mistakes that a first user makes: `authgraph check` exits with the right
 * code, and each problem has a fix or an explanation.
 */
import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../engine/src/diagnostics/json.ts';
import { providers } from '../../engine/src/providers/registry.ts';
import { applyEdits } from '../../engine/src/source/text-edit.ts';
import { runCaptured } from '../support/captured-io.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const issuer = 'jwt:\n- issuer:\n    url: https://issuer.example\n    audiences: [app]\n';
const username = "  claimMappings:\n    username: {claim: sub, prefix: 'oidc:'}\n";
const good = `${head}${issuer}${username}`;
const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '  ');

interface Mistake {
  readonly name: string;
  readonly text: string;
  readonly args?: readonly string[];
  readonly code: 0 | 1;
  /** Codes in the order of the report. */
  readonly codes: readonly string[];
  /** Parts of the text output. */
  readonly shows: readonly (string | RegExp)[];
  /** The title of the first fix of the first problem. */
  readonly fix?: string;
}

const mistakes: readonly Mistake[] = [
  {
    name: 'a username without a prefix',
    text: good.replace(", prefix: 'oidc:'", ''),
    code: 1,
    codes: ['AG1039'],
    shows: [
      'error[AG1039] jwt[0].claimMappings.username.prefix: prefix is required when claim is set',
    ],
    fix: 'Add prefix: "oidc:"',
  },
  {
    name: 'groups without a prefix',
    text: `${good}    groups: {claim: groups}\n`,
    code: 1,
    codes: ['AG1039'],
    shows: ['a token with the group system:masters gets full control of the cluster'],
    fix: 'Add prefix: "oidc:"',
  },
  {
    name: 'groups with an empty prefix',
    text: `${good}    groups: {claim: groups, prefix: ''}\n`,
    code: 0,
    codes: ['AG4026'],
    shows: [
      /^warning\[AG4026\] jwt\[0\]\.claimMappings\.groups\.prefix: a token can put its user into system:masters/,
    ],
    fix: "Add the user validation rule user.groups.all(group, !group.startsWith('system:'))",
  },
  {
    name: 'groups with an empty prefix, where warnings fail',
    text: `${good}    groups: {claim: groups, prefix: ''}\n`,
    args: ['--fail-on', 'warning'],
    code: 1,
    codes: ['AG4026'],
    shows: [],
  },
  {
    name: 'claims without has()',
    text: `${good}    groups: {expression: claims.realm_access.roles}\n    extra:\n    - {key: example.com/domain, valueExpression: claims.hd}\n    - {key: example.com/name, valueExpression: claims.preferred_username}\n`,
    args: ['--fail-on', 'information'],
    code: 1,
    codes: ['AG4026', 'AG4013', 'AG4013', 'AG4013'],
    shows: [
      'tokens without realm_access are rejected because of the groups',
      'Read it as claims.?hd.orValue("")',
    ],
  },
  {
    name: 'claimMappings indented too far',
    text: `${head}${issuer}${indented(username)}`,
    code: 1,
    codes: ['AG1008'],
    shows: [
      'unknown field "jwt[0].issuer.claimMappings"',
      '`claimMappings` belongs in `jwt[0]`, next to `issuer`: it is indented too far.',
    ],
    fix: 'Move claimMappings out of issuer',
  },
  {
    name: 'an issuer that is not indented far enough',
    text: good.replaceAll(/^ {4}(?=url|audiences)/gm, '  '),
    code: 1,
    codes: ['AG1008', 'AG1008'],
    shows: ['`url` belongs in `issuer`', '1 more error follows from it'],
    fix: 'Move url, audiences into issuer',
  },
  {
    name: 'a section below the wrong one',
    text: `${head}${issuer}    uid: {claim: sub}\n${username}`,
    code: 1,
    codes: ['AG1008'],
    shows: ['`uid` belongs in `claimMappings`.'],
    fix: 'Move uid into claimMappings',
  },
  {
    name: 'an arrow function',
    text: `${good}    groups: {expression: 'dyn(claims.roles).map(r => "x:" + r)'}\n`,
    code: 1,
    codes: ['AG2001', 'AG2001', 'AG2001'],
    shows: ['as in `map(g, …)`', '2 more errors follow from it'],
    fix: 'Write the variable as an argument',
  },
  {
    name: 'an email address that may not be verified',
    text: good.replace("{claim: sub, prefix: 'oidc:'}", '{expression: claims.email}'),
    code: 1,
    codes: ['AG1045', 'AG4010', 'AG4031'],
    shows: ['with `orValue(false)`, only tokens with a verified address are accepted'],
    fix: 'Add the claim validation rule claims.?email_verified.orValue(false) == true',
  },
  {
    name: 'version v1 for Kubernetes 1.30',
    text: good,
    args: ['--target-version', '1.30'],
    code: 1,
    codes: ['AG1007'],
    shows: ['added in 1.34'],
    fix: 'Write apiserver.config.k8s.io/v1beta1',
  },
  {
    name: 'a domain that kube-apiserver does not read',
    text: good.replace('k8s.io', 'platform.io'),
    code: 0,
    codes: ['AG4024'],
    shows: ['kube-apiserver does not'],
    fix: 'Write apiserver.config.k8s.io',
  },
  {
    name: 'an unknown version',
    text: good.replace('/v1', '/v2'),
    code: 1,
    codes: ['AG1007'],
    shows: [/is registered for version "apiserver\.config\.k8s\.io\/v2"\n/],
    fix: 'Write apiserver.config.k8s.io/v1',
  },
  {
    name: 'a mistake inside a ConfigMap',
    text: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: auth}\ndata:\n  auth.yaml: |\n${indented(indented(good.replace(", prefix: 'oidc:'", '')))}`,
    code: 1,
    codes: ['AG1039'],
    shows: ['--> file.yaml:13:', 'jwt[0].claimMappings.username.prefix: prefix is required'],
    fix: 'Add prefix: "oidc:"',
  },
  {
    name: 'a mistake in the flags of a kubeadm file',
    text: `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
apiServer:
  extraArgs:
  - {name: oidc-issuer-url, value: http://issuer.example}
  - {name: oidc-client-id, value: app}
`,
    code: 1,
    codes: ['AG1017'],
    shows: [
      'jwt[0].issuer.url: URL scheme must be https',
      '--> file.yaml:5:',
      'Start the URL with https://.',
    ],
  },
];

const check = (text: string, args: readonly string[] = []) =>
  runCaptured(['check', ...args, 'file.yaml'], { files: { 'file.yaml': text } });

const reportOf = async (text: string, args: readonly string[] = []): Promise<CheckReport> =>
  JSON.parse((await check(text, [...args, '--output', 'json'])).stdout);

describe('a mistake is reported with a fix or an explanation', () => {
  test.each(mistakes)('$name', async ({ text, args, code, codes, shows, fix }) => {
    const { code: exitCode, stdout } = await check(text, args);
    expect(exitCode).toBe(code);
    for (const part of shows)
      expect(stdout).toMatch(typeof part === 'string' ? escaped(part) : part);
    const { files } = await reportOf(text, args);
    const diagnostics = files.flatMap((file) => file.diagnostics);
    expect(diagnostics.map((one) => one.code)).toEqual(codes);
    for (const { help, fixes, consequenceOf } of diagnostics)
      expect(help !== '' || fixes.length > 0 || consequenceOf !== undefined).toBe(true);
    if (fix === undefined) return;
    const [first] = diagnostics;
    expect(first?.fixes[0]?.title).toBe(fix);
    const edits = (first?.fixes[0]?.edits ?? []).map(({ range, newText }) => ({
      span: { start: range.start.offset, end: range.end.offset },
      newText,
    }));
    const fixed = await reportOf(applyEdits(text, edits), args);
    const remaining = fixed.files.flatMap((file) => file.diagnostics.map((one) => one.code));
    // Only what the first fix does not concern is left.
    expect(remaining).toEqual(codes.filter((one) => one !== first?.code));
  });
});

const escaped = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));

test('no output contains a placeholder', async () => {
  for (const format of ['text', 'json', 'sarif', 'github'])
    expect((await check(good.replace('/v1', '/v9'), ['-o', format])).stdout).not.toContain(
      'scheme',
    );
});

test.each(providers.map(({ id }) => id))('the configuration of %s has no problem', async (id) => {
  const { written } = await runCaptured(['new', id]);
  const [text = ''] = written.values();
  const edited = text.replaceAll(/ # CHANGE ME: .*/g, '');
  const checked = await check(edited, ['--fail-on', 'warning']);
  expect(checked.code).toBe(0);
  // Which groups Microsoft Entra ID sends is configured there, not in the file.
  const advice = id === 'entra' ? ['AG4034'] : [];
  expect([...checked.stdout.matchAll(/\[(AG\d{4})\]/g)].map(([, code]) => code)).toEqual(advice);
});
