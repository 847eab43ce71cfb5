/** `explainMessage` explains the recorded messages of all modules, flags and permissions. */
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../engine/src/catalog.ts';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';
import {
  explainMessage,
  startsMessage,
} from '../../../engine/src/simulate/explain/explain-message.ts';
import { stagePatterns } from '../../../engine/src/simulate/explain/explain-module.ts';
import { messagesOf } from '../../../engine/src/simulate/explain/log-line.ts';
import { cases } from '../../support/cases.ts';
import { processorMs } from '../../support/processor-time.ts';

const tables = [
  'anonymous',
  'bearer',
  'bootstrap',
  'impersonation',
  'options',
  'requestheader',
  'serviceaccount',
  'stack',
  'tokencache',
  'tokencleaner',
  'tokenfile',
  'tokenrequest',
  'webhook',
  'websocket',
  'x509',
];

/** Members of a recorded result whose message also appears in lists of errors. */
const listed = new Set(['error', 'validationErrors']);

/** Members of a recorded result that contain a message of kube-apiserver. */
const members = new Set([
  ...listed,
  'loadError',
  'configError',
  'flagError',
  'newError',
  'warnings',
  'message',
  'bodyText',
]);

/** Messages of webhooks and other backends, which can be any text. */
const backendMessages = new Set(['backend failed', 'token revoked', 'bad token', 'x', '']);

interface MemberText {
  readonly text: string;
  readonly member: string;
}

const textsIn = (value: unknown, member: string): readonly MemberText[] => {
  if (typeof value === 'string') return members.has(member) ? [{ text: value, member }] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, member));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, name));
};

const recorded = new Map<string, string>();
const inLists = new Set<string>();
for (const table of tables) {
  for (const line of cases(`conformance/modules/${table}.jsonl`))
    for (const { text, member } of textsIn('expect' in line ? line.expect : undefined, '')) {
      if (backendMessages.has(text)) continue;
      recorded.set(text, recorded.get(text) ?? line.id);
      // `unknown` is also part of other messages.
      if (listed.has(member) && text !== 'unknown') inLists.add(text);
    }
}

const pages = new Set(catalog.map(({ code, name }) => `${code} ${name}`));

const extractMessages = (line: string): readonly string[] => messagesOf(line, startsMessage);

describe('every recorded message of a module', () => {
  test('there are more than 130 messages', () => {
    expect(recorded.size).toBeGreaterThan(130);
  });

  test.each([...recorded])('%s (%s)', (text) => {
    const found = extractMessages(text).map(explainMessage);
    for (const one of found) {
      expect(one, text).toBeDefined();
      for (const sentence of [one?.meaning ?? '', one?.fix ?? '']) {
        expect(sentence).toMatch(/[.?)]$/);
        expect(sentence).not.toMatch(/\{\w+\}/);
      }
      const { rejection } = one ?? {};
      if (rejection !== undefined) expect(pages).toContain(`${rejection.code} ${rejection.name}`);
    }
    expect(found.length).toBeGreaterThan(0);
  });

  test.each([...inLists])('is found in a list: %s', (text) => {
    const quoted = JSON.stringify(`[invalid bearer token, ${text}]`);
    const line = `E1121 14:00:00.123456 1 authentication.go:75] "Unable to authenticate the request" err=${quoted}`;
    expect(extractMessages(line)).toEqual(['invalid bearer token', text]);
  });
});

