/**
 * Brings the bootstrap roles and bindings into the store when the server starts, and tries again until
 * all of them are there. What is taken away later comes back with the next start, as in the real server.
 */
import { type ReconcileServices, reconcileBootstrapRoles } from '../rbac/reconcile.ts';
import type { Controller } from './controller.ts';

export interface BootstrapRoles extends Controller {
  /** Settles when all of them are in the store, or the controller is stopped. Never rejects. */
  readonly settled: Promise<void>;
}

/** Between two tries where the store does not take all of them: doubled each time. */
const minRetryMs = 1000;
const maxRetryMs = 30_000;

/** Stands still until it is started. */
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
      if (written > 0) log.event('info', 'bootstrap roles were written', { count: written });
      if (failed.length === 0) settle();
      else retryLater();
    } catch (error) {
      log.event('error', 'the bootstrap roles failed', { error });
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
