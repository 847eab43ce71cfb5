/** What impersonation caches, and the invariants that hold for every attempt. */
import { describe, expect, test } from 'vitest';
import type { UserInfo } from '../../../engine/src/model/user-info.ts';
import type { AuthorizationRequest } from '../../../engine/src/ports/authorizer.ts';
import {
  type AuthorizationAttributes,
  impersonator,
} from '../../../engine/src/runtime/impersonate.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const person = (username: string, more: Partial<UserInfo> = {}): UserInfo => ({
  username,
  uid: '',
  groups: [],
  extra: new Map(),
  ...more,
});

const caller = person('boss', { uid: 'b-1', groups: ['bosses'], extra: new Map([['k', ['v']]]) });
const listPods: AuthorizationAttributes = {
  resource: { verb: 'list', group: '', resource: 'pods' },
};
const listNodes: AuthorizationAttributes = {
  resource: { verb: 'list', group: '', resource: 'nodes' },
};

interface SetUpOptions {
  readonly allows: (asked: string) => boolean;
  readonly constrained?: boolean;
  readonly domain?: string;
}

/** `impersonate users jane` */
const permissionOf = ({ resource, nonResource }: Omit<AuthorizationRequest, 'user'>): string => {
  if (resource === undefined) return `${nonResource?.verb} ${nonResource?.path}`;
  const { verb, resource: kind, subresource, name } = resource;
  const whole = subresource === undefined ? kind : `${kind}/${subresource}`;
  return name === undefined ? `${verb} ${whole}` : `${verb} ${whole} ${name}`;
};

const setUp = ({ allows, constrained = true, domain = 'k8s.io' }: SetUpOptions) => {
  const ports = fakePorts();
  const asked: string[] = [];
  const impersonate = impersonator({
    ...ports,
    constrained,
    domain,
    authorizer: {
      authorize: (request) => {
        asked.push(permissionOf(request));
        return { allowed: allows(permissionOf(request)), reason: '' };
      },
    },
  });
  const act = async (wanted: UserInfo, more: Partial<AttemptOptions> = {}) => {
    const { scope, ...rest } = { request: listPods, scope: '', requestor: caller, ...more };
    asked.length = 0;
    const outcome = await impersonate({ requested: wanted, scope, ...rest });
    return { outcome, asked: [...asked] };
  };
  return { act, clock: ports.clock, counted: ports.counted };
};
interface AttemptOptions {
  readonly request: AuthorizationAttributes;
  readonly scope: string | undefined;
  readonly requestor: UserInfo;
}

const everything = () => true;
const legacyOnly = (asked: string) => asked.startsWith('impersonate ');

describe('caching', () => {
  test('keeps an allowed request for ten seconds from the check', async () => {
    const { act, clock } = setUp({ allows: everything });
    const jane = person('jane');
    expect((await act(jane)).asked).toEqual([
      'impersonate-on:user-info:list pods',
      'impersonate:user-info users jane',
    ]);
    clock.advance(9_999);
    expect((await act(jane)).asked).toEqual([]);
    clock.advance(1);
    expect((await act(jane)).asked.length).toBe(2);
  });

  test('keeps an allowed user for other requests, and hits do not extend it', async () => {
    const { act, clock } = setUp({ allows: everything });
    await act(person('jane'));
    clock.advance(6_000);
    const other = await act(person('jane'), { request: listNodes });
    expect(other.asked).toEqual(['impersonate-on:user-info:list nodes']);
    clock.advance(4_000);
    const later = await act(person('jane'), {
      request: { nonResource: { verb: 'get', path: '/' } },
    });
    expect(later.asked).toEqual([
      'impersonate-on:user-info:get /',
      'impersonate:user-info users jane',
    ]);
  });

  test.each<[string, Partial<AttemptOptions>, number]>([
    ['another scope', { scope: 'other' }, 1],
    ['an unknown scope, twice', { scope: undefined }, 1],
    ['another caller of the same name', { requestor: { ...caller, groups: [] } }, 2],
    ['a caller with another UID', { requestor: { ...caller, uid: '' } }, 2],
    ['a caller with other extra values', { requestor: { ...caller, extra: new Map() } }, 2],
  ])('checks %s again', async (_, rest, count) => {
    const { act } = setUp({ allows: everything });
    await act(person('jane'));
    if (rest.scope === undefined && 'scope' in rest) await act(person('jane'), rest);
    expect((await act(person('jane'), rest)).asked.length).toBe(count);
  });

  test('never keeps a denial', async () => {
    let allowed = false;
    const { act } = setUp({ allows: () => allowed });
    expect((await act(person('jane'))).outcome.kind).toBe('denied');
    allowed = true;
    expect((await act(person('jane'))).outcome.kind).toBe('impersonated');
  });

  test('does not apply to the legacy mode', async () => {
    const { act } = setUp({ allows: everything, constrained: false });
    for (let time = 0; time < 2; time += 1) {
      expect((await act(person('jane'))).asked).toEqual(['impersonate users jane']);
    }
  });

  test('keeps the last successful mode, which is tried first, also for another user', async () => {
    const { act } = setUp({ allows: legacyOnly });
    expect((await act(person('jane'))).asked).toEqual([
      'impersonate-on:user-info:list pods',
      'impersonate users jane',
    ]);
    expect((await act(person('joe'))).asked).toEqual(['impersonate users joe']);
    expect((await act(person('joe'), { requestor: person('other') })).asked.length).toBe(2);
  });
});

