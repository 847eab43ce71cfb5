/**
 * Roles and bindings, indexed by the names of their subjects. Grants are returned in the order in
 * which kube-apiserver visits them: cluster role bindings, then role bindings of the namespace, with
 * unresolved references in between. Each list of objects is indexed once, when it is used first, so
 * that a change of one namespace costs the others nothing.
 */

import { goQuote } from '../formats/go-quote.ts';
import { serviceAccountUsername } from '../formats/system-usernames.ts';
import type { JsonObject } from '../model/json.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { PolicyRule, Subject } from './policy-rule.ts';
import { type BindingObject, type RoleRef, readBinding, readRole } from './role-objects.ts';
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

/** Lists of roles and bindings; the first of two roles with the same name counts. */
export interface RoleLists {
  readonly clusterRoles: readonly ObjectList[];
  readonly clusterRoleBindings: readonly ObjectList[];
  /** Lists the Roles or RoleBindings of a namespace as they are now. */
  inNamespace(resource: 'roles' | 'rolebindings', namespace: string): readonly ObjectList[];
}

type ObjectList = readonly JsonObject[];

/**
 * Creates the index. `rbacGroup` is the API group in messages about missing roles:
 * `rbac.authorization.k8s.io`.
 */
export const roleIndex = (lists: RoleLists, rbacGroup: string): RoleIndex => {
  // Identities come from caches: most requests have one that was used before.
  const known = new WeakMap<UserInfo, readonly Grant[]>();

  const rulesOf = (ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined => {
    if (ref.kind === 'ClusterRole') return rulesIn(lists.clusterRoles, ref.name);
    return ref.kind === 'Role'
      ? rulesIn(lists.inNamespace('roles', namespace), ref.name)
      : undefined;
  };
  const grantOf = ({ binding, subject }: MatchingBinding): Grant => {
    const found = rulesOf(binding.roleRef, binding.namespace);
    if (found !== undefined)
      return { kind: 'rules', rules: cachedCanonicalRules(found), binding, subject };
    return { kind: 'error', message: roleNotFoundMessage(binding.roleRef, rbacGroup), binding };
  };
  const clusterGrants = (user: UserInfo): readonly Grant[] => {
    const grants =
      known.get(user) ??
      bindingsOf(user, 'ClusterRoleBinding', lists.clusterRoleBindings).map(grantOf);
    known.set(user, grants);
    return grants;
  };
  return {
    rulesOf,
    grantsFor(user, namespace) {
      const grants = clusterGrants(user);
      if (namespace === '') return grants;
      const inside = lists.inNamespace('rolebindings', namespace);
      return [...grants, ...bindingsOf(user, 'RoleBinding', inside).map(grantOf)];
    },
  };
};

const rulesIn = (lists: readonly ObjectList[], name: string): readonly PolicyRule[] | undefined => {
  for (const list of lists) {
    const rules = rulesByName(list).get(name);
    if (rules !== undefined) return rules;
  }
  return undefined;
};

const bindingsOf = (
  user: UserInfo,
  kind: BindingObject['kind'],
  lists: readonly ObjectList[],
): readonly MatchingBinding[] => lists.flatMap((list) => bindingTableOf(list, kind)(user));

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

const cachedRules = new WeakMap<ObjectList, ReadonlyMap<string, readonly PolicyRule[]>>();

/** Returns the rules of the roles in a list of one namespace, or of the cluster roles. */
const rulesByName = (list: ObjectList): ReadonlyMap<string, readonly PolicyRule[]> => {
  const cached = cachedRules.get(list);
  if (cached !== undefined) return cached;
  const byName = new Map<string, readonly PolicyRule[]>();
  for (const { name, rules } of list.map(readRole)) if (!byName.has(name)) byName.set(name, rules);
  cachedRules.set(list, byName);
  return byName;
};

interface MatchingBinding {
  readonly binding: BindingObject;
  readonly subject: Subject;
}

type BindingTable = (user: UserInfo) => readonly MatchingBinding[];

const cachedTables = new WeakMap<ObjectList, BindingTable>();

const bindingTableOf = (list: ObjectList, kind: BindingObject['kind']): BindingTable => {
  const table = cachedTables.get(list) ?? bindingTable(list.map((one) => readBinding(kind, one)));
  cachedTables.set(list, table);
  return table;
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
