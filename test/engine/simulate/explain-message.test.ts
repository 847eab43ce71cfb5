/** `explainMessage` recognizes messages of kube-apiserver, and `messagesOf` finds them in log lines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../engine/src/catalog.ts';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import {
  explainMessage,
  startsMessage,
} from '../../../engine/src/simulate/explain/explain-message.ts';
import { messagesOf } from '../../../engine/src/simulate/explain/log-line.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { cases } from '../../support/cases.ts';
import { processorMs } from '../../support/processor-time.ts';

const recorded = new Set<string>();
for (const { expected } of cases('conformance/authenticate.jsonl'))
  for (const name of ['error', 'firstError', 'configError']) {
    const text = expected[name];
    if (typeof text === 'string') recorded.add(text);
  }

const extractMessages = (line: string): readonly string[] => messagesOf(line, startsMessage);

/** Quotes a value like klog, the logging library of kube-apiserver. */
const quotedField = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

describe('every recorded error message', () => {
  test('there are more than 110 messages', () => {
    expect(recorded.size).toBeGreaterThan(110);
  });
  test.each([...recorded])('%s', (text) => {
    const found = explainMessage(text);
    expect(found?.message).toBe(text);
    for (const sentence of [found?.meaning ?? '', found?.fix ?? '']) {
      expect(sentence).toMatch(/[.?)]$/);
      expect(sentence).not.toMatch(/\{\w+\}/);
    }
  });
  test.each([...recorded])('is found in a log line: %s', (text) => {
    const list = quotedField(`[invalid bearer token, ${text}]`);
    const klog = `E1121 14:00:00.123456       1 authentication.go:75] "Unable to authenticate the request" err=${list}`;
    expect(extractMessages(klog)).toEqual(['invalid bearer token', text]);
    const json = JSON.stringify({
      ts: 1.5,
      caller: 'filters/authentication.go:75',
      msg: 'Unable to authenticate the request',
      err: `[invalid bearer token, ${text}]`,
    });
    expect(extractMessages(`2026-11-21T14:00:00.1Z stderr F ${json}`)).toEqual([
      'invalid bearer token',
      text,
    ]);
  });
});

