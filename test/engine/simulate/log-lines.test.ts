/**
 * `authgraph explain` recognizes the lines of log-lines.jsonl as they were printed: by kube-apiserver and kubectl,
 * which were built from their Go modules (releases 1.30 and 1.36) and run with broken configurations, flags, tokens and certificates, and by the
 * code of each release, which the recorded cases of test/conformance contain. `source` says which.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../engine/src/catalog.ts';
import { releaseName, releases } from '../../../engine/src/model/release.ts';
import { explainLog } from '../../../engine/src/simulate/explain/explain-log.ts';
import { runCaptured } from '../../support/captured-io.ts';

interface LogLine {
  readonly id: string;
  readonly release: string;
  readonly source: string;
  readonly line: string;
  /** Kinds of messages, with their codes if they have one. */
  readonly expected: readonly string[];
}

const table: readonly LogLine[] = readFileSync(join(import.meta.dirname, 'log-lines.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const kindsOf = (text: string): readonly string[] =>
  explainLog(text, undefined).messages.map(({ explanation: { kind, rejection } }) =>
    rejection === undefined ? kind : `${kind} ${rejection.code}`,
  );

test('there are at least 60 different lines, of every release, at startup and at request time', () => {
  expect(new Set(table.map(({ line }) => line)).size).toBeGreaterThanOrEqual(60);
  const seen = new Set(table.map(({ release }) => release.split('.').slice(0, 2).join('.')));
  expect([...seen].toSorted()).toEqual(releases.map(releaseName).toSorted());
  for (const source of ['stderr at startup', 'stderr at a request', 'stderr at a reload'])
    expect(table.some((one) => one.source === source)).toBe(true);
});

const codes = new Set(catalog.map(({ code }) => code));

test.each(table.map((one) => [`${one.id} ${one.release}`, one] as const))(
  'explains %s',
  async (_, { line, expected }) => {
    const { code, stdout, stderr } = await runCaptured(['explain', line]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('To fix it:');
    expect(kindsOf(line)).toEqual(expected);
    for (const kind of expected) {
      const found = / (AG\d{4})$/.exec(kind)?.[1];
      if (found !== undefined) expect(codes).toContain(found);
    }
  },
);

const klog = table.filter(
  ({ source, line }) => source.startsWith('stderr') && /^E\d{4} /.test(line),
);

describe.each<[string, (line: string) => string]>([
  ['the CRI log format', (line) => `2026-11-27T09:19:46.973241Z stderr F ${line}`],
  ['kubectl logs --timestamps', (line) => `2026-11-27T09:19:46.973241+00:00 ${line}`],
  ['kubectl logs --prefix', (line) => `[pod/kube-apiserver-node-1/kube-apiserver] ${line}`],
  ['journald', (line) => `Nov 27 09:19:46 node-1 kube-apiserver[812]: ${line}`],
  ['journald with ISO times', (line) => `2026-11-27T09:19:46+0100 node-1 k3s[812]: ${line}`],
  ['Docker', (line) => JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: '2026' })],
  ['Windows line ends', (line) => `${line}\r`],
  ['docker compose', (line) => `kube-apiserver-1  | ${line}`],
  ['syslog', (line) => `<27>1 2026-11-27T09:19:46.973241Z node-1 kube-apiserver 812 - - ${line}`],
  ['journald since the start', (line) => `[  123.456789] node-1 kube-apiserver[812]: ${line}`],
  ['journald with the time zone', (line) => `Fri 2026-11-27 09:19:46 CET node-1 k3s[812]: ${line}`],
  ['an unknown program', (line) => `kube-system/kube-apiserver-node-1 > ${line}`],
  ['colors', (line) => `\u001b[31m${line}\u001b[0m`],
])('each line with the prefix of %s', (_, prefix) => {
  test('is explained alike', () => {
    expect(klog.length).toBeGreaterThan(80);
    for (const { line, expected, id } of klog) {
      const text = line.split('\n').map(prefix).join('\n');
      expect(kindsOf(text), id).toEqual(expected);
    }
  });
});

/** Quotes like Go's `%q`, as far as these lines need it. */
const quoted = (text: string): string => JSON.stringify(text);

const errors = klog.flatMap(({ line, expected, id }) => {
  const error = /err="((?:[^"\\]|\\.)*)"$/.exec(line)?.[1];
  return error === undefined ? [] : [{ id, expected, error: String(JSON.parse(`"${error}"`)) }];
});

describe.each<[string, (error: string) => string]>([
  [
    'of k3s',
    (error) =>
      `time="2026-11-27T09:19:46Z" level=fatal msg=${quoted(`apiserver exited: ${error}`)}`,
  ],
  [
    'of k3s in the journal',
    (error) =>
      `Nov 27 09:19:46 node-1 k3s[812]: time="2026-11-27T09:19:46Z" level=error msg=${quoted(`apiserver exited: ${error}`)}`,
  ],
  [
    'of --logging-format=json',
    (error) =>
      JSON.stringify({ ts: 1.5, caller: 'app/run.go:72', msg: 'command failed', err: error }),
  ],
  [
    'in the JSON of a log collector',
    (error) =>
      JSON.stringify({
        log: `E1127 09:19:46.973241 1 run.go:72] "command failed" err=${quoted(error)}\n`,
        kubernetes: { pod_name: 'kube-apiserver' },
      }),
  ],
  ['in the JSON of the journal', (error) => JSON.stringify({ MESSAGE: `err=${quoted(error)}` })],
  ['before 1.23', (error) => `Unable to authenticate the request due to an error: ${error}`],
  ['in quotes', (error) => quoted(error)],
  ['in single quotes', (error) => `'${error}'`],
  ['behind an unknown prefix', (error) => `monitor: kube-apiserver: ${error}`],
])('each error %s', (_, lineOf) => {
  test('is explained alike', () => {
    expect(errors.length).toBeGreaterThan(60);
    for (const { error, expected, id } of errors)
      expect(kindsOf(lineOf(error)), id).toEqual(expected);
  });
});

