/** Structured log lines without secrets. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodeLog } from '../../../engine/src/node/log.ts';
import { messagesOf } from '../../../engine/src/simulate/explain/log-line.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';

const linesOf = (write: (log: ReturnType<typeof nodeLog>) => void, level?: 'warn' | 'debug') => {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  write(nodeLog({ destination, ...(level === undefined ? {} : { level }) }));
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
};

test('writes an event as a line with level, time, message and fields', () => {
  const [line] = linesOf((log) => log.event('info', 'reloaded', { hash: 'abc', count: 2 }));
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    message: 'reloaded',
    hash: 'abc',
    count: 2,
  });
});

describe('the text form', () => {
  const textOf = (write: (log: ReturnType<typeof nodeLog>) => void): string => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    write(nodeLog({ destination, format: 'text' }));
    return lines.join('');
  };

  test('is that of klog', () => {
    const text = textOf((log) => {
      log.event('debug', 'omitted');
      log.event('info', 'reloaded', { hash: 'abc', count: 2, list: ['a', { b: 1n }] });
      log.event('error', 'say "x"', { err: 'two\nlines', absent: undefined });
    });
    const pid = String(process.pid).padStart(7);
    expect(text.replaceAll(/^([IWEF])\d{4} [\d:]{8}\.\d{6} /gm, '$1 ')).toBe(
      [
        `I ${pid} authgraph] "reloaded" hash="abc" count=2 list=["a",{"b":"1"}]\n`,
        `E ${pid} authgraph] "say \\"x\\"" err="two\\nlines"\n`,
      ].join(''),
    );
  });

  test('redacts credentials and escapes what a terminal would execute', () => {
    const text = textOf((log) => {
      log.event('warn', `refused ${token}`, {
        token: 'opaque',
        user: '\u001b[31m\u202e',
        x: [token],
      });
    });
    for (const leak of [token, 'opaque', '\u001b', '\u202e']) expect(text).not.toContain(leak);
    expect(text).toContain('token="[redacted]" user="\\x1b[31m\\u202e"');
  });

  test('is understood by explain', () => {
    const text = textOf((log) =>
      log.event('error', 'Unable to authenticate the request', {
        err: '[invalid bearer token, oidc: authenticator not initialized]',
        code: 'AG5001',
      }),
    );
    expect(messagesOf(text, () => true)).toEqual([
      'invalid bearer token',
      'oidc: authenticator not initialized',
    ]);
  });
});

test('omits levels below the configured one', () => {
  const write = (log: ReturnType<typeof nodeLog>) => {
    log.event('debug', 'a');
    log.event('info', 'b');
    log.event('warn', 'c');
    log.event('error', 'd');
  };
  expect(linesOf(write).map(({ message }) => message)).toEqual(['b', 'c', 'd']);
  expect(linesOf(write, 'warn').map(({ message }) => message)).toEqual(['c', 'd']);
});

test('redacts credentials in every position', () => {
  const lines = linesOf((log) => {
    log.event('warn', `refused ${token}`, {
      token: 'opaque',
      Authorization: 'Basic xyz',
      detail: `Bearer ${token} was refused`,
      nested: { list: [token], guarded: secret('hunter2') },
      map: new Map([['password', 'hunter2']]),
      cause: new Error(`bad ${token}`),
    });
  });
  const text = JSON.stringify(lines);
  for (const leak of [token, 'opaque', 'xyz', 'hunter2']) expect(text).not.toContain(leak);
  expect(lines[0]).toMatchObject({
    message: 'refused [redacted]',
    detail: 'Bearer [redacted] was refused',
    nested: { list: ['[redacted]'], guarded: '[redacted]' },
    map: { password: '[redacted]' },
    cause: { message: 'bad [redacted]' },
  });
});

test('writes unusual values as valid JSON', () => {
  const round: Record<string, unknown> = { name: 'round' };
  round.self = round;
  const [line] = linesOf((log) =>
    log.event('info', 'a\nb', {
      big: 12345678901234567890n,
      none: undefined,
      round,
      text: '\u2028"',
    }),
  );
  expect(line).toMatchObject({ message: 'a\nb', big: '12345678901234567890', text: '\u2028"' });
});

describe('a process that exits at once', () => {
  const program = `
    import { nodeLog } from ${JSON.stringify(new URL('../../../engine/src/node/log.ts', import.meta.url).href)};
    const log = nodeLog({ destination: 1 });
    for (let at = 0; at < 2000; at += 1) log.event('info', 'line', { at, filler: 'x'.repeat(200) });
    process.exit(0);
  `;

  test('has written every line', () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', maxBuffer: 10_000_000, timeout: 15_000 },
    );
    const lines = stdout.trimEnd().split('\n');
    expect([status, lines.length]).toEqual([0, 2000]);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ message: 'line', at: 1999 });
  });

  test('does not fail if its reader is gone', () => {
    const { status, stderr } = spawnSync(
      'sh',
      [
        '-c',
        `("${process.execPath}" --input-type=module --eval "$1"; echo "ended $?" >&2) | head -n 1`,
        'sh',
        program,
      ],
      { encoding: 'utf8', timeout: 15_000 },
    );
    expect([status, stderr]).toEqual([0, 'ended 0\n']);
  });
});

test('writes an unexpected error with a limited stack and without secrets', () => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  const failing = (depth: number): Error => {
    if (depth > 0) return failing(depth - 1);
    const cause = new TypeError(`inner ${token}`);
    return new RangeError(`first line\n    at ${token}\n    at canary-frame ${'x'.repeat(5_000)}`, {
      cause,
    });
  };
  const error = failing(50);
  Error.stackTraceLimit = stackTraceLimit;
  const [line] = linesOf((log) => log.event('error', 'request failed', { error }));
  const logged = line?.error as Record<string, unknown> & { stack: readonly string[] };
  expect(logged).toMatchObject({ name: 'RangeError', cause: { name: 'TypeError' } });
  expect(logged.stack).toHaveLength(10);
  expect(logged.stack[0]).toMatch(/^at failing \(.*log\.test\.ts:\d+:\d+\)$/);
  expect(String(logged.message)).toHaveLength(1025);
  const text = JSON.stringify(line);
  expect(text).not.toContain(token);
  expect(JSON.stringify(logged.stack)).not.toContain('canary-frame');
});
