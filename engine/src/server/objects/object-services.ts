/**
 * The services around stored objects: the store, the local view that requests read, the RBAC policy
 * and the controllers. They are created once, at startup, and outlive every configuration reload.
 */
import { hostname } from 'node:os';
import { type BootstrapRoles, bootstrapRoles } from '../../controllers/bootstrap-roles.ts';
import { clusterRoleAggregation } from '../../controllers/cluster-role-aggregation.ts';
import type { Controller } from '../../controllers/controller.ts';
import { defaultServiceAccount } from '../../controllers/default-service-account.ts';
import { type LeaderElectionTiming, leaderElection } from '../../controllers/leader-election.ts';
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
  /**
   * `external`: the objects belong to a cluster whose own control plane runs the controllers. For a
   * worker the primary process runs them, and reports when the bootstrap roles are stored.
   */
  readonly controlPlane:
    | 'internal'
    | 'external'
    | { readonly viewStore: Store; readonly rolesStored: Promise<void> };
  /** Reports whether a controller is enabled; all are if absent. */
  readonly isEnabled?: (controller: string) => boolean;
  /** Lets one of several replicas run the controllers; if absent, this process runs them. */
  readonly leaderElection?: LeaderElectionTiming | undefined;
  /** Lets a controller fill Secrets of type service-account-token; without it, none does. */
  readonly accountTokens?: Pick<ServiceAccountTokensServices, 'signToken' | 'rootCertificate'>;
}

/** Starts the view of the store and the controllers. */
export const openObjectServices = (options: ObjectServicesOptions): ObjectServices => {
  const { store, domain, ports, maxStalenessMs, roleFiles, controlPlane } = options;
  const worker = typeof controlPlane === 'string' ? undefined : controlPlane;
  const view = storeView({
    ...ports,
    store: worker?.viewStore ?? store,
    resources: kinds.map(({ resource }) => resource),
    maxStalenessMs,
  });
  const controllers = controlPlane === 'internal' ? controllersOf(view, options) : undefined;
  const rolesStored = controllers?.roles.settled ?? worker?.rolesStored;
  const allControllers =
    controllers === undefined ? [] : [controllers.roles, ...controllers.others];
  let hasRoles = rolesStored === undefined;
  void rolesStored?.then(() => {
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
      await rolesStored;
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

/** The Lease of the replica that runs the controllers. */
const controllersLease = { namespace: 'kube-system', name: 'authgraph-controllers' };

const controllersOf = (view: StoreView, options: ObjectServicesOptions): Controllers => {
  const {
    store,
    domain,
    ports,
    accountTokens,
    isEnabled = () => true,
    leaderElection: timing,
  } = options;
  const services = { ...ports, store, view };
  const named = { ...services, apiDomain: domain };
  const optional = (): readonly Controller[] => [
    namespaceContent(services),
    clusterRoleAggregation(services),
    defaultServiceAccount(services),
    tokenCleaner(named),
    ...(accountTokens === undefined ? [] : [serviceAccountTokens({ ...named, ...accountTokens })]),
  ];
  const enabled = () => optional().filter(({ name }) => isEnabled(name));
  const election = timing && {
    ...timing,
    lease: controllersLease,
    identity: `${hostname()}_${ports.randomness.uuid()}`,
    controllers: enabled,
  };
  return {
    roles: bootstrapRoles(services),
    // Every kube-apiserver writes the roles and creates the system namespaces; the other controllers
    // belong to kube-controller-manager, one replica of which is the leader.
    others: [
      systemNamespacesController(services),
      ...(election === undefined ? enabled() : [leaderElection(election, services)]),
    ],
  };
};

/** The delay between two readiness checks of the view. */
const readinessPollMs = 10;

const whenReady = (view: ObjectView, { clock }: Ports, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const poll = (): void => {
      if (signal.aborted || view.readiness().isReady) resolve();
      else clock.after(readinessPollMs, poll);
    };
    poll();
  });
