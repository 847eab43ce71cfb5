/**
 * The RBAC authorizer. The first rule that allows a request decides, and the reason names its
 * binding; otherwise the reason lists the role references that could not be resolved. Members of
 * system:masters may do everything, whatever the roles say and even if they are unavailable.
 */
import { goQuote } from '../formats/go-quote.ts';
import { privilegedGroup, type UserInfo } from '../model/user-info.ts';
import type { Authorization, AuthorizationRequest, Authorizer } from '../ports/authorizer.ts';
import type { Subject } from './policy-rule.ts';
import type { Grant, RoleIndex } from './role-index.ts';
import type { BindingObject } from './role-objects.ts';
import type { RolePolicy } from './role-policy.ts';
import { ruleAllows } from './rule-match.ts';

/** An authorizer that returns its decision synchronously. */
export interface RbacAuthorizer extends Authorizer {
  authorize(request: AuthorizationRequest): Authorization;
}

/** Returns the authorizer for a set of roles. */
export const rbacAuthorizer = (policy: RolePolicy): RbacAuthorizer => ({
  authorize: (request) => authorize(request, policy),
});

const authorize = (request: AuthorizationRequest, policy: RolePolicy): Authorization => {
  if (request.user.groups.includes(privilegedGroup)) return { allowed: true, reason: '' };
  const state = policy.current();
  if (state.kind === 'unknown') {
    return { allowed: false, reason: '', error: `roles are unavailable: ${state.reason}` };
  }
  const attributes = clusterAttributes(request);
  const last = attributes && lastAllowed.get(attributes);
  if (last?.index === state.index && last.user === request.user) return last.decision;
  const errors: string[] = [];
  for (const grant of state.index.grantsFor(request.user, request.resource?.namespace ?? '')) {
    if (grant.kind === 'error') errors.push(grant.message);
    else if (grant.rules.some((rule) => ruleAllows(rule, request))) {
      const decision = { allowed: true, reason: `RBAC: allowed by ${describeGrant(grant)}` };
      if (attributes !== undefined) {
        lastAllowed.set(attributes, { index: state.index, user: request.user, decision });
      }
      return decision;
    }
  }
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregateErrors(errors)}` };
};

/**
 * Returns the attributes of a request that only cluster roles and their bindings decide; `undefined`
 * for a request in a namespace.
 */
const clusterAttributes = ({ resource, nonResource }: AuthorizationRequest): object | undefined =>
  resource?.namespace === undefined ? (resource ?? nonResource) : undefined;

/**
 * The last decision for attributes that are the same object: identities come from caches, and
 * requests of one kind share their attributes. The index is replaced when a cluster role or cluster
 * role binding has changed; roles and bindings of namespaces change without it.
 */
const lastAllowed = new WeakMap<
  object,
  { readonly index: RoleIndex; readonly user: UserInfo; readonly decision: Authorization }
>();

/** Returns `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`. */
const describeGrant = ({ binding, subject }: Extract<Grant, { kind: 'rules' }>): string => {
  const shown = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`;
  const { kind, name } = binding.roleRef;
  return `${binding.kind} ${goQuote(shown)} of ${kind} ${goQuote(name)} to ${describeSubject(subject, binding)}`;
};

const describeSubject = ({ kind, name, namespace }: Subject, binding: BindingObject): string => {
  if (kind !== 'ServiceAccount') return `${kind} ${goQuote(name)}`;
  return `${kind} ${goQuote(`${name}/${namespace === '' ? binding.namespace : namespace}`)}`;
};

/** Returns several errors as one message: each once, in brackets if there is more than one. */
export const aggregateErrors = (errors: readonly string[]): string => {
  const [first = '', ...more] = new Set(errors);
  return more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
};
