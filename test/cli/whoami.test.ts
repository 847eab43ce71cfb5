import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { schemaErrors } from '../support/json-schema.ts';

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimValidationRules:
  - expression: claims.hd == "example.com"
    message: wrong domain
  claimMappings:
    username: {claim: sub, prefix: "i:"}
    groups: {expression: 'dyn(claims.?roles.orValue([])).map(r, "r:" + r)'}
    extra:
    - {key: example.org/tenant, valueExpression: claims.tenant}
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
- issuer:
    url: https://other.example
    audiences: [app]
  claimMappings:
    username: {claim: email, prefix: ""}
`;
const now = '2026-01-31T12:00:00Z';
const seconds = Date.parse(now) / 1000;
const jane = {
  iss: 'https://issuer.example',
  aud: 'app',
  exp: seconds + 600,
  sub: 'jane',
  hd: 'example.com',
  roles: ['dev', 'ops'],
  tenant: 't1',
};

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] });
const encode = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');
const tokenOf = (claims: object): string => {
  const input = `${encode({ alg: 'ES256', kid: 'k1' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
};

const whoami = (
  args: readonly string[],
  claims: object = jane,
  files: Readonly<Record<string, string>> = {},
) =>
  runCaptured(['whoami', '-c', 'auth.yaml', '--now', now, ...args], {
    files: {
      'auth.yaml': config,
      'claims.json': JSON.stringify(claims),
      token: `${tokenOf(claims)}\n`,
      'keys.json': jwks,
      ...files,
    },
  });
const byClaims = ['--claims', 'claims.json'];
const byToken = ['--token-file', 'token', '--jwks', 'keys.json'];

describe.each([
  ['claims', byClaims],
  ['a token', byToken],
])('from %s', (kind, input) => {
  test('the identity as text', async () => {
    const { code, stdout } = await whoami(input);
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        'accepted',
        '  Username                  i:jane',
        '  Groups                    r:dev',
        '                            r:ops',
        '                            system:authenticated',
        '  Extra example.org/tenant  t1',
        '',
      ].join('\n'),
    );
    expect(stdout.includes('Claims only:')).toBe(kind === 'claims');
  });
  test('the identity as JSON and YAML', async () => {
    const { stdout } = await whoami([...input, '-o', 'json', '--explain']);
    const data = JSON.parse(stdout);
    expect(schemaErrors('whoami.v1', data)).toEqual([]);
    expect(data).toMatchObject({
      version: 1,
      decision: 'accepted',
      signature: kind === 'claims' ? 'skipped' : 'checked',
      user: {
        username: 'i:jane',
        uid: '',
        groups: ['r:dev', 'r:ops', 'system:authenticated'],
        extra: { 'example.org/tenant': ['t1'] },
      },
    });
    const yaml = await whoami([...input, '--output=yaml']);
    expect(parse(yaml.stdout)).toMatchObject({ decision: 'accepted', user: data.user });
  });
  test('prints the reason, the code and the lines of a rejection', async () => {
    const { code, stdout } = await whoami(input, { ...jane, hd: 'evil.example' });
    expect(code).toBe(1);
    expect(stdout).toContain(
      `rejected by jwt[0].claimValidationRules[0]: oidc: error evaluating claim validation expression: validation expression 'claims.hd == "example.com"' failed: wrong domain\n`,
    );
    expect(stdout).toContain('AG5019');
    expect(stdout).toContain('--> auth.yaml:8:');
    const json = JSON.parse((await whoami([...input, '-o', 'json'], { ...jane, hd: '' })).stdout);
    expect(schemaErrors('whoami.v1', json)).toEqual([]);
    expect(json.reason).toMatchObject({ code: 'AG5019', place: { file: 'auth.yaml' } });
  });
  test('reports an unknown issuer', async () => {
    const { code, stdout } = await whoami(input, { ...jane, iss: 'https://issuer.example/' });
    expect(code).toBe(1);
    expect(stdout).toContain('jwt[0] https://issuer.example\n    jwt[1] https://other.example\n');
  });
  test('prints the path through the graph', async () => {
    const { stdout } = await whoami([...input, '--explain'], { ...jane, hd: 'evil.example' });
    const at = (text: string): number => {
      const found = stdout.indexOf(text);
      expect(found, text).toBeGreaterThanOrEqual(0);
      return found;
    };
    expect(at('jwt[0]')).toBeLessThan(at('claimMappings.username'));
    expect(at('claimMappings.username')).toBeLessThan(at('claimMappings.groups'));
    expect(at('claimMappings.groups')).toBeLessThan(at('claimValidationRules[0]'));
    expect(stdout).toContain('→ "i:jane"');
    expect(stdout).toContain('→ ["r:dev","r:ops"]');
    expect(stdout).toMatch(/claims\.hd → "?evil\.example/);
    expect(stdout).not.toContain('userValidationRules');
    expect(stdout).toMatch(/✗ .*claimValidationRules\[0\]/);
  });
  test('the authenticator of the token is first, and each other one is a line', async () => {
    const { stdout } = await whoami([...input, '--explain']);
    const blocks = stdout.split('\n\n')[0]?.split(/\n(?=jwt)/) ?? [];
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      'jwt[0]  auth.yaml:4:3',
      'jwt[1]  auth.yaml:17:3  – iss is "https://issuer.example"; the issuer of this authenticator is "https://other.example"',
    ]);
    const second = { iss: 'https://other.example', aud: 'app', exp: jane.exp, email: 'jane' };
    const swapped = await whoami([...input, '--explain'], second);
    expect(swapped.stdout).toMatch(/^jwt\[1\] {2}auth\.yaml:17:3\n/);
    expect(swapped.stdout).toMatch(/\njwt\[0\] {2}auth\.yaml:4:3 {2}– iss is [^\n]*\n\n/);
    const unknown = await whoami([...input, '--explain'], { ...jane, iss: 'https://x.example' });
    expect(unknown.stdout).toMatch(/^jwt\[0\] .*– iss is .*\njwt\[1\] .*– iss is .*\n\n/);
  });
  test('prints no part of a token in any format', async () => {
    const parts = tokenOf(jane).split('.');
    for (const more of [[], ['--explain'], ['-o', 'json', '--explain'], ['-o', 'yaml', '-e']])
      for (const claims of [jane, { ...jane, sub: 1 }, { ...jane, exp: 1 }]) {
        const { stdout, stderr } = await whoami([...input, ...more], claims);
        for (const part of parts) expect(stdout + stderr).not.toContain(part.slice(0, 24));
      }
  });
  test('an artifact gives the same result', async () => {
    const compiled = await runCaptured(['compile', '-'], { files: { '-': config } });
    const of = async (text: string) =>
      JSON.parse((await whoami([...input, '-o', 'json'], jane, { 'auth.yaml': text })).stdout);
    expect(await of(compiled.stdout)).toEqual(await of(config));
  });
});

