/**
 * The services around stored objects: the store, the local view that requests read, the RBAC policy
 * and the controllers. They are created once, at the start, and outlive every configuration reload.
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

/** The services that the server uses to read and write stored objects. */
export interface ObjectServices {
  /** A write resolves once requests observe it. */
  readonly store: Store;
  readonly view: StoreView;
  readonly policy: RolePolicy;
  /** Reports whether the bootstrap roles are in the store. */
  hasBootstrapRoles(): boolean;
  /**
   * Resolves once the bootstrap roles are stored and the view is complete, or the signal is
   * aborted.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Stops the controllers and closes the store. */
  close(): Promise<void>;
}

/** The parameters of `openObjectServices`. */
export interface ObjectServicesOptions {
  readonly store: Store;
  /** The value of `--api-domain`. */
  readonly domain: string;
  readonly ports: Ports;
  /** The maximum age of the view; requests that depend on an older one fail. */
  readonly maxStalenessMs: number;
  /** Roles in addition to those of the store. */
  readonly roleFiles?: ObjectView;
  /** `external`: the objects belong to a cluster whose own control plane runs the controllers. */
  readonly controlPlane: 'internal' | 'external';
  /** Reports whether a controller is enabled; all are if absent. */
  readonly isEnabled?: (controller: string) => boolean;
  /** Lets a controller fill Secrets of type service-account-token; without it, none does. */
  readonly accountTokens?: Pick<ServiceAccountTokensServices, 'signToken' | 'rootCertificate'>;
}

/** Starts the view of the store and the controllers. */
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
    // Roles from files take precedence, so writing a role into the store cannot replace them.
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
  /** No request is authorized before these roles exist. */
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
    // kube-apiserver creates the system namespaces; the other controllers belong to
    // kube-controller-manager.
    others: [
      systemNamespacesController(services),
      ...optional.filter(({ name }) => isEnabled(name)),
    ],
  };
};

/** The delay between two readiness checks of the view. */
const readinessPollMs = 10;

const whenReady = (view: ObjectView, { clock }: Ports, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const poll = (): void => {
      if (signal.aborted || view.readiness().ready) resolve();
      else clock.after(readinessPollMs, poll);
    };
    poll();
  });
