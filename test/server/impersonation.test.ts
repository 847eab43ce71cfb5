/** Requests to act as somebody else: all refused, in the words of the real server. */
import { afterEach, describe, expect, test } from 'vitest';
import { defaultGates } from '../../engine/src/model/feature-gates.ts';
import { headerList } from '../../engine/src/model/header-list.ts';
import { requestInfo } from '../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../engine/src/server/http/target.ts';
import { impersonationRefusal, readImpersonation } from '../../engine/src/server/impersonation.ts';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { cases } from '../support/cases.ts';
import { type FakeOptions, reach, startFake } from '../support/fake-stage.ts';
import { rawExchange } from '../support/raw-exchange.ts';

interface RecordedRequest {
  readonly headers: readonly (readonly [string, string])[];
  readonly method?: string;
  readonly target?: string;
  readonly requestor?: { readonly username: string };
}

interface RecordedAnswer {
  readonly status: number;
  readonly authorizationChecks?: readonly string[];
  readonly body?: { readonly message: string; readonly details?: object };
}

interface Recorded {
  readonly id: string;
  readonly title: string;
  readonly config: { readonly mode?: string };
  readonly input: { readonly requests: readonly RecordedRequest[] };
  readonly expect: { readonly responses: readonly RecordedAnswer[] };
}

const recorded = cases('conformance/modules/impersonation.jsonl') as unknown as readonly Recorded[];

/** Answers of a server on which nobody holds any permission: the first question is denied. */
const denied = recorded.flatMap((one) =>
  one.input.requests.flatMap((request, index) => {
    const answer = one.expect.responses[index];
    const [first = '-> deny'] = answer?.authorizationChecks ?? [];
    // One authorizer tells more than that it denies.
    const isTold = one.title.includes('error') || answer?.body?.message.includes('RBAC:');
    return answer?.body === undefined || !first.endsWith('-> deny') || isTold
      ? []
      : [[`${one.id} ${one.title}`, { request, answer, mode: one.config.mode ?? '' }] as const];
  }),
);

describe('recorded denials', () => {
  test('there are some of both modes', () => {
    const modes = denied.map(([, { mode }]) => mode);
    expect(modes.filter((mode) => mode === 'legacy').length).toBeGreaterThanOrEqual(5);
    expect(modes.filter((mode) => mode === 'constrained').length).toBeGreaterThanOrEqual(10);
  });

  test.each(denied)('%s', (_, { request, answer, mode }) => {
    const wanted = readImpersonation(headerList(request.headers.flat()));
    const target = parseTarget(request.target ?? '/api/v1/namespaces/default/pods');
    if (wanted === undefined || target === undefined) throw new Error('not read');
    const user = {
      username: request.requestor?.username ?? '',
      uid: '',
      groups: [],
      extra: new Map(),
    };
    const error = impersonationRefusal(wanted, user, {
      info: requestInfo(request.method ?? 'GET', target),
      constrained: mode === 'constrained',
    });
    const { code, message, details } = error;
    const told = Object.entries(details ?? {}).filter(([, value]) => value !== '');
    expect({ code, message, details: Object.fromEntries(told) }).toEqual({
      code: answer.status,
      message: answer.body?.message,
      details: answer.body?.details ?? {},
    });
  });
});

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(100)));
});

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const whoami = async (token: string | undefined, fields: readonly string[], fake?: FakeOptions) => {
  const server = await startFake(fake);
  running.push(server);
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
      'a caller who may do all else',
      'tok-admin',
      ['Impersonate-User: x'],
      403,
      constrained('admin'),
    ],
    ['nobody', undefined, ['Impersonate-User: jane'], 403, constrained('system:anonymous')],
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
      'an empty name beside a group',
      'tok-alice',
      ['Impersonate-User: ', 'Impersonate-User: root', 'Impersonate-Group: dev'],
      400,
      nameless('UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)'),
    ],
    ['a token that nobody knows', 'wrong', ['Impersonate-User: root'], 401, 'Unauthorized'],
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
    const { status: told, body } = await whoami('tok-alice', [field], classic);
    expect({ status: told, message: body.message }).toEqual({ status, message });
  });

  test.each([
    [['Impersonate-User: ']],
    [['Impersonate-Uid: ']],
    [['Impersonate-Name: root', 'Impersonate: root', 'X-Impersonate-User: root']],
  ])('what asks for nothing is answered as ever: %j', async (fields) => {
    const { status, body } = await whoami('tok-alice', fields);
    expect(status).toBe(201);
    expect(body.status.userInfo.username).toBe('alice');
  });
});
