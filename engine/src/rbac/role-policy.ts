/**
 * The roles that currently apply: an index over views. Once a view is too old nothing is allowed,
 * because it may still contain a binding that was deleted.
 */
import { rbacGroup } from '../model/api-domain.ts';
import type { JsonObject } from '../model/json.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type RoleIndex, type RoleLists, roleIndex } from './role-index.ts';

export type RolePolicyState =
  | { readonly kind: 'known'; readonly index: RoleIndex }
  /** `reason` is written to the log. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface RolePolicy {
  current(): RolePolicyState;
  /** Returns the last known roles, however old, for uses that grant nothing. */
  lastKnown(): RoleIndex | undefined;
  /** API group in messages: `rbac.authorization.k8s.io`. */
  readonly rbacGroup: string;
}

/**
 * Combines several views; if two contain a role of the same name, the earlier view wins. `domain`
 * is the domain of the API group in messages about missing roles.
 */
export const rolePolicy = (
  views: readonly ObjectView[],
  { domain }: { readonly domain: string },
): RolePolicy => {
  const group = rbacGroup(domain);
  let last: { readonly lists: ClusterLists; readonly index: RoleIndex } | undefined;
  return {
    rbacGroup: group,
    lastKnown: () => last?.index,
    current() {
      for (const view of views) {
        const { ready, reason } = view.readiness();
        if (!ready) return { kind: 'unknown', reason };
      }
      const lists = clusterLists(views);
      if (lists === undefined) {
        return { kind: 'unknown', reason: 'the cache of the roles is too old' };
      }
      if (last === undefined || !areSame(lists, last.lists)) {
        last = { lists, index: roleIndex({ ...lists, inNamespace: listsIn(views) }, group) };
      }
      return { kind: 'known', index: last.index };
    },
  };
};

type ClusterLists = Pick<RoleLists, 'clusterRoles' | 'clusterRoleBindings'>;

/** Returns `undefined` if a view is too old. */
const clusterLists = (views: readonly ObjectView[]): ClusterLists | undefined => {
  const clusterRoles = listsOf(views, 'clusterroles');
  const clusterRoleBindings = listsOf(views, 'clusterrolebindings');
  return clusterRoles.length + clusterRoleBindings.length < 2 * views.length
    ? undefined
    : { clusterRoles, clusterRoleBindings };
};

const listsIn =
  (views: readonly ObjectView[]): RoleLists['inNamespace'] =>
  (resource, namespace) =>
    listsOf(views, resource, namespace);

const listsOf = (
  views: readonly ObjectView[],
  resource: string,
  namespace?: string,
): readonly (readonly JsonObject[])[] =>
  views.flatMap((view) => {
    const list = view.list(resource, namespace);
    return list === undefined ? [] : [list];
  });

const areSame = (lists: ClusterLists, others: ClusterLists): boolean =>
  lists.clusterRoles.every((list, index) => list === others.clusterRoles[index]) &&
  lists.clusterRoleBindings.every((list, index) => list === others.clusterRoleBindings[index]);
