/**
 * Usernames that say what they are: service accounts and nodes. Others are plain users. Who makes
 * such a name and who takes it apart read the same forms here.
 */
import { isDnsLabel, isDnsSubdomain } from './api-names.ts';

/** A service account by its place. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const serviceAccountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';
const allServiceAccountsGroup = 'system:serviceaccounts';

/** `system:serviceaccount:NAMESPACE:NAME` */
export const serviceAccountUsername = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`;

/** The place of `system:serviceaccount:NAMESPACE:NAME`; `undefined` where no such account could exist. */
export const splitServiceAccountUsername = (username: string): ServiceAccountName | undefined => {
  if (!username.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username
    .slice(serviceAccountPrefix.length)
    .split(':');
  const fits = more.length === 0 && isDnsLabel(namespace) && isDnsSubdomain(name);
  return fits ? { namespace, name } : undefined;
};

/** The two groups that every token of an account of the namespace has. */
export const serviceAccountGroups = (namespace: string): readonly string[] => [
  allServiceAccountsGroup,
  `${allServiceAccountsGroup}:${namespace}`,
];

/** `system:node:NAME` -> the name. */
export const nodeNameOfUsername = (username: string): string | undefined => {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return isDnsSubdomain(name) ? name : undefined;
};