test.each([
  [
    'client certificates',
    'verifying certificate SN=1, SKID=, AKID=3D:1C failed: x509: certificate signed by unknown authority',
    'client-certificate',
    ['client-ca-file'],
    'AG5040',
  ],
  [
    'proxies',
    'x509: subject with cn=a, b is not in the allowed list',
    'authenticating-proxy',
    ['requestheader-allowed-names'],
    'AG5043',
  ],
  [
    'a flag in the message',
    'invalid argument "2" for "--authentication-token-webhook-cache-ttl" flag: time: missing unit in duration "2"',
    undefined,
    ['authentication-token-webhook-cache-ttl'],
    undefined,
  ],
  [
    'a header flag',
    'empty value in "requestheader-username-headers"',
    'authenticating-proxy',
    ['requestheader-username-headers'],
    undefined,
  ],
  [
    'the webhook',
    'Post "https://127.0.0.1:1/a?timeout=30s": EOF',
    'webhook-token',
    ['authentication-token-webhook-config-file'],
    'AG5060',
  ],
  ['service accounts', 'service account token has expired', 'service-account-token', [], 'AG5033'],
])('%s: module, flags and code', (_, text, module, flags, code) => {
  const found = explainMessage(text);
  expect(found?.module).toBe(module);
  expect(found?.flags).toEqual(flags);
  expect(found?.rejection?.code).toBe(code);
});

test.each([
  [
    'errors of all modules',
    '[x509: certificate signed by unknown authority, verifying certificate SN=1, SKID=, AKID= failed: x509: certificate signed by unknown authority, service account token has expired, oidc: email not verified, Post "https://h/?timeout=30s": EOF]',
    [
      'proxy-certificate-unknown-authority',
      'certificate-unknown-authority',
      'account-token-expired',
      'email-not-verified',
      'webhook-unreachable',
    ],
  ],
  [
    'a message of a webhook among known messages',
    '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive, account locked, ask the desk]',
    ['no-authenticator-took-token', 'account-signature-unknown', undefined],
  ],
  [
    'one error for each key',
    '[go-jose/go-jose: error in cryptographic primitive, go-jose/go-jose: error in cryptographic primitive]',
    ['account-signature-unknown', 'account-signature-unknown'],
  ],
  [
    'errors of conflicting flags',
    '[service-account-issuer is a required flag, empty value in "requestheader-allowed-names", authentication-config file and oidc-* flags are mutually exclusive, --secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0]',
    ['account-issuer-required', 'proxy-header-empty', 'flags-exclude-file', 'port-range'],
  ],
  [
    'an error that kubectl prints',
    'Error from server (Forbidden): users "alice" is forbidden: User "boss" cannot impersonate resource "users" in API group "" at the cluster scope',
    ['impersonation-refused'],
  ],
  [
    'an error of kubectl without a credential',
    'error: You must be logged in to the server (Unauthorized)',
    ['unauthorized'],
  ],
  [
    'a Status',
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"forbidden: User \\"system:anonymous\\" cannot get path \\"/\\"","reason":"Forbidden","code":403}',
    ['anonymous-forbidden'],
  ],
  [
    'a privilege escalation',
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "eve" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}',
    ['escalation-refused'],
  ],
])('extracts messages from %s', (_, line, kinds) => {
  expect(extractMessages(line).map((text) => explainMessage(text)?.kind)).toEqual(kinds);
});

test('explains a forbidden impersonation with the user and the missing rule', () => {
  const found = explainMessage(
    'pods "p1" is forbidden: User "boss" cannot impersonate-on:user-info:delete resource "pods" in API group "" in the namespace "default"',
  );
  expect(found?.kind).toBe('impersonation-on-refused');
  expect(found?.meaning).toContain('boss');
  expect(found?.fix).toContain('verbs ["impersonate-on:user-info:delete"]');
});

test('sentences end with punctuation, and use only groups of their pattern', () => {
  for (const { name, pattern, meaning, fix } of stagePatterns) {
    for (const sentence of [meaning, fix]) {
      expect(sentence, name).toMatch(/[.?)]$/);
      for (const [, group] of sentence.matchAll(/\{(\w+)\}/g))
        expect(pattern.source, `${name}: ${group}`).toContain(`(?<${group}>`);
    }
  }
});