test('reports what would reject a token with these claims', async () => {
  const { code, stdout } = await whoami([...byClaims, '--explain'], { ...jane, aud: 'x', exp: 1 });
  expect(code).toBe(0);
  expect(stdout).toContain('aud is "x"; a token requires one of ["app"]');
  expect(stdout).toContain('exp is 1; a token would be expired');
  expect(stdout).toContain('not verified: claims have no signature');
});

test('reports on lines of their own what a token would be rejected for', async () => {
  const { code, stdout } = await whoami(byClaims, { ...jane, aud: 'x', exp: 1, nbf: 4e9 });
  expect(code).toBe(0);
  expect(stdout).toContain(`Not enforced: aud is "x"; a token requires one of ["app"].
Not enforced: exp is 1; a token would be expired.
Not enforced: nbf is 4000000000; a token would not be valid yet.
Claims only: signature, audience and times were not enforced.
`);
  expect((await whoami(byClaims)).stdout).not.toContain('Not enforced');
  const { aud: _, exp: __, ...rest } = jane;
  expect((await whoami(byClaims, rest)).stdout).not.toContain('Not enforced');
  const json = JSON.parse((await whoami([...byClaims, '-o', 'json'], { ...jane, exp: 1 })).stdout);
  expect(schemaErrors('whoami.v1', json)).toEqual([]);
  expect(json.unenforced).toEqual(['exp is 1; a token would be expired']);
});

