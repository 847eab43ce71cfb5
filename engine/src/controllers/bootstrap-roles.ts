/**
 * Writes the bootstrap roles and bindings to the store when the server starts, and retries until
 * all of them exist. Objects that are deleted later are restored at the next start, as in
 * kube-apiserver.
 */
import { type ReconcileServices, reconcileBootstrapRoles } from '../rbac/reconcile.ts';
import type { Controller } from './controller.ts';
import { growingDelay, syncController } from './sync-controller.ts';

export interface BootstrapRoles extends Controller {
  /** Settles when all bootstrap objects exist, or when the controller is stopped. Never rejects. */
  readonly settled: Promise<void>;
}

/** Delay between two attempts to write the objects that failed; it doubles with each attempt. */
const minRetryMs = 1000;
const maxRetryMs = 30_000;

/** Returns a controller that is inactive until `start` is called. */
export const bootstrapRoles = (services: ReconcileServices): BootstrapRoles => {
  const { clock, log } = services;
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const retryDelay = growingDelay(minRetryMs, maxRetryMs);
  const controller = syncController({
    name: 'bootstrap-roles',
    clock,
    async sync() {
      try {
        const { written, failed } = await reconcileBootstrapRoles(services);
        if (written > 0) log.event('info', 'bootstrap roles written', { count: written });
        if (failed.length > 0) return retryDelay.next();
        settle();
        return Number.POSITIVE_INFINITY;
      } catch (error) {
        log.event('error', 'bootstrap roles failed', { error });
        return retryDelay.next();
      }
    },
  });
  return {
    ...controller,
    settled,
    stop() {
      settle();
      return controller.stop();
    },
  };
};
