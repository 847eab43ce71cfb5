/** Who may write which role and binding; texts of the real server. */
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
      'all of it is held',
      {
        world: held(rule(['get', 'list'], ['pods', '*/status'])),
        resource: 'clusterroles',
        object: clusterRole(rule(['list'], ['pods', 'nodes/status'])),
      },
      undefined,
    ],
    [
      'what is missing is told by resource',
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
      'all names are more than one',
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
      'to gather rules everything must be held',
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
      'also to stop it',
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
      'who holds everything may',
      {
        world: held(...everything),
        resource: 'clusterroles',
        object: { ...clusterRole(), aggregationRule: { clusterRoleSelectors: [{}] } },
      },
      undefined,
    ],
    [
      'a collector may change what is its own',
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
      'more than can be compared',
      {
        world: held(rule(['*'], ['*'])),
        resource: 'clusterroles',
        object: clusterRole({
          verbs: Array.from({ length: 400 }, (_, at) => `v${at}`),
          apiGroups: [''],
          resources: Array.from({ length: 400 }, (_, at) => `r${at}`),
        }),
      },
      `clusterroles.${group} "x" is forbidden: user "ann" (groups=["dev" "a\\"b"]) is attempting to grant more permissions at once than can be compared`,
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
      'they are not',
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
      'there is no such role',
      {
        world: held(),
        resource: 'clusterrolebindings',
        object: bindingTo('ClusterRole', 'gone'),
      },
      `clusterrolebindings.${group} "gone" not found`,
    ],
    [
      'a role without a name is nowhere',
      {
        world: held(),
        resource: 'rolebindings',
        namespace: 'team',
        object: bindingTo('Role', ''),
      },
      'Name parameter required.',
    ],
    [
      'a name that no path has',
      { world: held(), resource: 'clusterrolebindings', object: bindingTo('ClusterRole', 'a/b') },
      'Name parameter invalid: "a/b": may not contain \'/\'',
    ],
    [
      'a role of a namespace, bound in none',
      { world: held(), resource: 'clusterrolebindings', object: bindingTo('Role', '') },
      'Namespace parameter required.',
    ],
    [
      'what could not be resolved is told',
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

describe('a copy that lags behind the store', () => {
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

  test('a role that it does not know yet can be bound', async () => {
    const world = held(rule(['get'], ['pods'])).filter(({ metadata }) => metadata.name === 'held');
    expect((await bind(undefined, world))?.code).toBe(404);
    expect(await bind(reader(rule(['get'], ['pods'])), world)).toBeUndefined();
  });

  test('a role that grants more by now cannot', async () => {
    const world = held(rule(['get'], ['pods']));
    const more = await bind(reader(rule(['get', 'list'], ['pods'])), world);
    expect(more?.message).toContain(
      grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'),
    );
  });

  test('what both know is told once', async () => {
    const same = await bind(reader(rule(['get'], ['pods'])), held());
    expect(same?.message).toContain(
      grantsOf('{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'),
    );
  });

  test('a store that does not answer refuses', async () => {
    const policy = rolePolicy([fixedView([])], { domain: 'k8s.io' });
    const store = { get: () => Promise.reject(new StoreError('unavailable', 'no leader')) };
    const object = objectOf(bindingTo('ClusterRole', 'reader'));
    const problem = await checkEscalation(
      { user, group, namespace: '', name: '', object, resource: 'clusterrolebindings' },
      { policy, authorizer: rbacAuthorizer(policy), store },
    );
    expect(problem).toMatchObject({ code: 503, message: 'the roles are not known: no leader' });
  });
});