describe('--strict', () => {
  // The same claims as a token are the reference.
  test.each<[string, object, string | undefined]>([
    ['valid claims', jane, undefined],
    ['a wrong audience', { ...jane, aud: 'x' }, 'AG5009'],
    ['no audience', { ...jane, aud: undefined }, 'AG5009'],
    ['an expired token', { ...jane, exp: 1 }, 'AG5010'],
    ['no expiry', { ...jane, exp: undefined }, 'AG5010'],
    ['a token for later', { ...jane, nbf: 4e9 }, 'AG5011'],
    ['a mistyped expiry', { ...jane, exp: 'soon' }, 'AG5007'],
    ['a rule', { ...jane, hd: 'x' }, 'AG5019'],
  ])('decides like a token: %s', async (_, claims, reason) => {
    const decide = async (input: readonly string[]) =>
      JSON.parse((await whoami([...input, '-o', 'json'], claims)).stdout);
    const strict = await decide([...byClaims, '--strict']);
    const token = await decide(byToken);
    expect(strict.reason?.code).toBe(reason);
    expect([strict.decision, strict.reason?.message]).toEqual([
      token.decision,
      token.reason?.message,
    ]);
  });

  test('is only for claims', async () => {
    const { code, stderr } = await whoami([...byToken, '--strict']);
    expect(code).toBe(2);
    expect(stderr).toContain('--strict can only be used with --claims');
  });
});