test('the misspelled flag of releases 1.31 to 1.33 is known', () => {
  const { expected } = table.find(({ id }) => id === 'flag/anonymous') ?? { expected: [] };
  const line =
    'anonymous: Forbidden: --anonynous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
  expect(expected).toEqual(['anonymous-flag-and-section AG3001']);
  expect(kindsOf(line)).toEqual(expected);
});

test.each([
  [
    'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.hd = \\"x\\"": compilation failed: ERROR: <input>:1:11: Syntax error: token recognition error at: \'= \'\n | claims.hd = "x"\n | ..........^',
    'Write claims.hd == "x".',
  ],
  [
    "jwt[0].claimValidationRules[0].expression: Invalid value: \"claim.hd == 'x'\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'claim' (in container '')\n | claim.hd == 'x'\n | ^",
    "Write claims.hd == 'x'.",
  ],
  [
    "jwt[0].userValidationRules[0].expression: Invalid value: \"user.nam == 'x'\": compilation failed: ERROR: <input>:1:5: undefined field 'nam'\n | user.nam == 'x'\n | ....^",
    '`user` has the fields username, uid, groups and extra.',
  ],
  [
    'jwt[0].claimMappings.username.expression: Invalid value: "claims.a + ": compilation failed: ERROR: <input>:1:12: Syntax error: mismatched input',
    'The expression ends too early: complete it.',
  ],
])('the fix of an expression says what to write: %s', (text, fix) => {
  const [found] = explainLog(text, undefined).messages;
  expect(found?.explanation.fix).toBe(fix);
  expect(found?.explanation.meaning).toMatch(/ Line 1, column \d+: /);
});

test.each([
  ['x509: certificate signed by unknown authority', 'peer-certificate-unknown-authority'],
  ['x509: certificate is valid for a, b, not c', 'server-certificate-name'],
  [
    'Get "https://a/b": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'server-certificate-untrusted',
  ],
  [
    'I1127 09:00:00.123456 1 log.go:245] http: TLS handshake error from 10.0.0.1:1234: remote error: tls: bad certificate',
    'tls-handshake-refused',
  ],
  ['http: TLS handshake error from 10.0.0.1:1234: EOF', 'tls-handshake-failed'],
])(
  'an error about a certificate of an unknown owner is not attributed to a client: %s',
  (text, kind) => {
    const { messages } = explainLog(text, undefined);
    expect(messages.map(({ explanation }) => explanation.kind)).toEqual([kind]);
    expect(messages[0]?.explanation.module).toBeUndefined();
  },
);

test('all lines of a log are explained together, each message once', () => {
  const text = klog.map(({ line }) => line).join('\n');
  const expected = new Set(klog.flatMap((one) => one.expected));
  expected.delete('no-authenticator-took-token AG5022');
  const found = new Set(kindsOf(text));
  for (const kind of expected) expect(found).toContain(kind);
  expect(kindsOf(`${text}\n${text}`)).toEqual(kindsOf(text));
});

test('a list of errors of expressions is explained from its last line', () => {
  const { line } = table.find(({ id }) => id === 'file/celtwo') ?? { line: '' };
  const lines = line.split('\n');
  const last = lines.at(-2) ?? '';
  expect(last).toContain('^, jwt[1].issuer.url');
  for (const text of [last, last.trim(), `${lines.at(-3)}\n${last}`])
    expect(kindsOf(text)).toEqual(['expression-error AG2001', 'url-scheme AG1017']);
});

test('a list that was cut is explained as far as it goes', () => {
  const { line } = table.find(({ id }) => id === 'file/many') ?? { line: '' };
  expect(kindsOf(line.slice(0, line.indexOf('. It can be set')))).toEqual([
    'url-scheme AG1017',
    'missing-audiences AG1022',
    'missing-prefix AG1039',
  ]);
  expect(kindsOf(line.slice(line.indexOf('jwt[0].issuer.audiences'), -1))).toEqual([
    'missing-audiences AG1022',
    'missing-prefix AG1039',
  ]);
});

test('a line that a terminal wrapped is explained', () => {
  const { line, expected } = table.find(({ id }) => id === 'file/email') ?? {
    line: '',
    expected: [],
  };
  const wrapped = line.match(/.{1,80}/g)?.join('\n') ?? '';
  expect(wrapped).toContain('\n');
  expect(kindsOf(wrapped)).toEqual(expected);
});

test.each([
  'failed to verify signature: failed to verify id token signature',
  'oidc: verify token: failed to verify signature: no keys matches jwk keyid',
  'failed to verify signature: fetching keys oidc: get keys failed Get "https://a/jwks": EOF',
  'fetching keys oidc: get keys failed: 404 Not Found not found',
  'oidc: token is expired (Token Expiry: 2026-11-27 09:22:17 +0000 UTC)',
])('the end of a message is explained: %s', (text) => {
  expect(kindsOf(text)).toHaveLength(1);
});

test.each([
  'E',
  'Error: ',
  'error: error: ',
  '{"log":',
  '{"log":1}',
  ' | ',
  '[pod/a] ',
  '=<\n',
  ']',
])('%j is not recognized', (text) => {
  expect(kindsOf(text)).toEqual([]);
});
