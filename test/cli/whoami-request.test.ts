/** `authgraph whoami --request`: whole requests, decided by every authenticator in the server's order. */
import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous: {enabled: true, conditions: [{path: /livez}]}
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings: {username: {claim: sub, prefix: "a:"}, groups: {claim: groups, prefix: "a:"}}
`;

const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: support}
rules:
- {apiGroups: [""], resources: [users], resourceNames: [support], verbs: [impersonate]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: support}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: support}
subjects: [{kind: User, name: "a:jane"}]
`;

const secret = `apiVersion: v1
kind: Secret
metadata: {name: bootstrap-token-abcdef, namespace: kube-system}
type: bootstrap.kubernetes.io/token
stringData:
  token-id: abcdef
  token-secret: 0123456789abcdef
  usage-bootstrap-authentication: "true"
`;

const { path: folder, write } = temporaryFolder();
write('tokens.csv', 'static-token-of-carol,carol,u-3,"dev,ops"\n');

const files = { 'auth.yaml': configuration, 'roles.yaml': roles, 'secret.yaml': secret };

/** The request file is in a folder on disk, where the flags of modules find theirs. */
const decide = async (request: string, args: readonly string[] = []) => {
  const inFolder = Object.fromEntries(
    Object.entries({ ...files, 'request.yaml': request }).map(([name, text]) => [
      `${folder}/${name}`,
      text,
    ]),
  );
  const path = (name: string): string => `${folder}/${name}`;
  return runCaptured(
    ['whoami', path('auth.yaml'), '--request', path('request.yaml'), '-o', 'json', ...args],
    { files: inFolder },
  );
};

describe('every authenticator', () => {
  test.each([
    ['jwt', 'claims: {sub: jane}', 'a:jane'],
    [
      'static-token',
      'flags: [--token-auth-file=tokens.csv]\nheaders: {Authorization: Bearer static-token-of-carol}',
      'carol',
    ],
    [
      'bootstrap-token',
      'flags: [--enable-bootstrap-token-auth]\nobjects: [secret.yaml]\nheaders: {authorization: bearer abcdef.0123456789abcdef}',
      'system:bootstrap:abcdef',
    ],
    ['client-certificate', 'certificate: {commonName: bob, organizations: [x]}', 'bob'],
    [
      'authenticating-proxy',
      'flags: [--requestheader-username-headers=X-Remote-User]\ncertificate: {commonName: proxy, issuedBy: requestheader-client-ca}\nheaders: {X-Remote-User: ann}',
      'ann',
    ],
    ['anonymous', 'path: /livez', 'system:anonymous'],
  ])('%s', async (by, request, username) => {
    const { code, stdout, stderr } = await decide(request, ['--explain']);
    expect([code, stderr]).toEqual([0, '']);
    const data = JSON.parse(stdout);
    expect(schemaErrors('whoami.v1', data)).toEqual([]);
    expect([data.by, data.user.username]).toEqual([by, username]);
  });

  test('a client certificate decides before a token', async () => {
    const { stdout } = await decide('certificate: {commonName: bob}\nclaims: {sub: jane}');
    expect(JSON.parse(stdout)).toMatchObject({
      by: 'client-certificate',
      user: { username: 'bob' },
    });
  });

  test('a rejected certificate does not prevent a token', async () => {
    const { stdout } = await decide(
      'certificate: {commonName: bob, issuedBy: unknown}\nclaims: {sub: jane}',
    );
    expect(JSON.parse(stdout)).toMatchObject({ by: 'jwt', user: { username: 'a:jane' } });
  });

  test('a WebSocket protocol carries a token', async () => {
    const token = Buffer.from('static-token-of-carol').toString('base64url');
    const { stdout } = await decide(
      `flags: [--token-auth-file=tokens.csv]\nheaders:\n  Connection: Upgrade\n  Upgrade: websocket\n  Sec-WebSocket-Protocol: "base64url.bearer.authorization.k8s.io.${token}, v4.channel.k8s.io"\n`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ by: 'static-token', user: { username: 'carol' } });
  });

  test('names outside of ASCII are those that the server reads', async () => {
    const { stdout } = await decide(
      'flags: [--requestheader-username-headers=X-Remote-User]\ncertificate: {commonName: proxy, issuedBy: requestheader-client-ca}\nheaders: {X-Remote-User: "Zoë"}',
    );
    expect(JSON.parse(stdout).user.username).toBe('Zoë');
  });
});

test('a request without a credential is rejected where anonymous requests are not allowed', async () => {
  const { code, stdout } = await decide('path: /api');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'rejected' });
});

describe('impersonation', () => {
  const request = (name: string): string =>
    `claims: {sub: jane}\nobjects: [roles.yaml]\nflags: [--feature-gates=ConstrainedImpersonation=false]\nimpersonate: {user: ${name}, extra: {Scopes: [a]}}\n`;

  test('is decided by the roles of the snapshot', async () => {
    const allowed = await decide(request('support').replace(', extra: {Scopes: [a]}', ''));
    expect(allowed.code).toBe(0);
    const data = JSON.parse(allowed.stdout);
    expect(schemaErrors('whoami.v1', data)).toEqual([]);
    expect(data.impersonation).toMatchObject({
      decision: 'allowed',
      user: { username: 'support' },
    });
  });

  test('is denied without a role, with the message of the server', async () => {
    const denied = await decide(request('admin'));
    expect(denied.code).toBe(1);
    expect(JSON.parse(denied.stdout).impersonation).toMatchObject({
      decision: 'denied',
      message: expect.stringContaining('cannot impersonate resource "users"'),
    });
  });

  test('needs a username', async () => {
    const { code, stderr } = await decide('claims: {sub: jane}\nimpersonate: {groups: [x]}\n');
    expect(code).toBe(2);
    expect(stderr).toContain('without impersonating a user');
  });
});

test('a token in a header field needs the keys of its issuer', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'ES256' })}.${part({ iss: 'https://issuer.example', sub: 'x' })}.c2ln`;
  const { code, stderr } = await decide(`headers: {Authorization: Bearer ${token}}`);
  expect(code).toBe(2);
  expect(stderr).toContain('the keys of the issuer are required');
  expect(stderr).not.toContain(token);
});

test.each([
  ['user: jane', 'AG3201'],
  ['path: [a]', 'must be a string'],
  ['headers: {"X Y": z}', 'is not a valid header field'],
  ['headers: {X: "a\\r\\nImpersonate-User: b"}', 'is not a valid header field'],
  ['flags: [--token-auth-file=none.csv]\npath: /api', 'no such file or directory'],
  ['flags: [--token-auth-file=../../../etc/passwd]\npath: /api', 'the path leaves'],
  ['flags: [--secure-port=1]\npath: /api', 'cannot be used in a test or a request file'],
  ['objects: [auth.yaml]\npath: /api', 'expected one of Namespace'],
  ['certificate: auth.yaml', 'must contain 1 to 32 PEM certificates'],
])('%j is a mistake', async (request, text) => {
  const { code, stderr } = await decide(request);
  expect(code).toBe(2);
  expect(stderr).toContain(text);
});

test('--request excludes other input', async () => {
  for (const more of [['--claims', '{}'], ['--token-file', 'x'], ['--as', 'x'], ['--strict']]) {
    const { code, stderr } = await decide('path: /api', more);
    expect(code).toBe(2);
    expect(stderr).toMatch(/mutually exclusive|cannot be used with --request|can only be used/);
  }
});
