/** The API groups that this server serves: one for each domain, all at once. */
import { type ApiDomain, apiDomains } from '../model/api-domain.ts';
import type { Release } from '../model/release.ts';

/** Group name -> its domain. */
export const authenticationGroups: ReadonlyMap<string, ApiDomain> = new Map(
  apiDomains.map((domain) => [`authentication.${domain}`, domain]),
);

/**
 * The groups of roles and bindings, where objects are stored. The one that every client knows comes
 * first: clients that ask for a resource by its name alone take the first group that has it.
 */
export const rbacGroups: ReadonlyMap<string, ApiDomain> = new Map(
  apiDomains.toReversed().map((domain) => [`rbac.authorization.${domain}`, domain]),
);

/** The version of the groups that is always served. */
export const servedVersion = 'v1';

/** The older one that the groups of authentication have where it is asked for, with one resource. */
export const betaVersion = 'v1beta1';

/** Releases in its life: from the last one on the real server does not serve it, whoever asks. */
export const betaLife: { readonly deprecated: Release; readonly removed: Release } = {
  deprecated: 30,
  removed: 33,
};

export type ReviewVersion = typeof servedVersion | typeof betaVersion;
