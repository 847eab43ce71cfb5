/**
 * `authgraph explain` recognizes the lines of log-lines.jsonl as they were printed: by kube-apiserver and kubectl,
 * which were built from their Go modules and run with broken configurations, flags, tokens and certificates, and by the
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
])('each line with the prefix of %s', (_, prefix) => {
  test('is explained alike', () => {
    expect(klog.length).toBeGreaterThan(80);
    for (const { line, expected, id } of klog) {
      const text = line.split('\n').map(prefix).join('\n');
      expect(kindsOf(text), id).toEqual(expected);
    }
  });
});

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
