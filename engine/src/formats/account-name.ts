/**
 * Usernames that say what they are: service accounts and nodes. Others are plain users. Who makes
 * such a name and who takes it apart read the same forms here.
 */
import { isDnsLabel, isDnsSubdomain } from './api-names.ts';

/** A service account by its place. */
export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

const accountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';
const allAccounts = 'system:serviceaccounts';

/** `system:serviceaccount:NAMESPACE:NAME` */
export const accountUsername = (namespace: string, name: string): string =>
  `${accountPrefix}${namespace}:${name}`;

/** The place of `system:serviceaccount:NAMESPACE:NAME`; `undefined` where no such account could exist. */
export const accountOfUsername = (username: string): AccountName | undefined => {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(accountPrefix.length).split(':');
  const fits = more.length === 0 && isDnsLabel(namespace) && isDnsSubdomain(name);
  return fits ? { namespace, name } : undefined;
};

/** The two groups that every token of an account of the namespace has. */
export const accountGroups = (namespace: string): readonly string[] => [
  allAccounts,
  `${allAccounts}:${namespace}`,
];

/** `system:node:NAME` -> the name. */
export const nodeOfUsername = (username: string): string | undefined => {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return isDnsSubdomain(name) ? name : undefined;
};
