/** Matches rules against requests by the same rules as kube-apiserver's RBAC authorizer. */
import { anyOf, trimEnd } from '../formats/trim.ts';
import { apiDomains, kubernetesDomain } from '../model/api-domain.ts';
import type { AuthorizationRequest, ResourceAttributes } from '../ports/authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';

/** Returns the rule with canonical API groups, with which requests are compared. */
export const withCanonicalGroups = (rule: PolicyRule): PolicyRule => ({
  ...rule,
  apiGroups: rule.apiGroups.map(canonicalGroup),
});

/**
 * Returns whether a rule with canonical groups allows the request. A request that names neither a
 * resource nor a path is never allowed.
 */
export const ruleAllows = (
  rule: PolicyRule,
  { resource, nonResource }: Pick<AuthorizationRequest, 'resource' | 'nonResource'>,
): boolean => {
  if (resource !== undefined) return allowsResource(rule, resource);
  return (
    nonResource !== undefined &&
    hasOrStar(rule.verbs, nonResource.verb) &&
    rule.nonResourceURLs.some((url) => urlCovers(url, nonResource.path))
  );
};

/** Returns the name of an API group in kube-apiserver's domain; roles may use either name. */
export const canonicalGroup = (group: string): string => {
  for (const suffix of otherSuffixes) {
    if (group.endsWith(suffix)) return `${group.slice(0, -suffix.length)}.${kubernetesDomain}`;
  }
  return group;
};

/** Returns whether a URL of a rule covers a path. A rule's URL may end in one or more stars. */
export const urlCovers = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(trimEnd(url, isStar)));

const isStar = anyOf('*');

/** Returns whether the list contains the value or a star. */
export const hasOrStar = (list: readonly string[], wanted: string): boolean =>
  list.includes(wanted) || list.includes('*');

const otherSuffixes = apiDomains
  .filter((domain) => domain !== kubernetesDomain)
  .map((domain) => `.${domain}`);

const allowsResource = (
  rule: PolicyRule,
  { verb, group, resource, subresource = '', name = '' }: ResourceAttributes,
): boolean =>
  hasOrStar(rule.verbs, verb) &&
  hasOrStar(rule.apiGroups, canonicalGroup(group)) &&
  rule.resources.some((pattern) => resourceMatches(pattern, resource, subresource)) &&
  (rule.resourceNames.length === 0 || rule.resourceNames.includes(name));

/**
 * Returns whether a resource of a rule matches. A subresource matches itself, a star in place of its
 * resource, and `*`.
 */
const resourceMatches = (pattern: string, resource: string, subresource: string): boolean => {
  if (pattern === '*') return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
};
