/** Privilege escalation checks for roles and bindings; the messages are kube-apiserver's. */
import { describe, expect, test } from 'vitest';
import type { UserInfo } from '../../../engine/src/model/user-info.ts';
import { type ObjectKey, StoreError } from '../../../engine/src/ports/store.ts';
import { rbacAuthorizer } from '../../../engine/src/rbac/authorize.ts';
import { checkEscalation, type GrantingResource } from '../../../engine/src/rbac/escalation.ts';
import { fixedView } from '../../../engine/src/rbac/fixed-view.ts';
import { rolePolicy } from '../../../engine/src/rbac/role-policy.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';

const group = 'rbac.authorization.k8s.io';
const user: UserInfo = { username: 'ann', uid: '', groups: ['dev', 'a"b'], extra: new Map() };

const rule = (verbs: string[], resources: string[], more: object = {}) => ({
  verbs,
  apiGroups: [''],
  resources,
  ...more,
});
const everything = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const held = (...rules: object[]) => [
  { kind: 'ClusterRole', metadata: { name: 'held' }, rules },
  {
    kind: 'ClusterRoleBinding',
    metadata: { name: 'held' },
    roleRef: { kind: 'ClusterRole', name: 'held' },
    subjects: [{ kind: 'User', name: 'ann' }],
  },
  { kind: 'ClusterRole', metadata: { name: 'reader' }, rules: [rule(['get'], ['pods'])] },
  {
    kind: 'Role',
    metadata: { name: 'writer', namespace: 'team' },
    rules: [rule(['create'], ['pods'])],
  },
];

interface Attempt {
  readonly world: readonly object[];
  readonly resource: GrantingResource;
  readonly object: object;
  readonly namespace?: string;
  readonly before?: object;
  readonly user?: UserInfo;
}

const attempt = ({ world, object, before, ...more }: Attempt) => {
  const policy = rolePolicy([fixedView(world.map(objectOf))], { domain: 'k8s.io' });
  return checkEscalation(
    {
      user,
      group,
      namespace: '',
      name: before === undefined ? '' : 'x',
      ...more,
      object: objectOf(object),
      ...(before === undefined ? {} : { before: objectOf(before) }),
    },
    { policy, authorizer: rbacAuthorizer(policy) },
  );
};

const clusterRole = (...rules: object[]) => ({ metadata: { name: 'x' }, rules });
const bindingTo = (kind: string, name: string) => ({
  metadata: { name: 'x' },
  roleRef: { apiGroup: group, kind, name },
});
const grantsOf = (lines: string) =>
  `user "ann" (groups=["dev" "a\\"b"]) is attempting to grant RBAC permissions not currently held:\n${lines}`;

describe('roles', () => {
  test.each<[string, Attempt, string | undefined]>([
    [
      'all rules are held',
      {
        world: held(rule(['get', 'list'], ['pods', '*/status'])),
        resource: 'clusterroles',
        object: clusterRole(rule(['list'], ['pods', 'nodes/status'])),
      },
      undefined,
    ],
    [
      'missing rules are listed by resource',
      {
        world: held(rule(['get'], ['pods'])),
        resource: 'clusterroles',
        object: clusterRole(rule(['get', 'list', 'watch'], ['pods', 'secrets']), {
          verbs: ['get'],
          nonResourceURLs: ['/metrics'],
        }),
      },
      `clusterroles.${group} "x" is forbidden: ${grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}\n{NonResourceURLs:["/metrics"], Verbs:["get"]}')}`,
    ],
    [
      'all names cover more than one name',
      {
        world: held(rule(['get'], ['secrets'], { resourceNames: ['a'] })),
        resource: 'roles',
        namespace: 'team',
        object: clusterRole(
          rule(['get'], ['secrets']),
          rule(['get'], ['secrets'], { resourceNames: ['a', 'b'] }),
        ),
      },
      `roles.${group} "x" is forbidden: ${grantsOf('{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}')}`,
    ],
    [
      'the verb escalate',
      {
        world: held({ verbs: ['escalate'], apiGroups: [group], resources: ['clusterroles'] }),
        resource: 'clusterroles',
        object: clusterRole(...everything),
      },
      undefined,
    ],
    [
      'system:masters',
      {
        world: [],
        resource: 'clusterroles',
        object: clusterRole(...everything),
        user: { ...user, groups: ['system:masters'] },
      },
      undefined,
    ],
    [
      'an aggregation rule requires all permissions',
      {
        world: held(rule(['*'], ['*'])),
        resource: 'clusterroles',
        object: {
          ...clusterRole(),
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        },
      },
      `clusterroles.${group} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ],
    [
      'removing an aggregation rule requires all permissions',
      {
        world: held(rule(['*'], ['*'])),
        resource: 'clusterroles',
        object: clusterRole(),
        before: {
          ...clusterRole(),
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        },
      },
      `clusterroles.${group} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    ],
    [
      'all permissions are held',
      {
        world: held(...everything),
        resource: 'clusterroles',
        object: { ...clusterRole(), aggregationRule: { clusterRoleSelectors: [{}] } },
      },
      undefined,
    ],
    [
      'only fields of the garbage collector change',
      {
        world: [],
        resource: 'clusterroles',
        before: clusterRole(...everything),
        object: {
          metadata: { name: 'x', finalizers: ['a'], ownerReferences: [] },
          rules: everything,
        },
      },
      undefined,
    ],
    [
      'more permissions than can be compared',
      {
        world: held(rule(['*'], ['*'])),
        resource: 'clusterroles',
        object: clusterRole({
          verbs: Array.from({ length: 400 }, (_, at) => `v${at}`),
          apiGroups: [''],
          resources: Array.from({ length: 400 }, (_, at) => `r${at}`),
        }),
      },
      `clusterroles.${group} "x" is forbidden: user "ann" (groups=["dev" "a\\"b"]) is attempting to grant more permissions than can be compared at once`,
    ],
  ])('%s', async (_, tried, message) => {
    const problem = await attempt(tried);
    expect(problem?.message).toBe(message);
    if (problem === undefined) return;
    const details = { name: 'x', group, kind: tried.resource };
    expect(problem).toMatchObject({ code: 403, reason: 'Forbidden', details });
  });
});

