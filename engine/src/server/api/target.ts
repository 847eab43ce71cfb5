/** Parses the path of a request for stored objects. */
import { isSlash, trimEnd } from '../../formats/trim.ts';
import { type ApiDomain, apiDomains, kubernetesDomain } from '../../model/api-domain.ts';
import type { KindRules } from '../../resources/kind-rules.ts';
import { rulesByResource } from '../../resources/registry.ts';

export interface ObjectTarget {
  readonly rules: KindRules;
  /** The API domain of the request and its response. */
  readonly domain: ApiDomain;
  /** Empty for the core group. */
  readonly group: string;
  /** Example: `v1`, `rbac.authorization.k8s.io/v1`. */
  readonly apiVersion: string;
  /** Empty for lists over all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  /** `status` or `token` if the kind has it; empty for the object itself. */
  readonly subresource: string;
  /** True for the deprecated watch path `/api/v1/watch/…`. */
  readonly isWatchPath: boolean;
}

/** Returns the API group of roles in a domain. */
const rbacGroupOf = (domain: string): string => `rbac.authorization.${domain}`;

/** The subresources that are served. */
const subresources: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['namespaces', new Set(['status'])],
  ['serviceaccounts', new Set(['token'])],
]);

/** Parses a path; `undefined` if no served kind matches. */
export const objectTarget = (path: string): ObjectTarget | undefined => {
  const base = baseOf(path);
  if (base === undefined) return undefined;
  const isWatchPath = base.rest[0] === 'watch';
  const parts = isWatchPath ? base.rest.slice(1) : base.rest;
  const place = placeOf(parts);
  const rules = rulesByResource.get(place.resource);
  if (rules === undefined || (rules.row.group === 'rbac') !== (base.group !== '')) return undefined;
  const { name = '', subresource = '' } = place;
  if (rules.row.namespaced ? place.namespace === '' && name !== '' : place.namespace !== '') {
    return undefined;
  }
  const known = subresources.get(rules.row.resource)?.has(subresource) === true;
  if (subresource !== '' && (!known || isWatchPath)) return undefined;
  return {
    rules,
    domain: base.domain,
    group: base.group,
    apiVersion: base.group === '' ? 'v1' : `${base.group}/v1`,
    namespace: place.namespace,
    name,
    subresource,
    isWatchPath,
  };
};

const baseOf = (path: string) => {
  // Trailing slashes are ignored, as in kube-apiserver's router.
  const segments = trimEnd(path, isSlash).split('/').slice(1);
  if (segments.includes('')) return undefined;
  const [prefix, second, third] = segments;
  if (prefix === 'api' && second === 'v1') {
    return { domain: kubernetesDomain, group: '', rest: segments.slice(2) };
  }
  if (prefix !== 'apis' || third !== 'v1') return undefined;
  const domain = apiDomains.find((candidate) => second === rbacGroupOf(candidate));
  return domain === undefined
    ? undefined
    : { domain, group: rbacGroupOf(domain), rest: segments.slice(3) };
};

interface Place {
  readonly namespace: string;
  readonly resource: string;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Splits the path: `namespaces/team/pods/x` is a pod, `namespaces/team/status` a subresource. */
const placeOf = (parts: readonly string[]): Place => {
  const [first = '', second = '', third, fourth, fifth, ...more] = parts;
  if (more.length > 0) return { namespace: '', resource: '' };
  const isNamespaceItself =
    first === 'namespaces' &&
    (third === undefined || subresources.get('namespaces')?.has(third) === true);
  if (first !== 'namespaces' || isNamespaceItself) {
    if (fourth !== undefined) return { namespace: '', resource: '' };
    return { namespace: '', resource: first, name: second, subresource: third };
  }
  return { namespace: second, resource: third ?? '', name: fourth, subresource: fifth };
};
