/** The API groups that are served: one for each API domain. */
import { type ApiDomain, apiDomains } from '../model/api-domain.ts';
import type { Release } from '../model/release.ts';

/** Maps the name of a group to its API domain. */
export const authenticationGroups: ReadonlyMap<string, ApiDomain> = new Map(
  apiDomains.map((domain) => [`authentication.${domain}`, domain]),
);

/**
 * The API groups of roles and bindings, which are stored objects. `rbac.authorization.k8s.io` comes
 * first because clients that name only a resource use the first group that serves it.
 */
export const rbacGroups: ReadonlyMap<string, ApiDomain> = new Map(
  apiDomains.toReversed().map((domain) => [`rbac.authorization.${domain}`, domain]),
);

/** The version that every group serves. */
export const servedVersion = 'v1';

/** The version that `--runtime-config` can add to the authentication groups, with one resource. */
export const betaVersion = 'v1beta1';

/**
 * The lifecycle of the beta version: kube-apiserver does not serve it from release `removed` on.
 */
export const betaLife: { readonly deprecated: Release; readonly removed: Release } = {
  deprecated: 30,
  removed: 33,
};

export type ReviewVersion = typeof servedVersion | typeof betaVersion;
