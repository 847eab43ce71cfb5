/**
 * Header fields that ask to act as somebody else. Nobody holds the permission yet, so whoever asks is
 * refused with the words that the real server has for callers without it: an answer under the
 * caller's own name would be taken for one under the other.
 */

import { quoteByteText, textOfBytes, textOfLatin1 } from '../formats/byte-text.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import { type ApiError, badRequest } from '../model/api-error.ts';
import { allHeaders, type HeaderList, headersBelow } from '../model/header-list.ts';
import type { UserInfo } from '../model/user-info.ts';
import { forbidden } from './forbidden.ts';
import type { RequestInfo } from './http/request-info.ts';

export interface Impersonation {
  /** Empty when the field is absent or empty. */
  readonly username: string;
  /** Empty as above. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys in lower case, then decoded. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** `undefined` when the request asks for none. Unknown `Impersonate-*` fields mean nothing. */
export const readImpersonation = (headers: HeaderList): Impersonation | undefined => {
  const texts = (lowerName: string): readonly string[] =>
    allHeaders(headers, lowerName).map(textOfLatin1);
  const [username = ''] = texts('impersonate-user');
  const [uid = ''] = texts('impersonate-uid');
  const groups = texts('impersonate-group');
  const extra = new Map<string, readonly string[]>();
  for (const { rest, value } of headersBelow(headers, 'impersonate-extra-')) {
    const key = decodedKey(rest);
    extra.set(key, [...(extra.get(key) ?? []), textOfLatin1(value)]);
  }
  const isAsked = username !== '' || uid !== '' || groups.length > 0 || extra.size > 0;
  return isAsked ? { username, uid, groups, extra } : undefined;
};

/** 400 without a name, else 403. `constrained`: the feature gate ConstrainedImpersonation. */
export const impersonationRefusal = (
  wanted: Impersonation,
  user: UserInfo,
  { info, constrained }: { readonly info: RequestInfo; readonly constrained: boolean },
): ApiError => {
  if (wanted.username === '') {
    return badRequest(constrained ? namelessConstrained(wanted) : namelessClassic(wanted));
  }
  const mode = constrained ? constrainedMode(wanted) : undefined;
  return forbidden(user, mode === undefined ? classicQuestion(wanted, info) : asked(mode, info));
};

/** Escapes that are none leave the key as it is. */
const decodedKey = (key: string): string => {
  if (!key.includes('%') || /%(?![\da-f]{2})/.test(key)) return key;
  const bytes = key.replaceAll(/%([\da-f]{2})/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return textOfBytes(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
};

/** A Go struct as `%v` prints it: kind, namespace, name, uid, version, resource version, path. */
const namelessClassic = ({ uid, groups, extra }: Impersonation): string => {
  const version = `authentication.${kubernetesDomain}/v1`;
  const wishes = [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...[...extra].flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ];
  return `requested [${wishes.join(' ')}] without impersonating a user`;
};

/** A Go struct as `%#v` prints it, maps in the order of their keys. */
const namelessConstrained = ({ uid, groups, extra }: Impersonation): string => {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map(quoteByteText).join(', ')}}`;
  const keys = [...extra].sort(([left], [right]) => (left < right ? -1 : 1));
  const members = keys.map(([key, values]) => `${quoteByteText(key)}:${list(values)}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = extra.size === 0 ? '(nil)' : `{${members.join(', ')}}`;
  const fields = `Name:"", UID:${quoteByteText(uid)}, Groups:${shownGroups}, Extra:map[string][]string${shownExtra}`;
  return `requested &user.DefaultInfo{${fields}} without impersonating a user name`;
};

type Mode = 'arbitrary-node' | 'serviceaccount' | 'user-info';

/**
 * The mode whose denial the real server tells; `undefined` where only the classic one fits. Its
 * fourth, for service accounts on their own node, is left out: their tokens have no module yet.
 */
const constrainedMode = ({ username, uid, groups, extra }: Impersonation): Mode | undefined => {
  const isNode = isNodeName(username);
  if (!isNode && serviceAccountOf(username) === undefined) return 'user-info';
  if (uid !== '' || groups.length > 0 || extra.size > 0) return undefined;
  return isNode ? 'arbitrary-node' : 'serviceaccount';
};

const asked = (mode: Mode, info: RequestInfo): RequestInfo => {
  const prefix = `impersonate-on:${mode}`;
  return info.kind === 'path'
    ? { ...info, verb: `${prefix}:${info.verb}` }
    : { ...info, attributes: { ...info.attributes, verb: `${prefix}:${info.attributes.verb}` } };
};

/** The name is asked about first, so its denial is the one that is told. */
const classicQuestion = ({ username }: Impersonation, { path }: RequestInfo): RequestInfo => {
  const account = serviceAccountOf(username);
  const attributes =
    account === undefined
      ? { verb: 'impersonate', group: '', resource: 'users', name: username }
      : { verb: 'impersonate', group: '', resource: 'serviceaccounts', ...account };
  return { kind: 'resource', path, version: 'v1', attributes };
};

const accountPrefix = 'system:serviceaccount:';

const serviceAccountOf = (
  username: string,
): { readonly namespace: string; readonly name: string } | undefined => {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(accountPrefix.length).split(':');
  const isOne = more.length === 0 && isLabel(namespace) && isSubdomain(name);
  return isOne ? { namespace, name } : undefined;
};

const nodePrefix = 'system:node:';

const isNodeName = (username: string): boolean =>
  username.startsWith(nodePrefix) && isSubdomain(username.slice(nodePrefix.length));

const label = /^[a-z\d](?:[-a-z\d]*[a-z\d])?$/;

const isLabel = (text: string): boolean => text.length <= 63 && label.test(text);

/** Unlike a label, a part of it may have any length. */
const isSubdomain = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((part) => label.test(part));
