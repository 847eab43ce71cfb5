/**
 * The roles that hold now: an index over views, made anew when one of them has changed. Past the
 * bound of a view's age nothing holds, because a binding that was taken away may still stand in it.
 */
import { rbacGroup } from '../model/api-domain.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type RoleIndex, roleIndex } from './role-index.ts';

export type RolePolicyState =
  | { readonly kind: 'known'; readonly index: RoleIndex }
  /** In words for the log. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface RolePolicy {
  current(): RolePolicyState;
  /** The newest roles that were ever known, however old; for what harms nobody. */
  lastKnown(): RoleIndex | undefined;
  /** `rbac.authorization.k8s.io` */
  readonly rbacGroup: string;
}

/**
 * Over all views together; where two hold a role of one name, that of the earlier view counts.
 * `domain` decides in whose name a missing role is told.
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
    return { kind: 'unknown', reason: 'the copy of the roles is too old' };
  }
  const merged = {
    clusterRoles: lists.clusterRoles.flatMap((list) => list ?? []),
    clusterRoleBindings: lists.clusterRoleBindings.flatMap((list) => list ?? []),
    roles: lists.roles.flatMap((list) => list ?? []),
    roleBindings: lists.roleBindings.flatMap((list) => list ?? []),
  };
  return { kind: 'known', index: roleIndex(merged, group) };
};
