/** Impersonation through the whole server: denied with kube-apiserver's messages, or allowed. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultGates } from '../../../engine/src/model/feature-gates.ts';
import { type FakeOptions, reach, startFake } from '../../support/fake-generation.ts';
import { rawExchange } from '../../support/raw-exchange.ts';

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const whoami = async (token: string | undefined, fields: readonly string[], fake?: FakeOptions) => {
  const server = await startFake(fake);
  onTestFinished(() => server.close(100));
  const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...fields,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const {
    status,
    headers,
    body: text,
  } = await rawExchange(reach(server), `${lines.join('\r\n')}\r\n\r\n${body}`);
  return { status, sniff: headers.get('x-content-type-options'), body: JSON.parse(text) };
};

const classic = { options: { featureGates: defaultGates(35) } };
const constrained = (user: string, mode = 'user-info') =>
  `selfsubjectreviews.authentication.k8s.io is forbidden: User "${user}" cannot impersonate-on:${mode}:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`;
const nameless = (fields: string) =>
  `requested &user.DefaultInfo{Name:"", ${fields}} without impersonating a user name`;

describe('through the server', () => {
  test.each([
    ['a user', 'tok-alice', ['Impersonate-User: root'], 403, constrained('alice')],
    ['the caller itself', 'tok-alice', ['impersonate-user: alice'], 403, constrained('alice')],
    [
      'unauthenticated',
      undefined,
      ['Impersonate-User: jane'],
      403,
      constrained('system:anonymous'),
    ],
    [
      'a service account',
      'tok-alice',
      ['Impersonate-User: system:serviceaccount:team:builder'],
      403,
      constrained('alice', 'serviceaccount'),
    ],
    [
      'a service account with groups: only the classic mode fits',
      'tok-alice',
      ['Impersonate-User: system:serviceaccount:team:builder', 'Impersonate-Group: dev'],
      403,
      'serviceaccounts "builder" is forbidden: User "alice" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "team"',
    ],
    [
      'a name that is no service account',
      'tok-alice',
      ['Impersonate-User: system:serviceaccount:Team:builder'],
      403,
      constrained('alice'),
    ],
    [
      'groups and a uid alone',
      'tok-alice',
      ['Impersonate-Group: dev', 'Impersonate-Uid: u"1', 'Impersonate-Group: '],
      400,
      nameless('UID:"u\\"1", Groups:[]string{"dev", ""}, Extra:map[string][]string(nil)'),
    ],
    [
      'extra alone',
      'tok-alice',
      ['Impersonate-Extra-B: 1', 'Impersonate-Extra-a%2fX: 2', 'impersonate-extra-b: 3'],
      400,
      nameless(
        'UID:"", Groups:[]string(nil), Extra:map[string][]string{"a/x":[]string{"2"}, "b":[]string{"1", "3"}}',
      ),
    ],
    [
      'an empty name with a group',
      'tok-alice',
      ['Impersonate-User: ', 'Impersonate-User: root', 'Impersonate-Group: dev'],
      400,
      nameless('UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)'),
    ],
    ['an unknown token', 'wrong', ['Impersonate-User: root'], 401, 'Unauthorized'],
  ] as const)('%s', async (_, token, fields, status, message) => {
    const answer = await whoami(token, fields);
    expect({ status: answer.status, message: answer.body.message }).toEqual({ status, message });
    expect(answer.sniff).toEqual(status === 401 ? undefined : ['nosniff']);
  });

  test.each([
    [
      'Impersonate-User: root',
      403,
      'users "root" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    ['Impersonate-Group: dev', 400, 'requested [{Group  dev    }] without impersonating a user'],
    [
      'Impersonate-Extra-Scopes: view',
      400,
      'requested [{UserExtra  view  authentication.k8s.io/v1  scopes}] without impersonating a user',
    ],
    [
      'Impersonate-Uid: u',
      400,
      'requested [{UID  u  authentication.k8s.io/v1  }] without impersonating a user',
    ],
  ] as const)('a release without constrained impersonation: %s', async (field, status, message) => {
    const { status: actualStatus, body } = await whoami('tok-alice', [field], classic);
    expect({ status: actualStatus, message: body.message }).toEqual({ status, message });
  });

  test.each([
    [['Impersonate-User: ']],
    [['Impersonate-Uid: ']],
    [['Impersonate-Name: root', 'Impersonate: root', 'X-Impersonate-User: root']],
  ])('is not requested by %j', async (fields) => {
    const { status, body } = await whoami('tok-alice', fields);
    expect(status).toBe(201);
    expect(body.status.userInfo.username).toBe('alice');
  });
});

describe('a user with all permissions', () => {
  test.each([
    ['a user', ['Impersonate-User: x'], { username: 'x', groups: ['system:authenticated'] }],
    [
      'with everything',
      [
        'Impersonate-User: x',
        'Impersonate-Uid: u-9',
        'Impersonate-Group: dev',
        'Impersonate-Extra-Example.com%2fTeam: red',
      ],
      {
        username: 'x',
        uid: 'u-9',
        groups: ['dev', 'system:authenticated'],
        extra: { 'example.com/team': ['red'] },
      },
    ],
    [
      'a service account',
      ['Impersonate-User: system:serviceaccount:team:builder'],
      {
        username: 'system:serviceaccount:team:builder',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated'],
      },
    ],
  ] as const)('is %s', async (_, fields, shown) => {
    for (const fake of [undefined, classic]) {
      const { status, body } = await whoami('tok-admin', fields, fake);
      expect({ status, shown: body.status.userInfo }).toEqual({ status: 201, shown });
    }
  });

  test('loses permissions that the other user does not have', async () => {
    const { status, body } = await whoami('tok-admin', ['Impersonate-User: system:anonymous']);
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message:
        'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    });
  });

  test.each([
    ['allowed', 'tok-admin', { decision: 'allowed', constraint: 'impersonate:user-info' }],
    ['denied', 'tok-alice', { decision: 'denied' }],
  ] as const)('INV-I4: both identities are logged, %s', async (_, token, logged) => {
    const lines: unknown[] = [];
    const decisionLog = {
      event: (_level: string, _message: string, fields?: object) => lines.push(fields),
    };
    const fields = ['Impersonate-User: jane', 'Impersonate-Group: dev'];
    await whoami(token, fields, {
      decisionLog,
      options: { decisionLogGroups: true, featureGates: defaultGates(36) },
    });
    expect(lines).toMatchObject([
      { username: token.slice(4), impersonation: { ...logged, username: 'jane' } },
    ]);
  });
});

describe('INV-I2: a request without a user name is a bad request, never ignored', () => {
  test.each(['Impersonate-Group: dev', 'Impersonate-Uid: u', 'Impersonate-Extra-Scopes: view'])(
    '%s',
    async (field) => {
      for (const token of ['tok-admin', 'tok-alice']) {
        for (const fake of [undefined, classic]) {
          const { status, body } = await whoami(token, [field], fake);
          expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'BadRequest' });
          expect(body.message).toContain('without impersonating a user');
        }
      }
    },
  );
});
