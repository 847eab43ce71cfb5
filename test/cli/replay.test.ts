/** Decision logs with claims, written by a server process, and `authgraph replay` of them. */
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type SigningKey,
} from '../../engine/src/node/mint.ts';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { sendHttps } from '../support/https-request.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const authority = testAuthority('issuer');
const { path: folder, write } = temporaryFolder();
const seconds = Math.floor(Date.now() / 1000);
const keyText = 'the key of pseudonyms in these tests';

let issuer: Server;
let issuerUrl = '';
let key: SigningKey;

/** A configuration with a prefix, two required claims and groups. */
const configuration = (changes: readonly (readonly [string, string])[] = []): string => {
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${issuerUrl}
    audiences: [app]
    certificateAuthority: ${JSON.stringify(authority.pem)}
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: 'oidc:' }
    extra:
    - key: example.com/team
      valueExpression: claims.?team.orValue('')
  claimValidationRules:
  - expression: claims.env in ['prod', 'test']
    message: wrong environment
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
    message: reserved
`;
  return changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from);
    return changed.replace(from, to);
  }, text);
};

beforeAll(async () => {
  key = await createSigningKey('ES256', 'k1');
  const certificate = authority.issue();
  issuer = createServer({ cert: certificate.pem, key: certificate.keyPem });
  issuer.on('request', ({ url = '' }, response) => {
    const discovery = { issuer: issuerUrl, jwks_uri: `${issuerUrl}/keys` };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(url === '/keys' ? keySetOf([key]) : discovery));
  });
  await once(issuer.listen(0, '127.0.0.1'), 'listening');
  const address = issuer.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  issuerUrl = `https://127.0.0.1:${address.port}`;
  write('auth.yaml', configuration());
  writeKey('key', keyText);
});

afterAll(() => {
  issuer.close();
});

const person = (claims: object): Readonly<Record<string, unknown>> => ({
  iss: issuerUrl,
  aud: 'app',
  exp: seconds + 3600,
  jti: 'canary-token-id',
  nonce: 'canary-nonce',
  env: 'prod',
  name: 'Canary Person',
  ...claims,
});

const writeKey = (name: string, text: string): void => {
  write(name, text);
  chmodSync(join(folder, name), 0o600);
};

/** The tokens that each log is written for. */
const people: readonly (() => Readonly<Record<string, unknown>>)[] = [
  () => person({ sub: 'ada', groups: ['dev', 'ops'], team: 'a' }),
  () => person({ sub: 'bob', groups: ['dev'] }),
  () => person({ sub: 'eve', env: 'stage', groups: ['dev'] }),
  () => person({ sub: 'old', exp: seconds - 60 }),
  () => person({ sub: 'elsewhere', aud: 'other' }),
  () => person({ sub: 'huge', groups: Array.from({ length: 5000 }, (_, at) => `group-${at}`) }),
  () => personWithPrototype(),
];

const personWithPrototype = (): Readonly<Record<string, unknown>> =>
  JSON.parse(
    JSON.stringify(person({ sub: 'pro\u0000\u2028to' })).replace(
      /^\{/,
      '{"__proto__":{"isAdmin":true},"constructor":"x",',
    ),
  );

/** Lets a server decide the tokens, and returns the lines about them. */
const writeLog = async (name: string, flags: readonly string[]): Promise<string> => {
  const path = join(folder, name);
  const server = await serveProcess(folder, [
    '--authentication-config=auth.yaml',
    `--decision-log=${path}`,
    '--token-review-open=user:oidc:ada',
    ...flags,
  ]);
  try {
    // A token is rejected until the keys of its issuer are there.
    await vi.waitUntil(
      async () => (await sendHttps({ port: server.port, path: '/readyz' })).status === 200,
      { timeout: 30_000 },
    );
    for (const claims of people) {
      const token = await mintToken(claims(), key);
      const request = {
        port: server.port,
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        token,
        body: '{}',
      };
      await sendHttps(request);
    }
    const [ada, bob] = await Promise.all(
      people.slice(0, 2).map((claims) => mintToken(claims(), key)),
    );
    await sendHttps({
      port: server.port,
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      token: ada ?? '',
      body: JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: bob },
      }),
    });
  } finally {
    await server.stop();
  }
  expect(server.output()).not.toContain('canary');
  const text = readFileSync(path, 'utf8');
  const all = text.trimEnd().split('\n');
  const review = all.find((line) => line.includes('/tokenreviews'));
  expect(JSON.parse(review ?? '{}')).toMatchObject({
    username: 'oidc:ada',
    claims: { sub: 'ada' },
    reviewed: { username: 'oidc:bob', claims: { sub: 'bob', jti: '~opaque' } },
  });
  expect(review).not.toMatch(/canary|Canary|eyJ/);
  const lines = all.filter((line) => line.includes('selfsubjectreviews'));
  const log = `${lines.join('\n')}\n`;
  writeFileSync(path, log);
  return log;
};

