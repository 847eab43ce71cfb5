/**
 * Puts the bootstrap roles and bindings into a store: makes those that are not there, adds what is
 * missing to those that are, and leaves alone what is annotated so. Nothing is ever taken away from
 * one, and doing it again changes nothing.
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
  /** Those that the store did not take; where it is away, the first alone. Empty when all are there. */
  readonly failed: readonly string[];
}

/** Objects are stored under the real server's names, whatever domain is served. Never rejects. */
export const reconcileBootstrapRoles = async (
  services: ReconcileServices,
): Promise<ReconcileResult> => {
  let written = 0;
  const failed: string[] = [];
  for (const expected of bootstrapObjects(kubernetesDomain)) {
    // One after the other: roles are there before the bindings that name them.
    const outcome = await reconcileOne(expected, services);
    if (outcome === 'written') written += 1;
    if (outcome === 'failed' || outcome === 'away') failed.push(readName(expected).name);
    // Who asks a store that is away once more for each of them waits for ever.
    if (outcome === 'away') break;
  }
  return { written, failed };
};

/** Somebody else may write the same object meanwhile. */
const maxAttempts = 5;

const reconcileOne = async (
  expected: JsonObject,
  services: ReconcileServices,
): Promise<'unchanged' | 'written' | 'failed' | 'away'> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    try {
      return await reconcileOnce(expected, services);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.problem === 'unavailable') {
        const { name } = readName(expected);
        const fields = { kind: stringOf(expected.get('kind')), name, error: error.message };
        services.log.event('error', 'a bootstrap role could not be written', fields);
        return 'away';
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
  const found = await store.get(key);
  if (found === undefined) {
    await store.create(key, createdObject(expected, services));
    return 'written';
  }
  if (stringMapAt(found.object, 'annotations').get(autoUpdateKey(kubernetesDomain)) === 'false') {
    return 'unchanged';
  }
  const isBinding = expected.has('roleRef');
  if (isBinding && !sameJson(found.object.get('roleRef'), expected.get('roleRef'))) {
    await store.delete(key, { uid: stringOf(objectOf(found.object.get('metadata')).get('uid')) });
    await store.create(key, createdObject(expected, services));
    return 'written';
  }
  const next = isBinding ? withSubjects(found.object, expected) : withRules(found.object, expected);
  const merged = withNames(next, expected);
  if (sameJson(merged, found.object)) return 'unchanged';
  await store.update(key, withOwnManagedFields(merged, found, services), {
    revision: found.revision,
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

/** Rules that are missing are added one permission at a time, as the real server does. */
const withRules = (found: JsonObject, expected: JsonObject): JsonObject => {
  const coverage = uncoveredRules(readRules(found), readRules(expected));
  const missing = coverage.kind === 'compared' ? coverage.missing.map(ruleObject) : [];
  const rules =
    missing.length === 0
      ? found
      : withMember(found, ['rules'], [...objectsOf(found.get('rules')), ...missing]);
  const selectors = (object: JsonObject) =>
    objectsOf(objectOf(object.get('aggregationRule')).get('clusterRoleSelectors'));
  if (!expected.has('aggregationRule')) return withMember(rules, ['aggregationRule'], undefined);
  const known = selectors(found);
  const lacking = selectors(expected).filter(
    (selector) => !known.some((other) => sameJson(other, selector)),
  );
  return lacking.length === 0
    ? rules
    : withMember(rules, ['aggregationRule', 'clusterRoleSelectors'], [...known, ...lacking]);
};

const withSubjects = (found: JsonObject, expected: JsonObject): JsonObject => {
  const known = objectsOf(found.get('subjects'));
  const lacking = objectsOf(expected.get('subjects')).filter(
    (subject) => !known.some((other) => sameJson(other, subject)),
  );
  return lacking.length === 0 ? found : withMember(found, ['subjects'], [...known, ...lacking]);
};

/** Labels and annotations; where both have one, that of the store stays. */
const withNames = (found: JsonObject, expected: JsonObject): JsonObject =>
  (['labels', 'annotations'] as const).reduce((object, member) => {
    const known = stringMapAt(object, member);
    const lacking = [...stringMapAt(expected, member)].filter(([name]) => !known.has(name));
    const joined = new Map<string, Json>([...known, ...lacking]);
    return lacking.length === 0 ? object : withMember(object, ['metadata', member], joined);
  }, found);

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

/** RFC 3339, to the second. */
const timeOf = ({ clock }: ReconcileServices): string =>
  new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
