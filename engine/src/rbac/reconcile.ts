/**
 * Reconciles the bootstrap roles and bindings in a store: creates missing objects, adds missing
 * rules, subjects, labels and annotations to existing ones, and skips objects whose annotation
 * disables updates. It removes nothing from an object, and a second run changes nothing.
 */
import { sameJson } from '../formats/json-as-maps.ts';
import { autoUpdateKey, kubernetesDomain, rbacGroup } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Randomness } from '../ports/randomness.ts';
import { type ObjectKey, type Store, type StoredObject, StoreError } from '../ports/store.ts';
import { withManagedFields } from '../resources/managed-fields.ts';
import { objectOf, objectsOf, stringOf, withMember } from '../resources/object-fields.ts';
import { rulesByResource } from '../resources/registry.ts';
import { bootstrapObjects } from './bootstrap-roles.ts';
import { uncoveredRules } from './cover-rules.ts';
import { resourceOfKind } from './fixed-view.ts';
import { readName, readRules, ruleObject, stringMapAt } from './role-objects.ts';

export interface ReconcileServices {
  readonly store: Pick<Store, 'get' | 'create' | 'update' | 'delete'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

export interface ReconcileResult {
  readonly written: number;
  /**
   * Names of objects that could not be written; only the first one if the store is unavailable.
   * Empty if all exist.
   */
  readonly failed: readonly string[];
}

/**
 * Reconciles all bootstrap objects. They are stored with kube-apiserver's names, whatever domain is
 * served. Never rejects.
 */
export const reconcileBootstrapRoles = async (
  services: ReconcileServices,
): Promise<ReconcileResult> => {
  let written = 0;
  const failed: string[] = [];
  for (const expected of bootstrapObjects(kubernetesDomain)) {
    // The writes are sequential: roles exist before the bindings that reference them.
    const outcome = await reconcileOne(expected, services);
    if (outcome === 'written') written += 1;
    if (outcome === 'failed' || outcome === 'unavailable') failed.push(readName(expected).name);
    // If the store is unavailable, trying the remaining objects would only take longer.
    if (outcome === 'unavailable') break;
  }
  return { written, failed };
};

/** Attempts for one object, since another writer may change it in the meantime. */
const maxAttempts = 5;

const reconcileOne = async (
  expected: JsonObject,
  services: ReconcileServices,
): Promise<'unchanged' | 'written' | 'failed' | 'unavailable'> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    try {
      return await reconcileOnce(expected, services);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.problem === 'unavailable') {
        const { name } = readName(expected);
        const fields = { kind: stringOf(expected.get('kind')), name, error: error.message };
        services.log.event('error', 'bootstrap role not written', fields);
        return 'unavailable';
      }
    }
  }
  return 'failed';
};

const reconcileOnce = async (
  expected: JsonObject,
  services: ReconcileServices,
): Promise<'unchanged' | 'written'> => {
  const { store } = services;
  const key = keyOf(expected);
  const existing = await store.get(key);
  if (existing === undefined) {
    await store.create(key, createdObject(expected, services));
    return 'written';
  }
  if (
    stringMapAt(existing.object, 'annotations').get(autoUpdateKey(kubernetesDomain)) === 'false'
  ) {
    return 'unchanged';
  }
  const isBinding = expected.has('roleRef');
  if (isBinding && !sameJson(existing.object.get('roleRef'), expected.get('roleRef'))) {
    await store.delete(key, {
      uid: stringOf(objectOf(existing.object.get('metadata')).get('uid')),
    });
    await store.create(key, createdObject(expected, services));
    return 'written';
  }
  const next = isBinding
    ? withSubjects(existing.object, expected)
    : withRules(existing.object, expected);
  const merged = withNames(next, expected);
  if (sameJson(merged, existing.object)) return 'unchanged';
  await store.update(key, withOwnManagedFields(merged, existing, services), {
    revision: existing.revision,
  });
  return 'written';
};

const keyOf = (object: JsonObject): ObjectKey => ({
  resource: resourceOfKind(stringOf(object.get('kind'))),
  ...readName(object),
});

const createdObject = (expected: JsonObject, services: ReconcileServices): JsonObject => {
  const uid = withMember(expected, ['metadata', 'uid'], services.randomness.uuid());
  const created = withMember(uid, ['metadata', 'creationTimestamp'], timeOf(services));
  return withOwnManagedFields(created, undefined, services);
};

/** Adds missing rules one permission at a time, as kube-apiserver does. */
const withRules = (existing: JsonObject, expected: JsonObject): JsonObject => {
  const coverage = uncoveredRules(readRules(existing), readRules(expected));
  const missing = coverage.kind === 'compared' ? coverage.missing.map(ruleObject) : [];
  const rules =
    missing.length === 0
      ? existing
      : withMember(existing, ['rules'], [...objectsOf(existing.get('rules')), ...missing]);
  const selectors = (object: JsonObject) =>
    objectsOf(objectOf(object.get('aggregationRule')).get('clusterRoleSelectors'));
  if (!expected.has('aggregationRule')) return withMember(rules, ['aggregationRule'], undefined);
  const known = selectors(existing);
  const lacking = selectors(expected).filter(
    (selector) => !known.some((other) => sameJson(other, selector)),
  );
  return lacking.length === 0
    ? rules
    : withMember(rules, ['aggregationRule', 'clusterRoleSelectors'], [...known, ...lacking]);
};

const withSubjects = (existing: JsonObject, expected: JsonObject): JsonObject => {
  const known = objectsOf(existing.get('subjects'));
  const lacking = objectsOf(expected.get('subjects')).filter(
    (subject) => !known.some((other) => sameJson(other, subject)),
  );
  return lacking.length === 0
    ? existing
    : withMember(existing, ['subjects'], [...known, ...lacking]);
};

/** Adds missing labels and annotations; existing values remain. */
const withNames = (existing: JsonObject, expected: JsonObject): JsonObject =>
  (['labels', 'annotations'] as const).reduce((object, member) => {
    const known = stringMapAt(object, member);
    const lacking = [...stringMapAt(expected, member)].filter(([name]) => !known.has(name));
    const joined = new Map<string, Json>([...known, ...lacking]);
    return lacking.length === 0 ? object : withMember(object, ['metadata', member], joined);
  }, existing);

const withOwnManagedFields = (
  object: JsonObject,
  live: StoredObject | undefined,
  services: ReconcileServices,
): JsonObject => {
  const rules = rulesByResource.get(keyOf(object).resource);
  if (rules === undefined) return object;
  const apiVersion = `${rbacGroup(kubernetesDomain)}/v1`;
  const by = { manager: 'kube-apiserver', apiVersion, time: timeOf(services) };
  return withManagedFields(object, live?.object, by, rules);
};

/** Returns the current time in RFC 3339 with a precision of seconds. */
const timeOf = ({ clock }: ReconcileServices): string =>
  new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
