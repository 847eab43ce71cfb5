/**
 * The roles that currently apply: an index over views, rebuilt when one of them has changed. Once a
 * view is too old nothing is allowed, because it may still contain a binding that was deleted.
 */
import { rbacGroup } from '../model/api-domain.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type RoleIndex, roleIndex } from './role-index.ts';

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
  let cached:
    | { readonly generations: readonly number[]; readonly state: RolePolicyState }
    | undefined;
  let last: RoleIndex | undefined;
  return {
    rbacGroup: group,
    lastKnown: () => last,
    current() {
      for (const view of views) {
        const { ready, reason } = view.readiness();
        if (!ready) return { kind: 'unknown', reason };
      }
      if (cached !== undefined && isCurrent(views, cached.generations)) return cached.state;
      const generations = views.map((view) => view.generation());
      const state = read(views, group);
      cached = state.kind === 'known' ? { generations, state } : undefined;
      if (state.kind === 'known') last = state.index;
      return state;
    },
  };
};

const isCurrent = (views: readonly ObjectView[], generations: readonly number[]): boolean =>
  views.every((view, position) => view.generation() === generations[position]);

const read = (views: readonly ObjectView[], group: string): RolePolicyState => {
  const all = (resource: string) => views.map((view) => view.list(resource));
  const lists = {
    clusterRoles: all('clusterroles'),
    clusterRoleBindings: all('clusterrolebindings'),
    roles: all('roles'),
    roleBindings: all('rolebindings'),
  };
  if (Object.values(lists).some((list) => list.includes(undefined))) {
    return { kind: 'unknown', reason: 'the cache of the roles is too old' };
  }
  const merged = {
    clusterRoles: lists.clusterRoles.flatMap((list) => list ?? []),
    clusterRoleBindings: lists.clusterRoleBindings.flatMap((list) => list ?? []),
    roles: lists.roles.flatMap((list) => list ?? []),
    roleBindings: lists.roleBindings.flatMap((list) => list ?? []),
  };
  return { kind: 'known', index: roleIndex(merged, group) };
};
