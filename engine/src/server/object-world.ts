/**
 * The stored objects around a server: the store, the local view that requests read, the roles that
 * hold. Made once, at the start; it outlives every change of the configuration.
 */
import { type StoreView, storeView } from '../node/store/store-view.ts';
import type { Ports } from '../ports/ports.ts';
import type { Store } from '../ports/store.ts';
import { bootstrapView } from '../rbac/bootstrap-roles.ts';
import { type RolePolicy, rolePolicy } from '../rbac/role-policy.ts';
import { kinds } from '../resources/kinds.ts';

export interface ObjectWorld {
  readonly store: Store;
  readonly view: StoreView;
  readonly policy: RolePolicy;
  /** The store itself is closed too. */
  close(): Promise<void>;
}

/** Older than this nothing is known any more: a deleted account must not go on for long. */
const maxStalenessMs = 5_000;

export const openWorld = (
  store: Store,
  { domain, ports }: { readonly domain: string; readonly ports: Ports },
): ObjectWorld => {
  const view = storeView({
    ...ports,
    store,
    resources: kinds.map(({ resource }) => resource),
    maxStalenessMs,
  });
  view.start();
  return {
    store,
    view,
    policy: rolePolicy([view, bootstrapView(domain)], { domain }),
    async close() {
      await view.stop();
      await store.close();
    },
  };
};