describe('claims on the command line', () => {
  test('are a JSON object', async () => {
    const { code, stdout } = await whoami(['--claims', JSON.stringify(jane)]);
    expect(code).toBe(0);
    expect(stdout).toContain('Username                  i:jane');
  });
  test.each([
    ['{"sub":"jane"', '--claims:1:14: unexpected end of JSON input'],
    ['{"sub":jane}', "--claims:1:8: invalid character 'j' looking for beginning of value"],
    ['{\n  "a": "ü", b}', `--claims:2:13: invalid character 'b' looking for beginning of object`],
    ['{} {}', "--claims:1:4: invalid character '{' after top-level value"],
    ['[1]', 'open [1]: no such file or directory'],
  ])('%s fails', async (text, message) => {
    const { code, stderr } = await whoami(['--claims', text]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
  });
  test.each([
    ['claims.json', '\n[1]', 'claims.json:2:1: the claims must be a JSON object'],
    ['claims.yaml', 'a: b\na: c\n', 'claims.yaml:2:1: '],
  ])('an error in the file %s has its location', async (name, text, message) => {
    const { code, stderr } = await whoami(['--claims', name], jane, { [name]: text });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('members of system:masters', () => {
  const admin = { ...jane, roles: ['x'], m: ['system:masters'] };
  const text = config.replace(
    `{expression: 'dyn(claims.?roles.orValue([])).map(r, "r:" + r)'}`,
    '{expression: "claims.?m.orValue([])"}',
  );
  test('are marked', async () => {
    const files = { 'auth.yaml': text };
    const { code, stdout } = await whoami(byClaims, admin, files);
    expect(code).toBe(0);
    expect(stdout).toContain(
      '\nMembers of system:masters have full control of the cluster, whatever its roles are.\n',
    );
    expect((await whoami(byClaims, jane, files)).stdout).not.toContain('full control');
  });
  test('may impersonate because of the group', async () => {
    const args = [...byClaims, '--as', 'root', '-o', 'json'];
    const { code, stdout } = await whoami(args, admin, { 'auth.yaml': text });
    expect(code).toBe(0);
    const { questions } = JSON.parse(stdout).impersonation;
    expect(questions.length).toBeGreaterThan(0);
    for (const { reason } of questions) expect(reason).toBe('allowed by group system:masters');
  });
});

test('claims without iss belong to the only authenticator', async () => {
  const { iss: _, ...rest } = jane;
  const alone = config.slice(0, config.indexOf('- issuer:\n    url: https://other'));
  const { code, stdout } = await whoami([...byClaims, '-e'], rest, { 'auth.yaml': alone });
  expect(code).toBe(0);
  expect(stdout).toContain('the claims have no iss');
  expect((await whoami(byClaims, rest)).code).toBe(1);
});

test('rejects an expired token only as of the given time', async () => {
  const late = ['--now', '2026-01-31T12:10:01Z'];
  expect((await whoami([...byToken, ...late])).stdout).toContain('AG5010');
  expect((await whoami(byToken)).code).toBe(0);
});

test.each([
  ['pasted with its scheme', (token: string) => `Authorization: Bearer ${token}\r\n`],
  ['with white space around', (token: string) => `\n  ${token}  \n\n`],
])('a token %s', async (_, form) => {
  const { code } = await whoami(byToken, jane, { token: form(tokenOf(jane)) });
  expect(code).toBe(0);
});

test('keys by issuer', async () => {
  const keys = JSON.stringify({ 'https://issuer.example': JSON.parse(jwks) });
  expect((await whoami(byToken, jane, { 'keys.json': keys })).code).toBe(0);
  const other = JSON.stringify({ 'https://other.example': JSON.parse(jwks) });
  const { code, stderr } = await whoami(byToken, jane, { 'keys.json': other });
  expect(code).toBe(2);
  expect(stderr).toContain('keys.json contains no keys of https://issuer.example\n');
});

test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
  ['no input', [], {}, 'specify --claims JSON|FILE, --token-file FILE or --request FILE'],
  [
    'two inputs',
    [...byClaims, '--token-file', 'token'],
    {},
    '--claims and --token-file are mutually exclusive',
  ],
  ['no keys', ['--token-file', 'token'], {}, 'the keys of the issuer are required'],
  ['keys twice', [...byToken, '--fetch'], {}, '--jwks and --fetch are mutually exclusive'],
  ['broken keys', byToken, { 'keys.json': '[]' }, 'keys.json: the key set is not a JSON object'],
  [
    'no key sets',
    byToken,
    { 'keys.json': '{}' },
    'keys.json contains no keys of https://issuer.exa',
  ],
  ['an empty key set', byToken, { 'keys.json': '{"keys":[]}' }, 'the key set contains no keys'],
  [
    'an empty input',
    ['--token-file', '-', '--jwks', 'keys.json'],
    { '-': ' ' },
    'standard input is empty',
  ],
  ['an empty file', byToken, { token: '\n' }, 'error: token is empty'],
  ['no token', byToken, { token: 'junk' }, 'token is not a JWT'],
  ['a token as an argument', ['--token', tokenOf(jane)], {}, 'Did you mean --token-file?'],
  ['a token as claims', ['--claims', 'token'], {}, 'It looks like a token: use --token-file.'],
  [
    'broken claims',
    byClaims,
    { 'claims.json': '{' },
    'claims.json:1:2: unexpected end of JSON input',
  ],
  ['a bad time', [...byClaims, '--now', 'noon'], {}, 'must be a time such as'],
  [
    'two standard inputs',
    ['--token-file', '-', '--jwks', '-'],
    {},
    'only one file can be standard input',
  ],
  ['a missing file', ['--claims', 'x.json'], {}, 'open x.json: no such file or directory'],
])('%s fails', async (_, args, files, words) => {
  const { code, stdout, stderr } = await whoami(args, jane, files);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(words);
});

test.each([
  ['a similar claim', { email_verified: true }, 'The claims contain email_verified: correct the'],
  ['no similar claim', { verified: true }, 'Write .?email_verifed instead of .email_verifed'],
])('a missing claim, with %s', async (_, further, help) => {
  const rule = "claimValidationRules: [{expression: 'claims.email_verifed == true'}]";
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: 'https://i.example', audiences: [a]}
  claimMappings: {username: {claim: sub, prefix: ''}}
  ${rule}
`;
  const given = JSON.stringify({ iss: 'https://i.example', aud: 'a', sub: 'jane', ...further });
  const args = ['whoami', '-c', 'a.yaml', '--claims', given];
  const { code, stdout } = await runCaptured(args, { files: { 'a.yaml': text } });
  expect(code).toBe(1);
  expect(stdout).toContain(help);
});
test('requires a configuration', async () => {
  const { code, stderr } = await runCaptured(['whoami', '--claims', 'x']);
  expect(code).toBe(2);
  expect(stderr).toContain('specify a configuration file, or - for standard input');
});

test('claims with the names of inherited object properties', async () => {
  const text = config.replace('{claim: sub, prefix: "i:"}', '{claim: toString, prefix: "i:"}');
  const { code, stdout } = await whoami(byClaims, jane, { 'auth.yaml': text });
  expect(code).toBe(1);
  expect(stdout).toContain('oidc: parse username claims "toString": claim not present');
});

test.each<[string, string, readonly string[]]>([
  [
    'a missing claim',
    'claims.nope',
    ['claims.nope → error: no such key: nope', 'no such key: nope'],
  ],
  [
    'has and an optional',
    'has(claims.hd) ? claims.?x.orValue("none") : "n"',
    ['has(claims.hd) → true', 'claims.?x → absent'],
  ],
  [
    'a number beyond doubles',
    'string(size(claims.roles)) + string(9007199254740993)',
    ['claims.roles → ["dev","ops"]'],
  ],
  ['a whole number', '1', ['→ 1', 'username claim expression must return a string']],
  ['a branch not taken', 'claims.sub != "" ? claims.sub : claims.other', ['claims.sub → "jane"']],
  [
    'an index',
    'claims.roles[1] + claims["hd"]',
    ['claims.roles[1] → "ops"', 'claims["hd"] → "example.com"'],
  ],
  [
    'inside a loop',
    'dyn(claims.roles).exists(r, r == claims.sub) ? "a" : "b"',
    ['claims.sub → "jane"'],
  ],
])('the values of an expression: %s', async (_, expression, lines) => {
  const text = config.replace(
    '{claim: sub, prefix: "i:"}',
    `{expression: ${JSON.stringify(expression)}}`,
  );
  const { stdout, stderr } = await whoami([...byClaims, '--explain'], jane, { 'auth.yaml': text });
  expect(stderr).toBe('');
  for (const line of lines) expect(stdout).toContain(line);
  expect(stdout).not.toContain('claims.other →');
  const json = await whoami([...byClaims, '-e', '-o', 'json'], jane, { 'auth.yaml': text });
  expect(schemaErrors('whoami.v1', JSON.parse(json.stdout))).toEqual([]);
});

describe('--as', () => {
  const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: helpdesk}
rules:
- {apiGroups: [""], resources: [users], verbs: [impersonate], resourceNames: [joe]}
- {apiGroups: [authentication.platform.io], resources: [userextras/scopes], verbs: [impersonate]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: helpdesk}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: helpdesk}
subjects: [{kind: Group, name: "r:ops"}]
`;
  const files = { 'roles.yaml': roles };
  const byRoles = [...byClaims, '--rbac-file', 'roles.yaml'];
  const allowed =
    'RBAC: allowed by ClusterRoleBinding "helpdesk" of ClusterRole "helpdesk" to Group "r:ops"';

  test('allowed: prints the resulting user and the binding', async () => {
    const args = [...byRoles, '--as', 'joe', '--as-user-extra', 'Scopes=view'];
    const { code, stdout, stderr } = await whoami(args, jane, files);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('impersonating\n  Username      joe\n');
    expect(stdout).toContain(`  allowed  impersonate users "joe" (${allowed})\n`);
    expect(stdout).toContain(
      '  allowed  impersonate userextras/scopes.authentication.k8s.io "view"',
    );
  });

  test.each([
    ['newest release', [], 'cannot impersonate-on:user-info:create resource "selfsubjectreviews"'],
    ['older release', ['--target-version', '1.35'], 'cannot impersonate resource "users"'],
  ])('denied with the message of the server: %s', async (_, more, words) => {
    const { code, stdout } = await whoami([...byRoles, '--as', 'root', ...more], jane, files);
    expect(code).toBe(1);
    expect(stdout).toContain('cannot impersonate "root": the request would get a 403\n');
    expect(stdout).toContain(words);
    expect(stdout).toContain('  denied   impersonate users "root"\n');
  });

  test.each(['k8s.io', 'platform.io'])(
    'checks and errors use the domain %s of the file',
    async (domain) => {
      const config = `apiVersion: apiserver.config.${domain}/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example.com, audiences: [app]}
  claimMappings: {username: {claim: sub, prefix: ""}}
`;
      const claims = {
        iss: 'https://issuer.example.com',
        aud: 'app',
        sub: 'ann',
        exp: 4_102_444_800,
      };
      const args = ['whoami', '-c', 'domain.yaml', '--claims', 'claims.json', '--as', 'root'];
      const files = { 'domain.yaml': config, 'claims.json': JSON.stringify(claims) };
      const { code, stdout } = await runCaptured(args, { files });
      expect(code).toBe(1);
      expect(stdout).toContain(`in API group "authentication.${domain}"`);
      const other = domain === 'k8s.io' ? 'platform.io' : 'k8s.io';
      expect(stdout).not.toContain(`authentication.${other}`);
    },
  );

  test('reports missing roles', async () => {
    const { code, stdout } = await whoami([...byClaims, '--as', 'root']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'No roles are specified with --rbac-file, so only the bootstrap roles apply.',
    );
  });

  test.each(['joe', 'root'])('as data: %s', async (name) => {
    const args = [...byRoles, '--as', name];
    const json = JSON.parse((await whoami([...args, '-o', 'json'], jane, files)).stdout);
    expect(schemaErrors('whoami.v1', json)).toEqual([]);
    expect(json.impersonation.decision).toBe(name === 'joe' ? 'allowed' : 'denied');
    expect(parse((await whoami([...args, '-o', 'yaml'], jane, files)).stdout)).toEqual(json);
  });

  test.each([
    [['--as-group', 'dev'], 'requesting uid, groups or user-extra without impersonating a user'],
    [['--as', 'joe', '--as-user-extra', 'x'], 'must be KEY=VALUE'],
    [['--rbac-file', 'roles.yaml'], '--rbac-file can only be used with --as'],
    [
      ['--as', 'joe', '--rbac-file', 'auth.yaml'],
      'auth.yaml:1:1: expected a Role, ClusterRole, RoleBinding or ClusterRoleBinding',
    ],
    [['--as', 'joe', '--rbac-file', 'none.yaml'], 'open none.yaml: no such file or directory'],
  ])('fails: %j', async (args, words) => {
    const { code, stdout, stderr } = await whoami([...byClaims, ...args], jane, files);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

test('an unreachable issuer is not a rejection', async () => {
  const text = config.replaceAll('https://issuer.example', 'https://127.0.0.1:9');
  const claims = { ...jane, iss: 'https://127.0.0.1:9' };
  const { code, stdout, stderr } = await runCaptured(
    ['whoami', '-c', 'auth.yaml', '--token-file', 'token', '--fetch'],
    { files: { 'auth.yaml': text, token: tokenOf(claims) } },
  );
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('error: the keys of https://127.0.0.1:9 could not be fetched\n');
  expect(stderr).toMatch(/refused|connect/);
});

test('fetches keys from a live identity provider', async () => {
  const authority = testAuthority();
  const provider = await startIdentityProvider(authority, 'app');
  try {
    const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${provider.issuer}
    audiences: [app]
    certificateAuthority: |
${authority.pem.replaceAll(/^/gm, '      ')}
  claimMappings:
    username: {claim: sub, prefix: "p:"}
`;
    const files = { 'auth.yaml': text, token: await provider.token() };
    const input = ['whoami', '-c', 'auth.yaml', '--token-file', 'token'];
    const fetched = await runCaptured([...input, '--fetch'], { files });
    expect(fetched).toMatchObject({ code: 0, stderr: '' });
    expect(fetched.stdout).toContain('Username');
    const asked = provider.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect((await runCaptured(input, { files })).code).toBe(2);
    expect(provider.requests).toHaveLength(asked);
  } finally {
    await provider.stop();
  }
});

describe('claims in YAML, if the file name says so', () => {
  const files = {
    'auth.yaml': config,
    'jane.claims.yaml': 'iss: https://other.example\nemail: j@x\n',
  };
  test('are accepted', async () => {
    const args = ['whoami', '-c', 'auth.yaml', '--claims', 'jane.claims.yaml'];
    const { code, stdout } = await runCaptured(args, { files });
    expect(code).toBe(0);
    expect(stdout).toContain('Username  j@x');
  });
  test('have to be a map', async () => {
    const args = ['whoami', '-c', 'auth.yaml', '--claims', 'jane.claims.yaml'];
    const given = { ...files, 'jane.claims.yaml': '- iss\n' };
    const { code, stderr } = await runCaptured(args, { files: given });
    expect(code).toBe(2);
    expect(stderr).toContain('jane.claims.yaml:1:1: claims must be a map');
  });
});
