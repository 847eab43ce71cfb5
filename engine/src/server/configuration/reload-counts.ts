/** The metrics of reloads, with kube-apiserver's names. */
import type { Clock } from '../../ports/clock.ts';
import type { Metrics } from '../../ports/metrics.ts';

export interface ReloadCounts {
  /** Publishes the hash of the configuration that the server starts with. */
  loaded(hash: string): void;
  reloaded(hash: string): void;
  failed(): void;
}

const controller = 'apiserver_authentication_config_controller';

export const reloadCounts = (metrics: Metrics, clock: Clock): ReloadCounts => {
  const count = (status: 'success' | 'failure'): void => {
    metrics.increment(`${controller}_automatic_reloads_total`, { status });
    metrics.set(`${controller}_automatic_reload_last_timestamp_seconds`, clock.now() / 1000, {
      status,
    });
  };
  const loaded = (hash: string): void => {
    metrics.forget(`${controller}_last_config_info`, {});
    metrics.set(`${controller}_last_config_info`, 1, { hash: `sha256:${hash}` });
  };
  return {
    loaded,
    reloaded(hash) {
      count('success');
      loaded(hash);
    },
    failed: () => count('failure'),
  };
};
