/** Does one rule allow what is asked? As the real authorizer compares, star by star. */
import { anyOf, trimEnd } from '../formats/trim.ts';
import { apiDomains, kubernetesDomain } from '../model/api-domain.ts';
import type { AuthorizationRequest, ResourceAttributes } from '../ports/authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';

/** The same rule with the groups under the names by which requests are compared. */
export const withCanonicalGroups = (rule: PolicyRule): PolicyRule => ({
  ...rule,
  apiGroups: rule.apiGroups.map(canonicalGroup),
});

/** Of a rule with canonical groups. A request that names neither a resource nor a path is allowed by nothing. */
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

/** One group has a name in each domain; roles of either name speak of the same thing. */
export const canonicalGroup = (group: string): string => {
  for (const suffix of otherSuffixes) {
    if (group.endsWith(suffix)) return `${group.slice(0, -suffix.length)}.${kubernetesDomain}`;
  }
  return group;
};

/** A star stands at the end, and as many as one likes. */
export const urlCovers = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(trimEnd(url, isStar)));

const isStar = anyOf('*');

/** Is it in the list, or a star? */
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

/** A sub-resource is covered by itself, by all of its kind (`*` and sub-resource) or by `*`. */
const resourceMatches = (pattern: string, resource: string, subresource: string): boolean => {
  if (pattern === '*') return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
};
