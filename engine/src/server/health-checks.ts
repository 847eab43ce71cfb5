/** The health checks of a server. */
import type { GenerationHolder } from './configuration/authenticator-generation.ts';
import type { HealthCheck } from './endpoints/health.ts';
import type { HealthList } from './endpoints/route.ts';
import type { ObjectServices } from './objects/object-services.ts';

/**
 * The health checks of an endpoint. `/livez` only pings; `/readyz` also requires one discovery
 * attempt for every issuer, and fails during shutdown.
 */
export const healthChecks = (
  list: HealthList,
  holder: GenerationHolder,
  state: { readonly isClosing: boolean; readonly objectServices: ObjectServices | undefined },
): readonly HealthCheck[] => {
  const ping: HealthCheck = { name: 'ping', problem: () => undefined };
  if (list === 'livez') return [ping];
  const { generation, release } = holder.acquire();
  const issuers = generation.readinessChecks().map(
    ({ name, isReady, reason, note }): HealthCheck => ({
      name,
      problem: () => (isReady ? undefined : reason),
      note: () => note,
    }),
  );
  release();
  const objects = state.objectServices === undefined ? [] : objectChecks(state.objectServices);
  if (list === 'healthz') return [ping, ...issuers];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    problem: () => (state.isClosing ? 'process is shutting down' : undefined),
  };
  return [ping, ...issuers, ...objects, shutdown];
};

/** The health checks of the stored objects, under kube-apiserver's names. */
const objectChecks = ({ view, hasBootstrapRoles }: ObjectServices): readonly HealthCheck[] => [
  {
    name: 'informer-sync',
    problem() {
      const { isReady, reason } = view.readiness();
      return isReady ? undefined : reason;
    },
  },
  {
    name: 'poststarthook/rbac/bootstrap-roles',
    problem: () => (hasBootstrapRoles() ? undefined : 'not finished'),
  },
];