const linesOf = (log: string): readonly Readonly<Record<string, unknown>>[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const replay = async (log: string, after: string, ...flags: readonly string[]) => {
  const files = { 'old.yaml': configuration(), 'new.yaml': after };
  const args = ['replay', join(folder, log), '--config', 'new.yaml', '-o', 'json', ...flags];
  const { code, stdout, stderr } = await runCaptured(args, { files });
  expect(stderr).toBe('');
  const data = JSON.parse(stdout);
  expect(schemaErrors('replay.v1', data)).toEqual([]);
  return { code, data };
};

const counts = ({ data }: Awaited<ReturnType<typeof replay>>) => {
  const { same, gained, lost, changed, undecided } = data;
  return { same, gained, lost, changed, undecided };
};

describe.each([
  ['shape', ['--decision-log-claims=shape']],
  ['masked', ['--decision-log-claims=masked', '--decision-log-claims-key-file=key']],
])('a log with %s claims', (level, flags) => {
  const file = `${level}.jsonl`;
  let log = '';
  beforeAll(async () => {
    log = await writeLog(file, flags);
  }, 60_000);

  test('INV-S4 contains no personal data beyond the identity, and no token', () => {
    expect(log).not.toMatch(/canary|Canary|eyJ/);
    expect(log).not.toContain('group-4999');
    const [ada, bob, eve, , , huge, prototype] = linesOf(log);
    const mark = level === 'shape' ? '~string' : expect.stringMatching(/^~[0-9a-f]{24}$/);
    expect(ada?.claims).toEqual({
      iss: issuerUrl,
      aud: 'app',
      exp: seconds + 3600,
      jti: '~opaque',
      nonce: '~opaque',
      env: 'prod',
      name: mark,
      sub: 'ada',
      groups: [mark, mark],
      team: mark,
    });
    expect(bob).toMatchObject({ username: 'oidc:bob', claims: { sub: 'bob' } });
    expect(eve).toMatchObject({ decision: 'rejected', claims: { sub: mark, env: mark } });
    expect(huge).toMatchObject({ decision: 'accepted', claimsOmitted: 'size' });
    expect(huge).not.toHaveProperty('claims');
    expect(Object.keys(prototype?.claims ?? {})).toContain('__proto__');
    expect(log).not.toContain('\u2028');
  });

  test('nothing changes with the same configuration', async () => {
    const unchanged = await replay(file, configuration());
    expect(counts(unchanged)).toEqual({ same: 7, gained: 0, lost: 0, changed: 0, undecided: 0 });
    expect(unchanged.code).toBe(0);
  });

  test('finds the decisions that a rule changes, with its line', async () => {
    const stricter = configuration([["in ['prod', 'test']", "== 'test'"]]);
    const { code, data } = await replay(file, stricter, '--old', 'old.yaml');
    expect(code).toBe(1);
    // The claims of one token were too large, and are not in the log.
    expect(data).toMatchObject({ same: 3, lost: 3, gained: 0, changed: 0, undecided: 1 });
    const [lost, open] = data.groups;
    expect(lost).toMatchObject({
      kind: 'lost',
      count: 3,
      cause: {
        field: 'jwt[0].claimValidationRules[0]',
        file: 'new.yaml',
        rule: "claims.env == 'test'",
      },
      examples: [{ line: 1 }, { line: 2 }, { line: 7 }],
    });
    expect(open.reason).toContain('the line has no claims: they are too large');
  });

  test('does not guess what the log does not contain', async () => {
    const open = configuration([["in ['prod', 'test']", "in ['prod', 'test', 'stage']"]]);
    const { data } = await replay(file, open, '--old', 'old.yaml');
    expect(data).toMatchObject({ gained: 0, lost: 0, changed: 0 });
    expect(data.groups).toContainEqual({
      kind: 'undecided',
      count: 1,
      reason: 'the log does not contain the value of claim env',
      examples: [{ file: join(folder, file), line: 3 }],
    });
    const suffix = configuration([
      ["!user.username.startsWith('system:')", "claims.name.endsWith('x')"],
      ['userValidationRules', 'claimValidationRules2'],
    ])
      .replace(/claimValidationRules2:\n.*\n.*\n/, '')
      .replace("claims.env in ['prod', 'test']", "claims.name.endsWith('x')");
    const named = await replay(file, suffix, '--old', 'old.yaml');
    expect(named.data.groups[0]).toMatchObject({
      kind: 'undecided',
      reason: 'the log does not contain the value of claim name',
    });
  });

  test('sees a new prefix although the groups are not in the log', async () => {
    const renamed = configuration([["groups, prefix: 'oidc:'", "groups, prefix: 'people:'"]]);
    const { data } = await replay(file, renamed, '--old', 'old.yaml');
    expect(data).toMatchObject({ lost: 0, gained: 0, changed: 2 });
    expect(data.groups[0]).toMatchObject({
      kind: 'changed',
      cause: { field: 'jwt[0].claimMappings.groups', rule: 'groups' },
    });
    const alone = await replay(file, renamed);
    expect(alone.data).toMatchObject({ changed: 0, undecided: expect.any(Number) });
  });

  test('an audience that is added does not make an unverified signature valid', async () => {
    const more = configuration([['audiences: [app]', 'audiences: [app, other]']]).replace(
      'audiences: [app, other]',
      'audiences: [app, other], audienceMatchPolicy: MatchAny',
    );
    const { data } = await replay(
      file,
      more.replace(', audienceMatchPolicy: MatchAny', '\n    audienceMatchPolicy: MatchAny'),
      '--old',
      'old.yaml',
    );
    expect(data.gained).toBe(0);
    expect(data.groups).toContainEqual(
      expect.objectContaining({
        kind: 'undecided',
        reason: expect.stringContaining('the signature is not known to be valid'),
        examples: [{ file: join(folder, file), line: 5 }],
      }),
    );
  });
});

test('a configuration with another hash is compared by evaluating it', async () => {
  const reworded = configuration([['message: wrong environment', 'message: not allowed']]);
  const { code, data } = await replay('masked.jsonl', reworded, '--old', 'old.yaml');
  expect(code).toBe(0);
  expect(data).toMatchObject({ same: 6, undecided: 1, otherConfiguration: 0 });
  const other = configuration([['audiences: [app]', 'audiences: [another]']]);
  const { stdout } = await runCaptured(
    ['replay', join(folder, 'masked.jsonl'), '-c', 'new.yaml', '--old', 'other.yaml'],
    { files: { 'new.yaml': reworded, 'other.yaml': other } },
  );
  expect(stdout).toContain(
    '7 decisions were made by a configuration other than the given ones; pass that configuration with --old to decide more of them',
  );
});

test('the log of the documentation was written with the configuration that the page names', async () => {
  const examples = join(import.meta.dirname, '../../docs/examples');
  const [line] = linesOf(readFileSync(join(examples, 'decisions.jsonl'), 'utf8'));
  const { stdout } = await runCaptured(['compile', 'fixed.yaml'], {
    files: { 'fixed.yaml': readFileSync(join(examples, 'fixed.yaml'), 'utf8') },
  });
  expect(line?.graph).toBe(JSON.parse(stdout).graphHash);
});

test('the key of pseudonyms decides comparisons with new strings', async () => {
  const open = configuration([["in ['prod', 'test']", "in ['prod', 'test', 'stage']"]]);
  const keyFile = ['--key-file', join(folder, 'key')];
  const { data } = await replay('masked.jsonl', open, '--old', 'old.yaml', ...keyFile);
  expect(data).toMatchObject({ gained: 1, lost: 0, changed: 0 });
  expect(data.groups).toContainEqual(
    expect.objectContaining({
      kind: 'gained',
      cause: {
        file: 'old.yaml',
        line: expect.any(Number),
        field: 'jwt[0].claimValidationRules[0]',
        rule: "claims.env in ['prod', 'test']",
      },
    }),
  );
  writeKey('other-key', 'another key, which is as long as the first');
  const wrong = ['--key-file', join(folder, 'other-key')];
  const guessed = await replay('masked.jsonl', open, '--old', 'old.yaml', ...wrong);
  expect(guessed.data).toMatchObject({ gained: 0, otherKey: 6 });
  expect(data).toMatchObject({ otherKey: 0 });
  expect(guessed.data.summary).toContain(
    'the key of --key-file is not the key of this log: 6 decisions have pseudonyms of another key',
  );
});

/** Writes a log by hand. */
const writeLines = (name: string, lines: readonly object[]): string => {
  const shared = { message: 'decision', requestId: 'x', time: '2026-01-01T00:00:00Z', graph: 'g' };
  write(name, lines.map((line) => `${JSON.stringify({ ...shared, ...line })}\n`).join(''));
  return join(folder, name);
};

const simple = (mappings: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://idp.example.com, audiences: [app] }
  claimMappings: { ${mappings} }
`;

const simpleLine = (changes: object) => ({
  decision: 'accepted',
  module: 'jwt',
  username: 'oidc:ada',
  claims: {
    iss: 'https://idp.example.com',
    aud: 'app',
    exp: 1_900_000_000,
    sub: 'ada',
    groups: ['system:masters', '~string'],
  },
  ...changes,
});

test.each([
  ["username: { claim: sub, prefix: 'people:' }, groups: { claim: groups, prefix: '' }", {}],
  // The value of the second group may be "masters".
  ["username: { claim: sub, prefix: 'people:' }, groups: { claim: groups, prefix: 'system:' }", {}],
  [
    "username: { claim: sub, prefix: 'oidc:' }, groups: { claim: groups, prefix: '' }",
    { changed: 0, undecided: 1 },
  ],
])('groups that are not in the log may have been others: %s', async (mappings, changed) => {
  writeLines('no-groups.jsonl', [simpleLine({})]);
  const { data } = await replay('no-groups.jsonl', simple(mappings));
  expect(data).toMatchObject({ changed: 1, fullControl: 0, possibleFullControl: 1, ...changed });
  expect(data.summary).toContain(
    '1 decision may gain system:masters: the log does not contain all groups',
  );
  if (data.changed === 0) return;
  expect(data.groups[0].examples[0]).toMatchObject({
    before: expect.stringContaining('→ oidc:ada · groups: not in the log'),
    details: ['system:masters may be gained', 'username oidc:ada becomes people:ada'],
  });
});

test('logged groups decide who gains system:masters', async () => {
  const mappings =
    "username: { claim: sub, prefix: 'oidc:' }, groups: { claim: groups, prefix: '' }";
  writeLines('groups.jsonl', [
    simpleLine({ groups: ['oidc:system:masters'] }),
    simpleLine({ groups: ['system:masters'] }),
  ]);
  const { data } = await replay('groups.jsonl', simple(mappings));
  expect(data).toMatchObject({ changed: 2, fullControl: 1, possibleFullControl: 0 });
});

describe('decisions that no JWT authenticator made', () => {
  const mappings = "username: { claim: sub, prefix: 'oidc:' }";
  const others = [
    { decision: 'noOpinion' },
    { decision: 'accepted', module: 'webhook-token', username: 'ada' },
  ];

  test.each(['text', 'json', 'markdown'])('are counted in %s', async (output) => {
    const line = simpleLine({ reviewed: { decision: 'noOpinion' } });
    const path = writeLines('others.jsonl', [line, ...others]);
    const args = ['replay', path, '-c', 'new.yaml', '-o', output, '--fail-on', 'never'];
    const files = { 'new.yaml': simple(mappings) };
    const { code, stdout } = await runCaptured(args, { files });
    expect(code).toBe(0);
    expect(stdout).toContain('3 decisions were skipped: no JWT authenticator made them');
  });

  test('prove nothing', async () => {
    const path = writeLines('only-others.jsonl', others);
    const args = ['replay', path, '-c', 'new.yaml', '--fail-on', 'never'];
    const files = { 'new.yaml': simple(mappings) };
    const { code, stdout, stderr } = await runCaptured(args, { files });
    expect(code).toBe(2);
    expect(stdout).toContain('2 decisions were skipped');
    expect(stderr).toContain('the logs contain no decisions about JWTs');
  });
});

test('undecided decisions fail if --fail-on names them', async () => {
  writeLines('undecided.jsonl', [simpleLine({ claims: undefined })]);
  const config = simple("username: { claim: sub, prefix: 'oidc:' }");
  const codeWith = async (...flags: readonly string[]) =>
    (await replay('undecided.jsonl', config, ...flags)).code;
  expect(await codeWith()).toBe(0);
  expect(await codeWith('--fail-on', 'gain,undecided')).toBe(1);
});

test('a key file is bounded, and should be private', async () => {
  const path = writeLines('log.jsonl', [simpleLine({})]);
  const run = (name: string) =>
    runCaptured(['replay', path, '-c', 'new.yaml', '--key-file', join(folder, name)], {
      files: { 'new.yaml': simple("username: { claim: sub, prefix: 'oidc:' }") },
    });
  writeKey('large-key', 'k'.repeat(100_000));
  expect(await run('large-key')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('limit'),
  });
  writeKey('loose-key', keyText);
  chmodSync(join(folder, 'loose-key'), 0o644);
  expect((await run('loose-key')).stderr).toContain('gives other users access');
});

test('text and Markdown show groups, examples and the lines that are malformed', async () => {
  const log = readFileSync(join(folder, 'shape.jsonl'), 'utf8');
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const hostile = [
    'not JSON',
    deep,
    '{"message":"decision"}',
    `{"message":"decision","requestId":"x","time":"2026-01-01T00:00:00Z","graph":"g","module":"jwt","decision":"accepted","username":"\\u001b[31m","claims":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`,
    '\u0000',
  ].join('\n');
  const path = join(folder, 'hostile.jsonl.gz');
  writeFileSync(path, gzipSync(`${hostile}\n${'x'.repeat(5 * 1024 * 1024)}\n${log}`));
  const stricter = configuration([["in ['prod', 'test']", "== 'test'"]]);
  const files = { 'new.yaml': stricter, 'old.yaml': configuration() };
  const args = ['replay', path, '-c', 'new.yaml', '--old', 'old.yaml'];
  const { code, stdout, stderr } = await runCaptured(args, { files });
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('- lost  3  new.yaml:15:17  jwt[0].claimValidationRules[0]: ');
  expect(stdout).toContain(`${path}:7 rejected by claimValidationRules[0]`);
  expect(stdout).toContain(
    `5 lines are not of a decision log: ${[1, 2, 3, 5, 6].map((line) => `${path}:${line}`).join(', ')}\n`,
  );
  expect(stdout).not.toContain('\u001b');
  const markdown = await runCaptured([...args, '-o', 'markdown', '--fail-on', 'gain'], { files });
  expect(markdown.code).toBe(0);
  expect(markdown.stdout).toContain('**lost: 3** `new.yaml:15:17 jwt[0].claimValidationRules[0]: ');
});

test.each([
  [['replay'], 'specify a decision log'],
  [['replay', 'log'], 'specify the new configuration with --config'],
  [['replay', '-', '-c', '-'], 'only one file can be standard input'],
  [['replay', 'missing.jsonl', '-c', 'new.yaml'], 'missing.jsonl: '],
  [
    ['replay', 'x', '-c', 'new.yaml', '--key-file', 'missing'],
    'the key of pseudonyms cannot be read',
  ],
])('rejects %j', async (args, message) => {
  const files = { 'new.yaml': configuration() };
  const { code, stderr } = await runCaptured(args, { files });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
