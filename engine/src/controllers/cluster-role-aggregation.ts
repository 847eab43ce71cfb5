/**
 * Keeps the rules of aggregated cluster roles equal to those of the roles that they select. The
 * controller compares all cluster roles whenever one of them changes: there are few of them, and no
 * index says which role selects which.
 */
import { kubernetesDomain, rbacGroup } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { aggregatedRules } from '../rbac/aggregation.ts';
import { withManagedFields } from '../resources/managed-fields.ts';
import { stringAt } from '../resources/object-fields.ts';
import { clusterRoleRules } from '../resources/role.ts';
import type { Controller } from './controller.ts';
import { growingDelay, syncController } from './sync-controller.ts';

export interface AggregationServices {
  readonly store: Pick<Store, 'update'>;
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Delay between two attempts after the store rejects a write or while the view is incomplete; it
 * doubles with each attempt.
 */
const minRetryMs = 250;
const maxRetryMs = 30_000;

/** Returns a controller that is inactive until `start` is called. */
export const clusterRoleAggregation = (services: AggregationServices): Controller => {
  const { view, clock, log } = services;
  const retryDelay = growingDelay(minRetryMs, maxRetryMs);

  const write = async (role: JsonObject, rules: readonly JsonObject[]): Promise<boolean> => {
    const name = stringAt(role, 'metadata', 'name');
    const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const apiVersion = `${rbacGroup(kubernetesDomain)}/v1`;
    const fieldManager = { manager: 'clusterrole-aggregation-controller', apiVersion, time };
    const next = new Map<string, Json>([...role, ['rules', rules]]);
    const key = { resource: 'clusterroles', namespace: '', name };
    const preconditions = { revision: stringAt(role, 'metadata', 'resourceVersion') };
    try {
      const object = withManagedFields(next, role, fieldManager, clusterRoleRules);
      await services.store.update(key, object, preconditions);
      return true;
    } catch (error) {
      const problem = error instanceof StoreError ? error.problem : 'unknown';
      // The view may not have seen the latest write yet; the change that it still lacks starts
      // another pass.
      if (problem !== 'conflict' && problem !== 'missing') {
        log.event('error', 'cluster role not aggregated', { name, error });
      }
      return false;
    }
  };

  return syncController({
    name: 'clusterrole-aggregation-controller',
    clock,
    subscribe: (onChange) => [view.onChange('clusterroles', onChange)],
    async sync(isStopped) {
      const all = view.list('clusterroles');
      if (all === undefined) return retryDelay.next();
      let isDone = true;
      for (const role of all) {
        const rules = aggregatedRules(role, all);
        if (rules === undefined || isStopped()) continue;
        // The writes are sequential, so that the next pass sees the result of this one.
        if (!(await write(role, rules))) isDone = false;
      }
      if (!isDone) return retryDelay.next();
      retryDelay.reset();
      return Number.POSITIVE_INFINITY;
    },
  });
};
