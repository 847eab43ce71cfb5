/** The API groups that this server serves: one for each domain, all at once. */
import { apiDomains } from '../model/api-domain.ts';

/** Group name -> its domain. */
export const authenticationGroups: ReadonlyMap<string, string> = new Map(
  apiDomains.map((domain) => [`authentication.${domain}`, domain]),
);

/** The one version of the group that is served. */
export const servedVersion = 'v1';
