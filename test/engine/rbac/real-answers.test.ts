/**
 * Generated roles, requests and grants with recorded results of kube-apiserver's authorizer and
 * escalation check.
 */
import { expect, test } from 'vitest';
import type { AuthorizationRequest } from '../../../engine/src/ports/authorizer.ts';
import { rbacAuthorizer } from '../../../engine/src/rbac/authorize.ts';
import { checkEscalation } from '../../../engine/src/rbac/escalation.ts';
import { fixedView } from '../../../engine/src/rbac/fixed-view.ts';
import { rolePolicy } from '../../../engine/src/rbac/role-policy.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';
import { cases } from '../../support/cases.ts';

interface Ask {
  readonly Verb: string;
  readonly Group?: string;
  readonly Resource?: string;
  readonly Sub?: string;
  readonly Name?: string;
  readonly Namespace?: string;
  readonly Path?: string;
}

interface Recorded {
  readonly id: string;
  readonly world: Readonly<Record<string, readonly object[]>>;
  readonly user: string;
  readonly groups: readonly string[];
  readonly namespace: string;
  readonly grants: readonly object[];
  readonly asks: readonly Ask[];
  readonly expect: { readonly escalation: string; readonly asks: readonly string[] };
}

const recorded = cases('engine/rbac/real-answers.jsonl') as unknown as readonly Recorded[];
const group = 'rbac.authorization.k8s.io';

const questionOf = (ask: Ask): Omit<AuthorizationRequest, 'user'> => {
  if (ask.Path !== undefined) return { nonResource: { verb: ask.Verb, path: ask.Path } };
  const { Sub = '', Name = '', Namespace = '' } = ask;
  return {
    resource: {
      verb: ask.Verb,
      group: ask.Group ?? '',
      resource: ask.Resource ?? '',
      ...(Sub === '' ? {} : { subresource: Sub }),
      ...(Name === '' ? {} : { name: Name }),
      ...(Namespace === '' ? {} : { namespace: Namespace }),
    },
  };
};

test.each(recorded)('$id', async ({ world, user: username, groups, namespace, ...line }) => {
  const objects = Object.entries(world).flatMap(([list, some]) =>
    some.map((object) => objectOf({ kind: list.slice(0, -1), ...object })),
  );
  const policy = rolePolicy([fixedView(objects)], { domain: 'k8s.io' });
  const authorizer = rbacAuthorizer(policy);
  const user = { username, uid: '', groups, extra: new Map() };
  const asks = await Promise.all(
    line.asks.map(async (ask) => {
      const { allowed, reason } = await authorizer.authorize({ user, ...questionOf(ask) });
      return `${allowed} ${reason}`;
    }),
  );
  // Runs the check without the verb that bypasses it.
  const problem = await checkEscalation(
    {
      user,
      resource: namespace === '' ? 'clusterroles' : 'roles',
      group,
      namespace,
      name: '',
      object: objectOf({ metadata: { name: 'x' }, rules: line.grants }),
    },
    { policy, authorizer: { authorize: () => ({ allowed: false, reason: '' }) } },
  );
  const escalation = (problem?.message ?? '').replace(/^\S+ "x" is forbidden: /, '');
  expect({ asks, escalation }).toEqual({ ...line.expect });
});
