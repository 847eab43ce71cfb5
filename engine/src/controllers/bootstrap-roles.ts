/**
 * Writes the bootstrap roles and bindings to the store when the server starts, and retries until
 * all of them exist. Objects that are deleted later are restored at the next start, as in
 * kube-apiserver.
 */
import { type ReconcileServices, reconcileBootstrapRoles } from '../rbac/reconcile.ts';
import type { Controller } from './controller.ts';

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
  let stopped = false;
  let retryMs = minRetryMs;
  let cancelRetry = (): void => {};
  let running: Promise<void> = Promise.resolve();

  const reconcile = async (): Promise<void> => {
    try {
      const { written, failed } = await reconcileBootstrapRoles(services);
      if (written > 0) log.event('info', 'bootstrap roles written', { count: written });
      if (failed.length === 0) settle();
      else retryLater();
    } catch (error) {
      log.event('error', 'bootstrap roles failed', { error });
      retryLater();
    }
  };

  const retryLater = (): void => {
    if (stopped) return;
    cancelRetry = clock.after(retryMs, () => {
      running = reconcile();
    });
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  };

  return {
    name: 'bootstrap-roles',
    settled,
    start() {
      running = reconcile();
    },
    async stop() {
      stopped = true;
      cancelRetry();
      settle();
      await running;
    },
  };
};
