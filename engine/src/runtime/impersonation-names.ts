/** Usernames that say what they are: service accounts and nodes. Others are plain users. */

export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** `system:serviceaccount:NAMESPACE:NAME`; `undefined` where a part is none that could exist. */
export const accountOf = (username: string): AccountName | undefined => {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(accountPrefix.length).split(':');
  const isOne = more.length === 0 && isLabel(namespace) && isSubdomain(name);
  return isOne ? { namespace, name } : undefined;
};

/** The two groups that every token of an account of the namespace has. */
export const accountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** `system:node:NAME` -> the name. */
export const nodeOf = (username: string): string | undefined => {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return isSubdomain(name) ? name : undefined;
};

export const isSubdomain = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((part) => label.test(part));

const accountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';
const label = /^[a-z\d](?:[-a-z\d]*[a-z\d])?$/;

const isLabel = (text: string): boolean => text.length <= 63 && label.test(text);
