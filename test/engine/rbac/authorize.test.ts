/**
 * What roles allow, and why. The results were once compared with kube-apiserver's authorizer for
 * about ten thousand generated requests.
 */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import type { UserInfo } from '../../../engine/src/model/user-info.ts';
import type { AuthorizationRequest } from '../../../engine/src/ports/authorizer.ts';
import type { ObjectChange, ObjectView } from '../../../engine/src/ports/object-view.ts';
import { rbacAuthorizer } from '../../../engine/src/rbac/authorize.ts';
import { bootstrapView } from '../../../engine/src/rbac/bootstrap-roles.ts';
import { fixedView, resourceOfKind } from '../../../engine/src/rbac/fixed-view.ts';
import { readRoleManifests } from '../../../engine/src/rbac/role-manifests.ts';
import { rolePolicy } from '../../../engine/src/rbac/role-policy.ts';
import { stringOf } from '../../../engine/src/resources/object-fields.ts';

const objectsOf = (text: string) => {
  const { objects, problems } = readRoleManifests('roles.yaml', text);
  expect(problems).toEqual([]);
  return objects;
};

const role = (kind: string, name: string, rules: string) => `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata: {name: ${name}${kind === 'Role' ? ', namespace: team' : ''}}
rules: [${rules}]
`;
const binding = (kind: string, name: string, to: string, subjects: string) => `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata: {name: ${name}${kind === 'RoleBinding' ? ', namespace: team' : ''}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ${to.split('/')[0]}, name: ${to.split('/')[1]}}
subjects: [${subjects}]
`;
const toUser = '{kind: User, name: alice}';
const rule = (verbs: string, groups: string, resources: string, names = '') =>
  `{verbs: [${verbs}], apiGroups: [${groups}], resources: [${resources}]${names === '' ? '' : `, resourceNames: [${names}]`}}`;

/** A view whose objects change. */
const changingView = () => {
  const listeners = new Map<string, (change: ObjectChange) => void>();
  const view: ObjectView = {
    ...fixedView([]),
    onChange(resource, call) {
      listeners.set(resource, call);
      return () => listeners.delete(resource);
    },
  };
  const change = (kind: ObjectChange['kind'], objects: readonly JsonObject[]): void => {
    for (const object of objects) {
      listeners.get(resourceOfKind(stringOf(object.get('kind'))))?.({ kind, object });
    }
  };
  return { view, change };
};

const alice: UserInfo = { username: 'alice', uid: '', groups: ['dev'], extra: new Map() };
const builder: UserInfo = { ...alice, username: 'system:serviceaccount:team:builder', groups: [] };

const decide = (
  views: readonly ObjectView[],
  request: Omit<AuthorizationRequest, 'user'>,
  user = alice,
) => rbacAuthorizer(rolePolicy(views, { domain: 'k8s.io' })).authorize({ user, ...request });

const get = (resource: string, more: object = {}) => ({
  resource: { verb: 'get', group: '', resource, ...more },
});

const pods = rule('get', '""', 'pods');

describe('one rule', () => {
  test.each([
    ['get', '""', 'pods', '', get('pods'), true],
    ['get', '""', 'pods', '', get('pods', { subresource: 'log' }), false],
    ['get', '""', 'pods/log', '', get('pods', { subresource: 'log' }), true],
    ['get', '""', '"*/log"', '', get('pods', { subresource: 'log' }), true],
    ['get', '""', '"*/log"', '', get('pods'), false],
    ['get', '""', '"pods/*"', '', get('pods', { subresource: 'log' }), false],
    ['get', '""', '"*"', '', get('pods', { subresource: 'log' }), true],
    ['"*"', '"*"', 'pods', '', get('pods', { group: 'apps' }), true],
    ['GET', '""', 'pods', '', get('pods'), false],
    ['get', '""', 'pods', 'a', get('pods', { name: 'a' }), true],
    ['get', '""', 'pods', 'a', get('pods', { name: 'b' }), false],
    ['get', '""', 'pods', 'a', get('pods'), false],
    ['get', 'authentication.k8s.io', 'uids', '', get('uids'), false],
    [
      'get',
      'authentication.k8s.io',
      'uids',
      '',
      get('uids', { group: 'authentication.platform.io' }),
      true,
    ],
  ] as const)('%s %s %s %s: %j is %s', (verbs, groups, resources, names, request, allowed) => {
    const text =
      role('ClusterRole', 'r', rule(verbs, groups, resources, names)) +
      binding('ClusterRoleBinding', 'b', 'ClusterRole/r', toUser);
    expect(decide([fixedView(objectsOf(text))], request)).toEqual({
      allowed,
      reason: allowed
        ? 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "alice"'
        : '',
    });
  });

  test.each([
    ['/healthz', '/healthz', true],
    ['/healthz', '/healthz/', false],
    ['"/healthz/*"', '/healthz/ping', true],
    ['"/healthz/*"', '/healthz', false],
    ['"/api**"', '/apis', true],
    ['"*"', '/anything', true],
    ['"/a*b"', '/axb', false],
  ])('path %s: %s is %s', (url, path, allowed) => {
    const text =
      role('ClusterRole', 'r', `{verbs: [get], nonResourceURLs: [${url}]}`) +
      binding('ClusterRoleBinding', 'b', 'ClusterRole/r', toUser);
    const view = fixedView(objectsOf(text));
    expect(decide([view], { nonResource: { verb: 'get', path } })).toMatchObject({ allowed });
    expect(decide([view], { nonResource: { verb: 'post', path } })).toMatchObject({
      allowed: false,
    });
  });
});