describe('a service account and its node', () => {
  const nodeKey = 'authentication.kubernetes.io/node-name';
  const agent = (node: string, key = nodeKey) =>
    person('system:serviceaccount:ns:agent', { extra: new Map([[key, [node]]]) });
  const asked = ['impersonate-on:associated-node:list pods', 'impersonate:associated-node nodes *'];
  const own = (text: string) => text.includes('associated-node');

  test('are authorized and cached without the node’s name', async () => {
    const { act } = setUp({ allows: own });
    const first = await act(person('system:node:n1'), { requestor: agent('n1') });
    expect(first).toMatchObject({
      asked,
      outcome: {
        user: { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
      },
    });
    const second = await act(person('system:node:n2'), { requestor: agent('n2') });
    expect(second).toMatchObject({ asked: [], outcome: { user: { username: 'system:node:n2' } } });
  });

  test.each([
    ['another node', 'system:node:n2', agent('n1')],
    [
      'two nodes',
      'system:node:n1',
      person('system:serviceaccount:ns:agent', { extra: new Map([[nodeKey, ['n1', 'n1']]]) }),
    ],
    ['no account', 'system:node:n1', { ...agent('n1'), username: 'agent' }],
  ])('do not apply to %s', async (_, username, requestor) => {
    const { act } = setUp({ allows: own });
    expect((await act(person(username), { requestor })).outcome.kind).toBe('denied');
  });

  test('use the extra key of the domain', async () => {
    const requestor = agent('n1', 'authentication.platform.io/node-name');
    const { act } = setUp({ allows: own, domain: 'platform.io' });
    expect((await act(person('system:node:n1'), { requestor })).outcome.kind).toBe('impersonated');
  });
});

describe('INV-I2 all or nothing', () => {
  const wanted = person('jane', {
    uid: 'u',
    groups: ['dev', 'ops'],
    extra: new Map([['example.com/team', ['red', 'blue']]]),
  });
  const questions = [
    'users jane',
    'uids u',
    'groups dev',
    'groups ops',
    'userextras/example.com/team red',
    'userextras/example.com/team blue',
  ];

  test.each(
    [true, false].flatMap((constrained) => questions.map((missing) => ({ constrained, missing }))),
  )('%j', async ({ constrained, missing }) => {
    const { act } = setUp({ allows: (asked) => !asked.endsWith(` ${missing}`), constrained });
    const { outcome } = await act(wanted);
    expect(outcome.kind).toBe('denied');
    expect('user' in outcome).toBe(false);
  });

  test('all permissions allow the whole identity', async () => {
    for (const constrained of [true, false]) {
      const { act } = setUp({ allows: everything, constrained });
      const groups = [...wanted.groups, 'system:authenticated'];
      expect((await act(wanted)).outcome).toMatchObject({ user: { ...wanted, groups } });
    }
  });

  test('an authorizer that fails allows nothing', async () => {
    for (const constrained of [true, false]) {
      const impersonate = impersonator({
        ...fakePorts(),
        constrained,
        domain: 'k8s.io',
        authorizer: { authorize: () => ({ allowed: false, reason: '', error: 'down' }) },
      });
      const asked = { requested: wanted, requestor: caller, request: listPods, scope: '' };
      expect(await impersonate(asked)).toMatchObject({
        kind: 'denied',
        reason: constrained ? 'down' : '',
      });
    }
  });
});

describe('INV-I3 nothing of the caller', () => {
  test.each([
    [person('jane'), ['system:authenticated']],
    [person('jane', { groups: ['system:unauthenticated'] }), ['system:unauthenticated']],
    [person('jane', { groups: ['system:authenticated', 'dev'] }), ['system:authenticated', 'dev']],
    [person('system:anonymous'), ['system:unauthenticated']],
    [
      person('system:anonymous', { groups: ['system:authenticated'] }),
      ['system:authenticated', 'system:unauthenticated'],
    ],
    [
      person('system:serviceaccount:ns:robot'),
      ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    ],
    [
      person('system:serviceaccount:ns:robot', { groups: ['dev'] }),
      ['dev', 'system:authenticated'],
    ],
    [person('system:serviceaccount:NS:robot'), ['system:authenticated']],
    [person('boss'), ['system:authenticated']],
  ])('%j', async (wanted, groups) => {
    for (const constrained of [true, false]) {
      const { act } = setUp({ allows: legacyOnly, constrained });
      const { outcome } = await act(wanted);
      expect(outcome).toMatchObject({ kind: 'impersonated', user: { ...wanted, groups } });
    }
  });
});

test('attempts and authorizations are counted by mode', async () => {
  const { act, counted } = setUp({ allows: (asked) => !asked.includes('joe') });
  await act(person('jane'));
  await act(person('joe'));
  const name = 'apiserver_impersonation_';
  expect(Object.fromEntries([...counted].filter(([key]) => key.includes('_total')))).toEqual({
    [`${name}attempts_total{"mode":"user-info","decision":"allowed"}`]: 1,
    [`${name}attempts_total{"mode":"","decision":"denied"}`]: 1,
    [`${name}authorization_attempts_total{"mode":"user-info","decision":"allowed"}`]: 3,
    [`${name}authorization_attempts_total{"mode":"user-info","decision":"denied"}`]: 1,
    [`${name}authorization_attempts_total{"mode":"legacy","decision":"denied"}`]: 1,
  });
});
