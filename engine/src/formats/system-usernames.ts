/**
 * Usernames with the prefix `system:` that identify service accounts and nodes. This file both
 * builds and parses them.
 */
import { isDnsLabel, isDnsSubdomain } from './api-names.ts';

/** The namespace and name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const serviceAccountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';
const allServiceAccountsGroup = 'system:serviceaccounts';

/** Returns `system:serviceaccount:NAMESPACE:NAME`. */
export const serviceAccountUsername = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`;

/**
 * Splits `system:serviceaccount:NAMESPACE:NAME`; returns `undefined` if no such service account can
 * exist.
 */
export const splitServiceAccountUsername = (username: string): ServiceAccountName | undefined => {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username
    .slice(serviceAccountPrefix.length)
    .split(':');
  const fits = more.length === 0 && isDnsLabel(namespace) && isDnsSubdomain(name);
  return fits ? { namespace, name } : undefined;
};

/** Returns the two groups of every service account token in the namespace. */
export const serviceAccountGroups = (namespace: string): readonly string[] => [
  allServiceAccountsGroup,
  `${allServiceAccountsGroup}:${namespace}`,
];

/** Returns the node name of `system:node:NAME`, or `undefined`. */
export const nodeNameOfUsername = (username: string): string | undefined => {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return isDnsSubdomain(name) ? name : undefined;
};
