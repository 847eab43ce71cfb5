/**
 * What roles and bindings grant to a user. Grants are returned in the order in which kube-apiserver
 * visits them: cluster role bindings, then role bindings of the namespace, with unresolved
 * references in between.
 */

import { goQuote } from '../formats/go-quote.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { MatchingBinding } from './binding-table.ts';
import type { IndexedRoles } from './indexed-roles.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';
import type { BindingObject, RoleRef } from './role-objects.ts';
import { withCanonicalGroups } from './rule-match.ts';

export type Grant =
  | {
      readonly kind: 'rules';
      /** Rules of the role, with canonical API groups. */
      readonly rules: readonly PolicyRule[];
      readonly binding: BindingObject;
      /** The first subject of the binding that matches the user. */
      readonly subject: Subject;
    }
  /** The role of the binding does not exist; `message` is kube-apiserver's. */
  | { readonly kind: 'error'; readonly message: string; readonly binding: BindingObject };

export interface RoleIndex {
  grantsFor(user: UserInfo, namespace: string): readonly Grant[];
  /**
   * Returns the rules of a role as stored; `undefined` if it does not exist. A Role is looked up in
   * the namespace of the binding.
   */
  rulesOf(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

/**
 * Creates the index, for as long as cluster roles and their bindings do not change; roles and
 * bindings of namespaces may. If two views contain a role of the same name, the earlier view wins.
 * `rbacGroup` is the API group in messages about missing roles: `rbac.authorization.k8s.io`.
 */
export const roleIndex = (views: readonly IndexedRoles[], rbacGroup: string): RoleIndex => {
  // Identities come from caches: most requests have one that was used before.
  const known = new WeakMap<UserInfo, readonly Grant[]>();

  const rulesOf = (
    { kind, name }: RoleRef,
    namespace: string,
  ): readonly PolicyRule[] | undefined => {
    if (kind !== 'ClusterRole' && kind !== 'Role') return undefined;
    for (const view of views) {
      const rules =
        kind === 'ClusterRole' ? view.clusterRules(name) : view.rulesIn(namespace, name);
      if (rules !== undefined) return rules;
    }
    return undefined;
  };
  const grantOf = ({ binding, subject }: MatchingBinding): Grant => {
    const rules = rulesOf(binding.roleRef, binding.namespace);
    if (rules !== undefined)
      return { kind: 'rules', rules: cachedCanonicalRules(rules), binding, subject };
    return { kind: 'error', message: roleNotFoundMessage(binding.roleRef, rbacGroup), binding };
  };
  const clusterGrants = (user: UserInfo): readonly Grant[] => {
    const grants =
      known.get(user) ?? views.flatMap((view) => view.clusterBindings(user)).map(grantOf);
    known.set(user, grants);
    return grants;
  };
  return {
    rulesOf,
    grantsFor(user, namespace) {
      const grants = clusterGrants(user);
      if (namespace === '') return grants;
      const inside = views.flatMap((view) => view.bindingsIn(namespace, user));
      return [...grants, ...inside.map(grantOf)];
    },
  };
};

const canonicalRules = new WeakMap<readonly PolicyRule[], readonly PolicyRule[]>();

/**
 * Returns the rules with canonical groups, computed once per role, however many bindings reference
 * it.
 */
const cachedCanonicalRules = (rules: readonly PolicyRule[]): readonly PolicyRule[] => {
  const known = canonicalRules.get(rules) ?? rules.map(withCanonicalGroups);
  canonicalRules.set(rules, known);
  return known;
};

/** Returns `clusterrole.rbac.authorization.k8s.io "x" not found`. */
const roleNotFoundMessage = ({ kind, name }: RoleRef, rbacGroup: string): string =>
  kind === 'Role' || kind === 'ClusterRole'
    ? `${kind.toLowerCase()}.${rbacGroup} ${goQuote(name)} not found`
    : `unsupported role reference kind: ${goQuote(kind)}`;
