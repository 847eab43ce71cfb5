/** The API groups that this server serves: one for each domain, all at once. */
import { type ApiDomain, apiDomains } from '../model/api-domain.ts';

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

/** The one version of the groups that is served. */
export const servedVersion = 'v1';
