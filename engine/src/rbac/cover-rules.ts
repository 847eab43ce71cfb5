/**
 * Checks whether the rules that a user holds cover the rules that are to be granted. The latter are
 * broken down into single permissions, each of which must be covered by one held rule alone, as in
 * kube-apiserver.
 */
import { goQuoteList } from '../formats/go-quote.ts';
import { maxComparedPermissions } from '../model/limits.ts';
import type { PolicyRule } from './policy-rule.ts';
import { canonicalGroup, hasOrStar, urlCovers, withCanonicalGroups } from './rule-match.ts';

export type Coverage =
  /** `missing` is empty if everything is covered. */
  | { readonly kind: 'compared'; readonly missing: readonly PolicyRule[] }
  | { readonly kind: 'too-many' };

/** Returns the parts of the granted rules that the held rules do not cover. */
export const uncoveredRules = (
  held: readonly PolicyRule[],
  granted: readonly PolicyRule[],
): Coverage => {
  const total = granted.map(permissionCount).reduce((sum, count) => sum + count, 0);
  if (total > maxComparedPermissions) return { kind: 'too-many' };
  const canonicalHeld = held.map(withCanonicalGroups);
  const missing = granted
    .flatMap(breakdownRule)
    .filter((permission) => !canonicalHeld.some((rule) => covers(rule, permission)));
  return { kind: 'compared', missing };
};

/**
 * Returns `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}` for each resource, sorted.
 */
export const compactStrings = (rules: readonly PolicyRule[]): readonly string[] =>
  [...new Set(compactRules(rules).map(compactString))].sort();

/**
 * Breaks a rule down into permissions, each with one verb and either one resource with at most one
 * name or one path.
 */
const breakdownRule = (rule: PolicyRule): readonly PolicyRule[] => {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
          nonResourceURLs: [],
        })),
      ),
    ),
  );
  const ofPaths = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [url],
    })),
  );
  return [...ofResources, ...ofPaths];
};

const permissionCount = (rule: PolicyRule): number =>
  rule.verbs.length *
  (rule.apiGroups.length * rule.resources.length * Math.max(1, rule.resourceNames.length) +
    rule.nonResourceURLs.length);

const covers = (held: PolicyRule, permission: PolicyRule): boolean =>
  permission.verbs.every((verb) => hasOrStar(held.verbs, verb)) &&
  permission.apiGroups.every((group) => groupIsHeld(held.apiGroups, group)) &&
  permission.resources.every((resource) => resourceIsHeld(held.resources, resource)) &&
  namesAreHeld(held.resourceNames, permission.resourceNames) &&
  permission.nonResourceURLs.every((url) =>
    held.nonResourceURLs.some((owner) => urlCovers(owner, url)),
  );

const groupIsHeld = (held: readonly string[], group: string): boolean =>
  hasOrStar(held, canonicalGroup(group));

const resourceIsHeld = (held: readonly string[], resource: string): boolean => {
  if (hasOrStar(held, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
};

/** A rule without names applies to all names, and only such a rule covers another one. */
const namesAreHeld = (held: readonly string[], names: readonly string[]): boolean =>
  held.length === 0 || (names.length > 0 && names.every((name) => held.includes(name)));

/** Combines permissions that differ only in their verb into one rule. */
const compactRules = (rules: readonly PolicyRule[]): readonly PolicyRule[] => {
  const byResource = Map.groupBy(rules, (rule) =>
    rule.nonResourceURLs.length > 0
      ? JSON.stringify([rule.nonResourceURLs, rule.verbs])
      : JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]),
  );
  return [...byResource.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    if (first.nonResourceURLs.length > 0) return [first];
    return [{ ...first, verbs: same.flatMap(({ verbs }) => verbs) }];
  });
};

const compactString = (rule: PolicyRule): string => {
  const members: (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = members
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:${goQuoteList(list)}`);
  return `{${shown.join(', ')}}`;
};