describe('bindings', () => {
  const inTeam = { namespace: 'team' };

  test('applies a RoleBinding only in its namespace', () => {
    const text =
      role('Role', 'r', pods) +
      binding(
        'RoleBinding',
        'b',
        'Role/r',
        '{kind: ServiceAccount, name: builder, namespace: team}',
      );
    const view = fixedView(objectsOf(text));
    expect(decide([view], get('pods', inTeam), builder)).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/team" of Role "r" to ServiceAccount "builder/team"',
    });
    expect(decide([view], get('pods', { namespace: 'other' }), builder)).toMatchObject({
      allowed: false,
    });
    expect(decide([view], get('pods'), builder)).toMatchObject({ allowed: false });
    const elsewhere = { ...builder, username: 'system:serviceaccount:other:builder' };
    expect(decide([view], get('pods', inTeam), elsewhere)).toMatchObject({ allowed: false });
  });

  test('lists missing roles once each, without hiding others', () => {
    const text =
      binding('ClusterRoleBinding', 'a', 'ClusterRole/gone', toUser) +
      binding('ClusterRoleBinding', 'b', 'ClusterRole/gone', '{kind: Group, name: dev}') +
      binding('RoleBinding', 'c', 'Role/away', toUser);
    const view = fixedView(objectsOf(text));
    expect(decide([view], get('pods'))).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    });
    expect(decide([view], get('pods', inTeam))).toEqual({
      allowed: false,
      reason:
        'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "away" not found]',
    });
    const good = fixedView(
      objectsOf(
        role('ClusterRole', 'r', pods) +
          binding('ClusterRoleBinding', 'z', 'ClusterRole/r', toUser),
      ),
    );
    expect(decide([view, good], get('pods'))).toMatchObject({ allowed: true });
  });

  test('uses the role of the first view if two have the same name', () => {
    const bound = binding('ClusterRoleBinding', 'b', 'ClusterRole/r', toUser);
    const strict = fixedView(objectsOf(role('ClusterRole', 'r', '') + bound));
    const lax = fixedView(objectsOf(role('ClusterRole', 'r', pods)));
    expect(decide([strict, lax], get('pods'))).toMatchObject({ allowed: false });
    expect(decide([lax, strict], get('pods'))).toMatchObject({ allowed: true });
  });

  test('notices a change at once', () => {
    const roles = changingView();
    const authorizer = rbacAuthorizer(rolePolicy([roles.view], { domain: 'k8s.io' }));
    expect(authorizer.authorize({ user: alice, ...get('pods') })).toMatchObject({ allowed: false });
    const objects = objectsOf(
      role('ClusterRole', 'r', pods) + binding('ClusterRoleBinding', 'b', 'ClusterRole/r', toUser),
    );
    roles.change('put', objects);
    expect(authorizer.authorize({ user: alice, ...get('pods') })).toMatchObject({ allowed: true });
    roles.change('deleted', objects);
    expect(authorizer.authorize({ user: alice, ...get('pods') })).toMatchObject({ allowed: false });
  });

  test.each(['Role', 'RoleBinding'])(
    'notices at once that a %s of a namespace is gone, also for a repeated request',
    (kind) => {
      const roles = changingView();
      const authorizer = rbacAuthorizer(rolePolicy([roles.view], { domain: 'k8s.io' }));
      const objects = objectsOf(
        role('Role', 'r', pods) + binding('RoleBinding', 'b', 'Role/r', toUser),
      );
      roles.change('put', objects);
      // Requests of one kind share their attributes, and those of a user share the user.
      const request = { user: alice, ...get('pods', inTeam) };
      expect(authorizer.authorize(request)).toMatchObject({ allowed: true });
      expect(authorizer.authorize(request)).toMatchObject({ allowed: true });
      roles.change(
        'deleted',
        objects.filter((object) => object.get('kind') === kind),
      );
      expect(authorizer.authorize(request)).toMatchObject({ allowed: false });
    },
  );

  test('uses the subjects of a changed binding, and the order of the names of bindings', () => {
    const roles = changingView();
    const authorizer = rbacAuthorizer(rolePolicy([roles.view], { domain: 'k8s.io' }));
    const bound = (name: string, subjects: string) =>
      objectsOf(binding('RoleBinding', name, 'Role/r', subjects));
    const reason = () => authorizer.authorize({ user: alice, ...get('pods', inTeam) }).reason;
    roles.change('put', objectsOf(role('Role', 'r', pods)));
    for (const name of ['c', 'a', 'b']) roles.change('put', bound(name, toUser));
    expect(reason()).toContain('RoleBinding "a/team"');
    roles.change('put', bound('a', '{kind: User, name: bob}'));
    expect(reason()).toContain('RoleBinding "b/team"');
    roles.change('put', bound('a', '{kind: Group, name: dev}, {kind: User, name: alice}'));
    expect(reason()).toBe('RBAC: allowed by RoleBinding "a/team" of Role "r" to Group "dev"');
    for (const name of ['a', 'b']) roles.change('deleted', bound(name, toUser));
    expect(reason()).toContain('RoleBinding "c/team"');
  });
});

