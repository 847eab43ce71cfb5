/**
 * The stored objects around a server: the store, the local view that requests read, the roles that
 * hold, and what happens to objects by itself. Made once, at the start; it outlives every change of
 * the configuration.
 */
import { type BootstrapRoles, bootstrapRoles } from '../../controllers/bootstrap-roles.ts';
import { clusterRoleAggregation } from '../../controllers/cluster-role-aggregation.ts';
import type { Controller } from '../../controllers/controller.ts';
import { defaultServiceAccount } from '../../controllers/default-service-account.ts';
import { namespaceContent } from '../../controllers/namespace-content.ts';
import {
  type ServiceAccountTokensServices,
  serviceAccountTokens,
} from '../../controllers/service-account-tokens.ts';
import { systemNamespacesController } from '../../controllers/system-namespaces.ts';
import { tokenCleaner } from '../../controllers/token-cleaner.ts';
import { readOwnWrites } from '../../node/store/read-own-writes.ts';
import { type StoreView, storeView } from '../../node/store/store-view.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import { type RolePolicy, rolePolicy } from '../../rbac/role-policy.ts';
import { kinds } from '../../resources/kinds.ts';

/** What the server has of the stored objects. */
export interface ObjectServices {
  /** A write is done when requests are judged by it. */
  readonly store: Store;
  readonly view: StoreView;
  readonly policy: RolePolicy;
  /** Are the roles that are there from the start in the store? */
  hasBootstrapRoles(): boolean;
  /** Settles when these are there and the view has everything once, or the signal is aborted. */
  ready(signal: AbortSignal): Promise<void>;
  /** The store itself is closed too. */
  close(): Promise<void>;
}

/** What the world is opened with. */
export interface ObjectServicesOptions {
  readonly store: Store;
  /** `--api-domain` */
  readonly domain: string;
  readonly ports: Ports;
  /** Older than this nothing is known any more. */
  readonly maxStalenessMs: number;
  /** Roles beside those of the store. */
  readonly roleFiles?: ObjectView;
  /** `elsewhere`: the objects are a cluster's own, and its control plane looks after them. */
  readonly controlPlane: 'internal' | 'external';
  /** Whether the controller of that name runs; all do where absent. */
  readonly isEnabled?: (controller: string) => boolean;
  /** Fills the Secrets that hold service account tokens; without it, no controller does. */
  readonly accountTokens?: Pick<ServiceAccountTokensServices, 'signToken' | 'rootCertificate'>;
}

/** Follows the store and looks after its objects from now on. */
export const openObjectServices = (options: ObjectServicesOptions): ObjectServices => {
  const { store, domain, ports, maxStalenessMs, roleFiles } = options;
  const view = storeView({
    ...ports,
    store,
    resources: kinds.map(({ resource }) => resource),
    maxStalenessMs,
  });
  const controllers =
    options.controlPlane === 'internal' ? controllersOf(view, options) : undefined;
  const allControllers =
    controllers === undefined ? [] : [controllers.roles, ...controllers.others];
  let hasRoles = controllers === undefined;
  void controllers?.roles.settled.then(() => {
    hasRoles = true;
  });
  view.start();
  for (const controller of allControllers) controller.start();
  return {
    store: readOwnWrites(store, view, ports.clock),
    view,
    // Who may write roles into the store replaces none of those that came with a file.
    policy: rolePolicy(roleFiles === undefined ? [view] : [roleFiles, view], { domain }),
    hasBootstrapRoles: () => hasRoles,
    async ready(signal) {
      await controllers?.roles.settled;
      await whenReady(view, ports, signal);
    },
    async close() {
      await Promise.all(allControllers.map((controller) => controller.stop()));
      await view.stop();
      await store.close();
    },
  };
};

interface Controllers {
  /** Nobody may do anything before these are there. */
  readonly roles: BootstrapRoles;
  readonly others: readonly Controller[];
}

const controllersOf = (
  view: StoreView,
  { store, domain, ports, accountTokens, isEnabled = () => true }: ObjectServicesOptions,
): Controllers => {
  const services = { ...ports, store, view };
  const named = { ...services, apiDomain: domain };
  const optional: readonly Controller[] = [
    namespaceContent(services),
    clusterRoleAggregation(services),
    defaultServiceAccount(services),
    tokenCleaner(named),
    ...(accountTokens === undefined ? [] : [serviceAccountTokens({ ...named, ...accountTokens })]),
  ];
  return {
    roles: bootstrapRoles(services),
    // An API server makes its own namespaces; the others belong to kube-controller-manager.
    others: [
      systemNamespacesController(services),
      ...optional.filter(({ name }) => isEnabled(name)),
    ],
  };
};

/** Between two looks at a view that is not ready yet. */
const readinessPollMs = 10;

const whenReady = (view: ObjectView, { clock }: Ports, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const poll = (): void => {
      if (signal.aborted || view.readiness().ready) resolve();
      else clock.after(readinessPollMs, poll);
    };
    poll();
  });