test.each([
  ['plain text', 'oidc: email not verified', ['oidc: email not verified']],
  [
    'an unquoted list',
    '[invalid bearer token, oidc: email not verified]',
    ['invalid bearer token', 'oidc: email not verified'],
  ],
  [
    'an unstructured line',
    'E1121 14:00:00.1 1 oidc.go:168] oidc authenticator: initializing plugin: Get "https://x": EOF',
    ['oidc authenticator: initializing plugin: Get "https://x": EOF'],
  ],
  ...['1 ', '', '08:55:06.201331       1 '].map((prefix): [string, string, string[]] => [
    `a line without its beginning: ${prefix}`,
    `${prefix}oidc.go:335] oidc authenticator: initializing plugin: Get "https://x": EOF`,
    ['oidc authenticator: initializing plugin: Get "https://x": EOF'],
  ]),
  [
    'commas in a list with one error',
    'err="[oidc: required claim hd value does not match. Got = a, b, want = x]"',
    ['oidc: required claim hd value does not match. Got = a, b, want = x'],
  ],
  [
    'lists in a list',
    '[[invalid bearer token, oidc: authenticator not initialized], oidc: email not verified]',
    ['invalid bearer token', 'oidc: authenticator not initialized', 'oidc: email not verified'],
  ],
  [
    'a value over several lines',
    'E1121 14:00:00.1 1 x.go:1] "failed" err=<\n\tjwt[0].claimValidationRules[0].expression: Invalid value: "a": compilation failed: ERROR: <input>:1:1: b\n\t | a\n\t | ^\n >',
    [
      'jwt[0].claimValidationRules[0].expression: Invalid value: "a": compilation failed: ERROR: <input>:1:1: b\n | a\n | ^',
    ],
  ],
  [
    'all errors of a configuration',
    'E1121 14:00:00.1 1 run.go:72] "command failed" err="invalid authentication configuration: [jwt[0].issuer.url: Required value, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required]"',
    [
      'jwt[0].issuer.url: Required value',
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
  ],
  [
    'a load error with its file',
    'failed to load authentication configuration from file "/etc/a.yaml": strict decoding error: unknown field "jwt[0].bogus"',
    ['strict decoding error: unknown field "jwt[0].bogus"'],
  ],
])('extracts messages from %s', (_, line, messages) => {
  expect(extractMessages(line)).toEqual(messages);
});

test.each([
  ['oidc: parse username claims "email": claim not present', 'username-claim-missing'],
  ['oidc: authenticator for issuer "https://a" is not initialized', 'issuer-not-initialized'],
  ['context canceled', 'request-canceled'],
  ['jwt[0].issuer.url: Required value', 'missing-issuer-url'],
  ['jwt[0].issuer.shoe: Required value', 'configuration-refused'],
  ['strict decoding error: unknown field "zed"', 'file-strict-decoding'],
  [
    'json: cannot unmarshal number into Go struct field ClaimValidationRule.jwt.claimValidationRules.requiredValue of type string',
    'file-type-mismatch',
  ],
  ['empty config data', 'file-empty'],
  [
    'no kind "Other" is registered for version "apiserver.config.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"',
    'file-kind-unknown',
  ],
  ['anonymous: Forbidden: changed from initial configuration file', 'anonymous-changed'],
  [
    'anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled',
    'anonymous-gate',
  ],
  ['oidc: unsupported signing alg: "RSA256"', 'signing-algorithm-unknown'],
])('%s is %s', (text, name) => {
  expect(explainMessage(text)?.kind).toBe(name);
});

describe('every recorded error of a configuration has the code of the compiler', () => {
  const known = new Set(catalog.map(({ code, name }) => `${code} ${name}`));
  test.each(
    cases<{ readonly config?: string; readonly disallowedIssuers?: readonly string[] }>(
      'conformance/config-validation.jsonl',
    ).map((one) => [one.id, one] as const),
  )('%s', (_, { input, expected }) => {
    const { diagnostics, report } = compile({
      source: sourceFile('a.yaml', input.config ?? ''),
      settings: {
        ...defaultSettings,
        exact: true,
        disallowedIssuers: input.disallowedIssuers ?? [],
      },
    });
    for (const { message } of report.errors) {
      const matching = diagnostics.filter(({ server }) => server?.message === message);
      const found = explainMessage(message);
      expect(found?.kind, message).not.toBe('configuration-refused');
      expect(
        matching.map(({ code }) => code),
        message,
      ).toContain(found?.rejection?.code);
      expect(known).toContain(`${found?.rejection?.code} ${found?.rejection?.name}`);
    }
    const decodeError = expected.decodeError;
    if (
      typeof decodeError === 'string' &&
      !/^couldn't get version|^json: cannot unmarshal .* Go value of type/.test(decodeError)
    ) {
      const found = explainMessage(decodeError);
      expect(found, decodeError).toBeDefined();
      expect(known).toContain(`${found?.rejection?.code} ${found?.rejection?.name}`);
    }
  });
});

test.each(['', 'hello', 'x509: unknown authority', '[', '[]', 'oidc: ', '{"a":1}'])(
  '%j is not recognized',
  (text) => {
    expect(extractMessages(text).map(explainMessage).filter(Boolean)).toEqual([]);
  },
);

test('explains rejections that no authenticator reports', () => {
  const codes = [
    'unable to match the audience: [a] , accepted: [b]',
    'Internal error occurred: authentication failed unexpectedly',
  ].map((text) => explainMessage(text)?.rejection?.code);
  expect(codes).toEqual(['AG5009', 'AG5000']);
});

test('explains hostile lines within two seconds', () => {
  const lines = [
    `[${', oidc: '.repeat(20_000)}]`,
    `oidc: parse username claims "${'"'.repeat(100_000)}`,
    `oidc: error evaluating claim validation expression: ${"expression '".repeat(10_000)}`,
    `oidc: verify token: oidc: expected audience ["${'\\'.repeat(100_000)}`,
    '['.repeat(100_000) + ']'.repeat(100_000),
  ];
  const explainAll = (): void => {
    for (const text of lines) extractMessages(text).map(explainMessage);
  };
  expect(processorMs(explainAll, 2_000)).toBeLessThan(2_000);
});

test('does not throw for any text', () => {
  const piece = fc.constantFrom(
    ...['oidc: ', 'verify token: ', '[', ']', '"', ', ', 'jwt[0].', 'issuer.url', 'err=', '{', '}'],
    ...[': Invalid value: ', "expression '", "' resulted in error: ", '\\', '<\n', '\n >'],
    'E1121 14:00:00.1 1 a.go:1] ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      for (const message of extractMessages(pieces.join(''))) {
        const found = explainMessage(message);
        if (found !== undefined) expect(found.meaning).not.toBe('');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('recognizes a reason that is followed by a code of AuthGraph', () => {
  const text = 'oidc: authenticator not initialized';
  expect(explainMessage(`${text} (AG5001)`)).toEqual(explainMessage(text));
  expect(explainMessage(text)).toBeDefined();
});
