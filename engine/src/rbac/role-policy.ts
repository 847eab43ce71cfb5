/**
 * The roles that currently apply: an index of views. Once a view is too old nothing is allowed,
 * because it may still contain a binding that was deleted.
 */
import { rbacGroup } from '../model/api-domain.ts';
import { IndexedRoles, type RoleView } from './indexed-roles.ts';
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
  views: readonly RoleView[],
  { domain }: { readonly domain: string },
): RolePolicy => {
  const group = rbacGroup(domain);
  const indexed = views.map((view) => new IndexedRoles(view));
  let last: { readonly states: readonly object[]; readonly index: RoleIndex } | undefined;
  return {
    rbacGroup: group,
    lastKnown: () => last?.index,
    current() {
      for (const view of views) {
        const { isReady, reason } = view.readiness();
        if (!isReady) return { kind: 'unknown', reason };
      }
      const isCurrent = last?.states.every((state, at) => state === indexed[at]?.clusterState);
      if (last === undefined || isCurrent !== true) {
        const states = indexed.map(({ clusterState }) => clusterState);
        last = { states, index: roleIndex(indexed, group) };
      }
      return { kind: 'known', index: last.index };
    },
  };
};
