/**
 * Rules of aggregated cluster roles: the rules of the roles that their selectors match, selector by
 * selector, in the order of names, without duplicates.
 */
import type { Json, JsonObject } from '../model/json.ts';
import { objectOf, objectsOf, stringOf } from '../resources/object-fields.ts';
import { ruleKey } from './policy-rule.ts';
import { readName, readRule, ruleObject, stringMapAt } from './role-objects.ts';

/**
 * Returns the rules that a cluster role should have; `undefined` if it is not aggregated or its
 * rules are up to date.
 */
export const aggregatedRules = (
  role: JsonObject,
  all: readonly JsonObject[],
): readonly JsonObject[] | undefined => {
  const rule = role.get('aggregationRule');
  if (!(rule instanceof Map)) return undefined;
  const aggregated = new Map<string, JsonObject>();
  for (const selector of objectsOf(objectOf(rule).get('clusterRoleSelectors'))) {
    for (const other of all.filter((one) => matchesSelector(one, selector)).toSorted(byName)) {
      if (readName(other).name === readName(role).name) continue;
      for (const each of objectsOf(other.get('rules'))) {
        const normalized = ruleObject(readRule(each));
        const key = ruleKey(readRule(each));
        if (!aggregated.has(key)) aggregated.set(key, normalized);
      }
    }
  }
  const rules = [...aggregated.values()];
  const before = objectsOf(role.get('rules')).map((one) => ruleKey(readRule(one)));
  return isSameList(before, [...aggregated.keys()]) ? undefined : rules;
};

/**
 * Returns the objects with the rules of aggregated roles, for objects that no controller
 * reconciles. Roles may aggregate aggregated roles, so the rules are computed until nothing
 * changes.
 */
export const withAggregatedRules = (objects: readonly JsonObject[]): readonly JsonObject[] => {
  let now = objects;
  for (let round = 0; round < maxRounds; round += 1) {
    const clusterRoles = now.filter((object) => stringOf(object.get('kind')) === 'ClusterRole');
    let changed = false;
    now = now.map((object) => {
      if (stringOf(object.get('kind')) !== 'ClusterRole') return object;
      const rules = aggregatedRules(object, clusterRoles);
      if (rules === undefined) return object;
      changed = true;
      return new Map<string, Json>([...object, ['rules', rules]]);
    });
    if (!changed) break;
  }
  return now;
};

/** Limit for chains of aggregated roles; rules that would need more rounds are left out. */
const maxRounds = 16;

/**
 * Returns whether a selector matches. One without conditions matches everything, an invalid one
 * matches nothing.
 */
const matchesSelector = (object: JsonObject, selector: JsonObject): boolean => {
  const labels = stringMapAt(object, 'labels');
  const wanted = objectOf(selector.get('matchLabels'));
  return (
    [...wanted].every(([name, value]) => labels.get(name) === value) &&
    objectsOf(selector.get('matchExpressions')).every((one) => matchesExpression(one, labels))
  );
};

const matchesExpression = (
  expression: JsonObject,
  labels: ReadonlyMap<string, string>,
): boolean => {
  const label = labels.get(stringOf(expression.get('key')));
  const values = expression.get('values');
  const isIn = label !== undefined && Array.isArray(values) && values.includes(label);
  switch (stringOf(expression.get('operator'))) {
    case 'In':
      return isIn;
    case 'NotIn':
      return !isIn;
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    default:
      return false;
  }
};

const byName = (left: JsonObject, right: JsonObject): number =>
  readName(left).name < readName(right).name ? -1 : 1;

const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, position) => text === right[position]);
