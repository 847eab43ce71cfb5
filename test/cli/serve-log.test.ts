/** What `serve` writes to its standard streams, in both formats. */
import { expect, test } from 'vitest';
import {
  logFormatOf,
  reportAdvice,
  reportReady,
  reportReload,
  type ServeOutput,
  withoutDiagnostics,
} from '../../engine/src/cli/serve-log.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { diagnosticFields } from '../../engine/src/diagnostics/log-fields.ts';
import type { LogFormat } from '../../engine/src/node/log.ts';
import { defaultServeOptions } from '../../engine/src/server/flags/options.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { capturedIo } from '../support/captured-io.ts';

const source = sourceFile(
  'auth.yaml',
  'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\nx: 1\n',
);
const { diagnostics } = compile({ source });

const setUp = (format: LogFormat, decisionLog?: string) => {
  const { io, out } = capturedIo();
  const events: string[] = [];
  const log: ServeOutput['log'] = {
    event: (level, message, fields) => events.push(`${level} ${message} ${JSON.stringify(fields)}`),
    flush: () => events.push(`flushed after ${JSON.stringify(out)}`),
  };
  const options = { ...defaultServeOptions(), decisionLog, color: 'never' };
  return { output: { options, format, io, log }, out, events };
};

test('the format is the flag, or depends on the terminal', () => {
  const options = defaultServeOptions();
  const piped = capturedIo().io;
  const terminal = capturedIo({ terminal: { columns: 80 } }).io;
  expect(logFormatOf(options, piped)).toBe('json');
  expect(logFormatOf(options, terminal)).toBe('text');
  expect(logFormatOf({ ...options, loggingFormat: 'text' }, piped)).toBe('text');
  expect(logFormatOf({ ...options, loggingFormat: 'json' }, terminal)).toBe('json');
});

test('a rejected reload has code frames in text form only', () => {
  const event = { kind: 'refused', source, diagnostics } as const;
  const text = setUp('text');
  reportReload(event, text.output);
  expect(text.out.stderr).toContain('--> auth.yaml:3:1');
  const json = setUp('json');
  reportReload(event, json.output);
  expect([json.out.stderr, json.out.stdout, json.events]).toEqual(['', '', []]);
});

test('advice at the start is a log event in JSON form', () => {
  const advice = diagnostics.map((one) => ({ ...one, severity: 'warning' as const }));
  const json = setUp('json');
  reportAdvice({ source, diagnostics: advice }, json.output);
  expect(json.events).toEqual([
    expect.stringMatching(/^warn authentication config loaded.*"AG1008"/),
  ]);
  const text = setUp('text');
  reportAdvice({ source, diagnostics: advice }, text.output);
  expect(text.events).toEqual([]);
  expect(text.out.stderr).toContain('warning[AG1008]');
  const none = setUp('json');
  reportAdvice({ source, diagnostics: [] }, none.output);
  expect(none.events).toEqual([]);
});

const ready = {
  configuration: { kind: 'file', path: 'auth.yaml' },
  url: 'https://127.0.0.1:6443',
  issuers: 2,
} as const;
const sentence = 'authgraph serves auth.yaml on https://127.0.0.1:6443 (2 issuers)';

test('readiness comes after the earlier lines of the log', () => {
  const { output, events } = setUp('json');
  reportReady(ready, output);
  expect(events).toEqual(['flushed after {"stdout":"","stderr":""}']);
});

test('readiness is reported in the format of the log', () => {
  const text = setUp('text');
  reportReady(ready, text.output);
  expect(text.out).toEqual({ stdout: `${sentence}\n`, stderr: '' });
  const json = setUp('json');
  reportReady(ready, json.output);
  expect(JSON.parse(json.out.stdout)).toEqual({
    ...{ level: 'info', time: expect.any(String), message: sentence },
    ...{ file: 'auth.yaml', url: 'https://127.0.0.1:6443', issuers: 2 },
  });
});

test('readiness is not a line of the decision log', () => {
  const text = setUp('text', '-');
  reportReady(ready, text.output);
  expect(text.out.stdout).toBe('');
  expect(text.out.stderr).toMatch(
    /^I\d{4} .* authgraph\] "authgraph serves auth\.yaml on .*issuers=2\n$/,
  );
  const json = setUp('json', '-');
  reportReady({ ...ready, configuration: { kind: 'text', name: 'x', text: '' } }, json.output);
  expect(json.out.stdout).toBe('');
  expect(JSON.parse(json.out.stderr).message).toContain(
    'serves the authenticators of its flags on',
  );
});

test('log events in text form have no diagnostics, which are shown as code frames', () => {
  const events: unknown[] = [];
  const log = withoutDiagnostics({ event: (...event) => events.push(event), flush: () => {} });
  log.event('error', 'not reloaded', { file: 'auth.yaml', diagnostics: [1] });
  log.event('info', 'plain');
  expect(events).toEqual([
    ['error', 'not reloaded', { file: 'auth.yaml' }],
    ['info', 'plain', {}],
  ]);
});

test('an event has a limited number of diagnostics, without secrets', () => {
  const [one] = diagnostics;
  if (one === undefined) throw new Error('no diagnostic');
  const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';
  const many = Array.from({ length: 1_000 }, () => ({ ...one, message: `unknown ${token}` }));
  const fields = diagnosticFields({ source, diagnostics: many });
  expect(fields.diagnostics).toHaveLength(50);
  expect(fields).toMatchObject({ file: 'auth.yaml', omitted: 950 });
  expect(JSON.stringify(fields)).not.toContain(token);
  expect(fields.diagnostics[0]).toMatchObject({
    severity: 'error',
    code: 'AG1008',
    line: 3,
    column: 1,
  });
});