test('a change does not read the other roles and bindings again', () => {
  const reads: string[] = [];
  /** An object that records its readers. */
  class Recorded extends Map<string, Json> {
    override get(name: string): Json | undefined {
      reads.push(name);
      return super.get(name);
    }
  }
  const roles = changingView();
  const authorizer = rbacAuthorizer(rolePolicy([roles.view], { domain: 'k8s.io' }));
  const objects = objectsOf(
    role('Role', 'r', pods) + binding('RoleBinding', 'b', 'Role/r', toUser),
  );
  roles.change(
    'put',
    objects.map((object) => new Recorded(object)),
  );
  const isAllowed = (): boolean =>
    authorizer.authorize({ user: alice, ...get('pods', { namespace: 'team' }) }).allowed;
  expect(isAllowed()).toBe(true);
  reads.length = 0;
  const another = objectsOf(binding('RoleBinding', 'a', 'Role/none', toUser));
  roles.change('put', another);
  expect(isAllowed()).toBe(true);
  roles.change('deleted', another);
  expect(isAllowed()).toBe(true);
  expect(reads).toEqual([]);
});

describe('a cache that is too old', () => {
  const old: ObjectView = {
    ...fixedView([]),
    list: () => undefined,
    readiness: () => ({ isReady: false, reason: 'older than 5 s' }),
  };
  test('allows nothing', () => {
    expect(decide([old, bootstrapView('k8s.io')], get('pods'))).toEqual({
      allowed: false,
      reason: '',
      error: 'roles are unavailable: older than 5 s',
    });
  });
  test('except to system:masters', () => {
    const master = { ...alice, groups: ['system:masters'] };
    expect(decide([old], get('pods'), master)).toEqual({ allowed: true, reason: '' });
  });
});

describe('bootstrap roles', () => {
  const authenticated = { ...alice, groups: ['system:authenticated'] };
  const anonymous = { ...alice, username: 'system:anonymous', groups: ['system:unauthenticated'] };
  const path = (name: string) => ({ nonResource: { verb: 'get', path: name } });
  const review = (domain: string) => ({
    resource: {
      verb: 'create',
      group: `authentication.${domain}`,
      resource: 'selfsubjectreviews',
    },
  });

  test.each([
    [authenticated, path('/version'), true],
    [authenticated, path('/apis/x'), true],
    [authenticated, path('/metrics'), false],
    [authenticated, path('/openid/v1/jwks'), false],
    [authenticated, review('k8s.io'), true],
    [authenticated, review('platform.io'), true],
    [anonymous, path('/version'), true],
    [anonymous, path('/livez'), true],
    [anonymous, path('/livez/ping'), false],
    [anonymous, path('/api'), false],
    [anonymous, review('k8s.io'), false],
    [{ ...builder, groups: ['system:serviceaccounts'] }, path('/openid/v1/jwks'), true],
    [{ ...alice, groups: ['system:monitoring'] }, path('/metrics'), true],
  ])('%j %j: %s', (user, request, allowed) => {
    for (const domain of ['k8s.io', 'platform.io']) {
      expect(decide([bootstrapView(domain)], request, user)).toMatchObject({ allowed });
    }
  });

  test('have aggregated rules without a store', () => {
    const bound = binding('RoleBinding', 'b', 'ClusterRole/admin', toUser);
    const views = [bootstrapView('k8s.io'), fixedView(objectsOf(bound))];
    const inTeam = { namespace: 'team' };
    expect(decide(views, get('configmaps', inTeam))).toMatchObject({ allowed: true });
    expect(decide(views, get('secrets', inTeam))).toMatchObject({ allowed: true });
    const roles = { group: 'rbac.authorization.platform.io', ...inTeam };
    expect(decide(views, get('roles', roles))).toMatchObject({ allowed: true });
    expect(decide(views, get('nodes', inTeam))).toMatchObject({ allowed: false });
  });
});
