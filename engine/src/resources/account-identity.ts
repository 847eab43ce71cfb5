/** The identity of a service account: names and groups as the real server makes them. */
import type { UserInfo } from '../model/user-info.ts';

const usernamePrefix = 'system:serviceaccount:';
const allAccounts = 'system:serviceaccounts';

export const accountUsername = (namespace: string, name: string): string =>
  `${usernamePrefix}${namespace}:${name}`;

/** `undefined` for what is no name of a service account. */
export const splitAccountUsername = (
  username: string,
): { readonly namespace: string; readonly name: string } | undefined => {
  if (!username.startsWith(usernamePrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(usernamePrefix.length).split(':');
  const fits = rest.length === 0 && isLabel(namespace) && isSubdomain(name);
  return fits ? { namespace, name } : undefined;
};

export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly extra: UserInfo['extra'];
}

export const accountUser = ({ namespace, name, uid, extra }: AccountIdentity): UserInfo => ({
  username: accountUsername(namespace, name),
  uid,
  groups: [allAccounts, `${allAccounts}:${namespace}`],
  extra,
});

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const labelForm = new RegExp(`^${label}$`);
const subdomainForm = new RegExp(`^${label}(?:\\.${label})*$`);

const isLabel = (text: string): boolean => text.length <= 63 && labelForm.test(text);
const isSubdomain = (text: string): boolean => text.length <= 253 && subdomainForm.test(text);
