/**
 * Roles and bindings at one moment, indexed by the names of their subjects. Grants are returned in
 * the order in which kube-apiserver visits them: cluster role bindings, then role bindings of the
 * namespace, with unresolved references in between.
 */

import { goQuote } from '../formats/go-quote.ts';
import { serviceAccountUsername } from '../formats/system-usernames.ts';
import type { JsonObject } from '../model/json.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';
import {
  type BindingObject,
  type RoleObject,
  type RoleRef,
  readBinding,
  readRole,
} from './role-objects.ts';
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

export interface RoleObjects {
  readonly clusterRoles: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
}

/**
 * Builds the index. `rbacGroup` is the API group in messages about missing roles:
 * `rbac.authorization.k8s.io`.
 */
export const roleIndex = (objects: RoleObjects, rbacGroup: string): RoleIndex => {
  const clusterRules = rulesByKey(objects.clusterRoles.map(readRole));
  const rules = rulesByKey(objects.roles.map(readRole));
  const findClusterBindings = bindingTable(
    objects.clusterRoleBindings.map((object) => readBinding('ClusterRoleBinding', object)),
  );
  const bindingTables = tablesByNamespace(
    objects.roleBindings.map((object) => readBinding('RoleBinding', object)),
  );
  // Identities come from caches: most requests have one that was used before.
  const known = new WeakMap<UserInfo, readonly Grant[]>();

  const rulesOf = (ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined => {
    if (ref.kind === 'ClusterRole') return clusterRules.get(keyOf('', ref.name));
    return ref.kind === 'Role' ? rules.get(keyOf(namespace, ref.name)) : undefined;
  };
  const grantOf = ({ binding, subject }: MatchingBinding): Grant => {
    const found = rulesOf(binding.roleRef, binding.namespace);
    if (found !== undefined)
      return { kind: 'rules', rules: cachedCanonicalRules(found), binding, subject };
    return { kind: 'error', message: roleNotFoundMessage(binding.roleRef, rbacGroup), binding };
  };
  const clusterGrants = (user: UserInfo): readonly Grant[] => {
    const grants = known.get(user) ?? findClusterBindings(user).map(grantOf);
    known.set(user, grants);
    return grants;
  };
  return {
    rulesOf,
    grantsFor(user, namespace) {
      const table = namespace === '' ? undefined : bindingTables.get(namespace);
      const grants = clusterGrants(user);
      return table === undefined ? grants : [...grants, ...table(user).map(grantOf)];
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

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

/** Returns the rules by key; the first of two roles with the same key counts. */
const rulesByKey = (roles: readonly RoleObject[]): ReadonlyMap<string, readonly PolicyRule[]> => {
  const byKey = new Map<string, readonly PolicyRule[]>();
  for (const { namespace, name, rules } of roles) {
    const key = keyOf(namespace, name);
    if (!byKey.has(key)) byKey.set(key, rules);
  }
  return byKey;
};

interface MatchingBinding {
  readonly binding: BindingObject;
  readonly subject: Subject;
}

type BindingTable = (user: UserInfo) => readonly MatchingBinding[];

const tablesByNamespace = (
  bindings: readonly BindingObject[],
): ReadonlyMap<string, BindingTable> => {
  const byNamespace = Map.groupBy(bindings, ({ namespace }) => namespace);
  return new Map([...byNamespace].map(([namespace, some]) => [namespace, bindingTable(some)]));
};

interface SubjectPosition {
  readonly position: number;
  readonly subjectIndex: number;
}

/** Returns the bindings that apply to a user or one of its groups, in their order. */
const bindingTable = (bindings: readonly BindingObject[]): BindingTable => {
  const byUser = new Map<string, SubjectPosition[]>();
  const byGroup = new Map<string, SubjectPosition[]>();
  bindings.forEach(({ subjects, namespace }, position) => {
    subjects.forEach((subject, subjectIndex) => {
      const place = { position, subjectIndex };
      if (subject.kind === 'User') push(byUser, subject.name, place);
      if (subject.kind === 'Group') push(byGroup, subject.name, place);
      if (subject.kind === 'ServiceAccount') {
        const accountNamespace = subject.namespace === '' ? namespace : subject.namespace;
        const username = serviceAccountUsername(accountNamespace, subject.name);
        if (accountNamespace !== '') push(byUser, username, place);
      }
    });
  });
  return ({ username, groups }) => {
    const first = new Map<number, number>();
    const places = [
      ...(byUser.get(username) ?? []),
      ...groups.flatMap((group) => byGroup.get(group) ?? []),
    ];
    for (const { position, subjectIndex } of places) {
      first.set(position, Math.min(subjectIndex, first.get(position) ?? subjectIndex));
    }
    return [...first]
      .sort(([left], [right]) => left - right)
      .flatMap(([position, subjectIndex]) => {
        const binding = bindings[position];
        const subject = binding?.subjects[subjectIndex];
        return binding === undefined || subject === undefined ? [] : [{ binding, subject }];
      });
  };
};

const push = (
  places: Map<string, SubjectPosition[]>,
  name: string,
  place: SubjectPosition,
): void => {
  const known = places.get(name);
  if (known === undefined) places.set(name, [place]);
  else known.push(place);
};