describe('bindings', () => {
  test.each<[string, Attempt, string | undefined]>([
    [
      'the rules of the role are held',
      {
        world: held(rule(['get'], ['pods'])),
        resource: 'clusterrolebindings',
        object: bindingTo('ClusterRole', 'reader'),
      },
      undefined,
    ],
    [
      'the rules of the role are not held',
      {
        world: held(),
        resource: 'rolebindings',
        namespace: 'team',
        object: bindingTo('Role', 'writer'),
      },
      `rolebindings.${group} "x" is forbidden: ${grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["create"]}')}`,
    ],
    [
      'the verb bind on that role',
      {
        world: held({
          verbs: ['bind'],
          apiGroups: [group],
          resources: ['clusterroles'],
          resourceNames: ['reader'],
        }),
        resource: 'clusterrolebindings',
        object: bindingTo('ClusterRole', 'reader'),
      },
      undefined,
    ],
    [
      'the role does not exist',
      {
        world: held(),
        resource: 'clusterrolebindings',
        object: bindingTo('ClusterRole', 'gone'),
      },
      `clusterrolebindings.${group} "gone" not found`,
    ],
    [
      'a role reference without a name',
      {
        world: held(),
        resource: 'rolebindings',
        namespace: 'team',
        object: bindingTo('Role', ''),
      },
      'Name parameter required.',
    ],
    [
      'a role name that is not a valid path segment',
      { world: held(), resource: 'clusterrolebindings', object: bindingTo('ClusterRole', 'a/b') },
      'Name parameter invalid: "a/b": may not contain \'/\'',
    ],
    [
      'a Role in a ClusterRoleBinding',
      { world: held(), resource: 'clusterrolebindings', object: bindingTo('Role', '') },
      'Namespace parameter required.',
    ],
    [
      'unresolved roles are listed',
      {
        world: [
          ...held(),
          {
            kind: 'ClusterRoleBinding',
            metadata: { name: 'lost' },
            roleRef: { kind: 'ClusterRole', name: 'lost' },
            subjects: [{ kind: 'Group', name: 'dev' }],
          },
        ],
        resource: 'clusterrolebindings',
        object: bindingTo('ClusterRole', 'reader'),
      },
      `clusterrolebindings.${group} "x" is forbidden: ${grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["get"]}')}; resolution errors: [clusterrolebindings.${group} "lost" not found]`,
    ],
  ])('%s', async (_, tried, message) => {
    expect((await attempt(tried))?.message).toBe(message);
  });
});

describe('a cache that is behind the store', () => {
  const bind = (stored: object | undefined, world: readonly object[]) => {
    const policy = rolePolicy([fixedView(world.map(objectOf))], { domain: 'k8s.io' });
    const store = {
      get: async (key: ObjectKey) =>
        stored === undefined ? undefined : { key, revision: '1', object: objectOf(stored) },
    };
    const object = objectOf(bindingTo('ClusterRole', 'reader'));
    const grant = { user, group, namespace: '', name: '', object };
    return checkEscalation(
      { ...grant, resource: 'clusterrolebindings' },
      { policy, authorizer: rbacAuthorizer(policy), store },
    );
  };
  const reader = (...rules: object[]) => ({ metadata: { name: 'reader' }, rules });

  test('allows binding a role that the cache lacks', async () => {
    const world = held(rule(['get'], ['pods'])).filter(({ metadata }) => metadata.name === 'held');
    expect((await bind(undefined, world))?.code).toBe(404);
    expect(await bind(reader(rule(['get'], ['pods'])), world)).toBeUndefined();
  });

  test('rejects binding a role that grants more in the store', async () => {
    const world = held(rule(['get'], ['pods']));
    const more = await bind(reader(rule(['get', 'list'], ['pods'])), world);
    expect(more?.message).toContain(
      grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'),
    );
  });

  test('lists rules of cache and store once', async () => {
    const same = await bind(reader(rule(['get'], ['pods'])), held());
    expect(same?.message).toContain(
      grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'),
    );
  });

  test('rejects a binding while the store is unavailable', async () => {
    const policy = rolePolicy([fixedView([])], { domain: 'k8s.io' });
    const store = { get: () => Promise.reject(new StoreError('unavailable', 'no leader')) };
    const object = objectOf(bindingTo('ClusterRole', 'reader'));
    const problem = await checkEscalation(
      { user, group, namespace: '', name: '', object, resource: 'clusterrolebindings' },
      { policy, authorizer: rbacAuthorizer(policy), store },
    );
    expect(problem).toMatchObject({ code: 503, message: 'roles are unavailable: no leader' });
  });
});