test('explains hostile lines within three seconds', () => {
  const lines = [
    `users "${'\\'.repeat(60_000)}" is forbidden: User "${'\\"'.repeat(30_000)}`,
    `a is forbidden: User "${'a" cannot '.repeat(6_000)}`,
    `verifying certificate SN=${'1'.repeat(30_000)}, SKID=${'A:'.repeat(15_000)}`,
    `json: cannot unmarshal ${'into Go value of type '.repeat(2_500)}`,
    `invalid argument "${'" for "--a" flag'.repeat(4_000)}`,
    `Operation cannot be fulfilled on a "${'": the UID in the ('.repeat(3_000)}`,
    `pod UID (${') does not match claim ('.repeat(2_500)}`,
    `open ${': no such file'.repeat(4_000)}`,
    `requested [${']'.repeat(60_000)}`,
    `x is forbidden: user "${'" (groups=['.repeat(5_000)}`,
  ];
  const explainAll = (): void => {
    for (const text of lines) extractMessages(text).map(explainMessage);
  };
  expect(processorMs(explainAll, 3_000)).toBeLessThan(3_000);
});

/** Messages in the source code of kube-apiserver that no recorded result contains. */
test.each([
  ['Token has been invalidated', 'account-token-invalidated'],
  ["Token does not match server's copy", 'account-token-changed'],
  ['token issuer "https://old" is invalid', 'account-issuer-unknown'],
  [
    'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
    'account-node-gate',
  ],
  ['missing additional subprotocol', 'websocket-protocol-missing'],
  ['UID cannot be an empty string', 'certificate-uid'],
  [
    'No secret of name bootstrap-token-abcdef to match bootstrap bearer token',
    'bootstrap-secret-missing',
  ],
  [
    'Bootstrap secret kube-system/bootstrap-token-abcdef matching bearer token not marked usage-bootstrap-authentication=true.',
    'bootstrap-secret-unfit',
  ],
  [
    'userextras.authentication.k8s.io is forbidden: User "b" cannot impersonate:user-info resource "userextras" in API group "authentication.k8s.io" at the cluster scope: impersonating a non-lowercase key in extra is not allowed: "Ab"',
    'impersonation-forbidden-value',
  ],
  [
    'the UID in the token request (a) does not match the UID of the service account (b) but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error',
    'token-request-uid-mismatch',
  ],
  [
    'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
    'token-request-node-gate',
  ],
  [
    "duplicate token has been found in token file 't.csv', record number '2'",
    'token-file-duplicate',
  ],
  ['unable to load client CA file: open ca.crt: permission denied', 'authority-bundle-unreadable'],
])('%s is %s', (text, kind) => {
  expect(explainMessage(text)?.kind).toBe(kind);
});

/** Problems that AuthGraph's own server reports for its flags. */
test.each([
  ['--feature-gates=Bogus=true', '--secure-port=0', '--tls-cert-file=a.crt'],
  ['--oidc-issuer-url=https://a', '--service-account-issuer=a:b:c', '--service-account-issuer='],
  ['--requestheader-username-headers=', '--requestheader-allowed-names= ,a'],
  ['--service-account-jwks-uri=http://x', '--service-account-max-token-expiration=1m'],
  ['--store=etcd', '--store-max-staleness=1ms'],
  ['--rbac-file=', '--authorization-mode=AlwaysAllow'],
  ['--target-version=1.2', '--token-review-open=x', '--webhook-path=/api'],
  ['--nope', '-x', '--anonymous-auth=maybe', '--secure-port'],
  ['--feature-gates=AnonymousAuthConfigurableEndpoints=false', '--target-version=1.35'],
  ['--feature-gates=ServiceAccountTokenNodeBindingValidation=false', '--target-version=1.31'],
  ['--runtime-config=api/all=false'],
  ['--runtime-config=foo'],
  ['--runtime-config=api/beta=1'],
  ['--runtime-config=authentication.k8s.io/v9'],
  ['--runtime-config=authentication.k8s.io/v1beta1=x'],
  ['--runtime-config=authentication.k8s.io/v1beta1/A=true'],
  ['--runtime-config=api/ga=false'],
])('explains the problems of the flag %s', (...args) => {
  const read = readServeOptions(args);
  const problems = read.kind === 'problems' ? read.problems : [];
  expect(problems).not.toEqual([]);
  for (const { message } of problems) expect(explainMessage(message), message).toBeDefined();
});
