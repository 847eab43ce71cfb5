/**
 * kube-apiserver's log line about a rejected credential, written by a server with every module
 * enabled.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCaptured } from '../../support/captured-io.ts';
import { type WholeServer, wholeServer } from '../../support/whole-server.ts';

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const unprintable =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/;

let server: WholeServer;
beforeAll(async () => {
  server = await wholeServer({
    logLevel: 'info',
    authenticator: String.raw`
  claimValidationRules:
  - expression: claims.exp - claims.?nbf.orValue(0) <= 86400 || claims.sub != "late"
    message: total token lifetime must not exceed 24 hours
  - expression: claims.sub != "hostile"
    message: "not \e[8m\x9b2J\u2028{\"level\":\"info\"}\u202e\u061c"
`,
  });
}, 60_000);
afterAll(() => server.close());

interface Line {
  readonly level: string;
  readonly message: string;
  readonly err?: string;
  readonly at?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly lines?: number;
}

const rawLines = (message: string): readonly string[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`));
const linesOf = (message: string): readonly Line[] =>
  rawLines(message).map((line): Line => JSON.parse(line));
const errors = () => linesOf('Unable to authenticate the request');

const statusFor = async (token: string, headers: readonly string[] = []) =>
  (
    await server.ask({
      method: 'POST',
      path: review,
      headers: ['Authorization', `Bearer ${token}`, ...headers],
      body: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
    })
  ).status;

/** The log arrives through a pipe. */
const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await pause(20);
};

test('logs the message of a failing rule with its path, which explain can read', async () => {
  const token = await server.tokens.jwt({ sub: 'late', nbf: 1, canary: 'canary-claim' });
  expect(await statusFor(token, ['Audit-Id', 'try-1'])).toBe(401);
  await until(() => errors().length === 1);
  expect(errors()[0]).toMatchObject({
    level: 'error',
    err: '[invalid bearer token, oidc: error evaluating claim validation expression: validation expression \'claims.exp - claims.?nbf.orValue(0) <= 86400 || claims.sub != "late"\' failed: total token lifetime must not exceed 24 hours]',
    at: 'jwt[0].claimValidationRules[0]',
    requestId: 'try-1',
  });
  expect(server.output()).not.toContain('canary-claim');
  const line = rawLines('Unable to authenticate the request')[0] ?? '';
  const explained = await runCaptured(['explain', '-c', 'auth.yaml', line], {
    files: { 'auth.yaml': readFileSync(server.configurationFile, 'utf8') },
  });
  expect(explained.stderr).toBe('');
  expect(explained.stdout).toContain('jwt[0].claimValidationRules[0]');
  expect(explained.stdout).toContain('total token lifetime must not exceed 24 hours');
});

test('no part of any rejected token is logged', async () => {
  const before = errors().length;
  const signed = await server.tokens.jwt();
  const [header = '', payload = '', signature = ''] = signed.split('.');
  const tokens = [
    'canary-opaque-0123456789',
    'abcdef.canary0123456789',
    `${header}.${payload}.${signature.slice(0, -6)}AAAAAA`,
    `${header}.${payload}`,
    `${header}..`,
    await server.tokens.jwt({ exp: 1 }),
    await server.tokens.jwt({ aud: 'other' }),
    await server.tokens.jwt({ iss: 'https://kubernetes.io/canary' }),
  ];
  for (const token of tokens) expect(await statusFor(token)).toBe(401);
  await until(() => errors().length === before + tokens.length);
  for (const part of [...tokens.flatMap((token) => token.split('.')), 'canary-opaque']) {
    if (part.length > 6) expect(server.output()).not.toContain(part);
  }
});

test('control characters and bidirectional controls of an error are escaped', async () => {
  const before = errors().length;
  expect(await statusFor(await server.tokens.jwt({ sub: 'hostile' }))).toBe(401);
  await until(() => errors().length === before + 1);
  expect(errors().at(-1)?.err).toContain('\u001b[8m\u009b2J\u2028{"level":"info"}\u202e\u061c');
  expect(unprintable.test(server.output())).toBe(false);
  expect(unprintable.test(server.decisions())).toBe(false);
});

test('a request without a credential gets a 401 and no log line', async () => {
  const before = errors().length;
  expect((await server.ask({ path: '/apis' })).status).toBe(401);
  expect(await statusFor('')).toBe(401);
  // The next line belongs to the next token.
  expect(await statusFor('canary-next', ['Audit-Id', 'next'])).toBe(401);
  await until(() => errors().length > before);
  expect(
    errors()
      .slice(before)
      .map(({ requestId }) => requestId),
  ).toEqual(['next']);
});

test('a flood of rejected tokens does not flood the log, and its size is logged', async () => {
  const before = errors().length;
  const flood = 400;
  const started = performance.now();
  for (let sent = 0; sent < flood; sent += 40) {
    const some = Array.from({ length: 40 }, (_, at) => statusFor(`flood-${sent + at}`));
    expect(new Set(await Promise.all(some))).toEqual(new Set([401]));
  }
  const seconds = (performance.now() - started) / 1000;
  const omitted = () =>
    linesOf('authentication errors omitted from the log').reduce(
      (sum, { lines = 0 }) => sum + lines,
      0,
    );
  await until(() => errors().length - before + omitted() === flood);
  expect(errors().length - before).toBeLessThanOrEqual(20 + 5 * seconds + 1);
  const headers = ['Authorization', `Bearer ${server.tokens.admin}`];
  const { body } = await server.ask({ path: '/metrics', headers });
  expect(body).toContain(`\nauthgraph_authentication_errors_omitted_total ${omitted()}\n`);
});
