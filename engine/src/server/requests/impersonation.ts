/**
 * The `Impersonate-*` headers: parsed, validated, and removed after impersonation.
 * `runtime/impersonate.ts` decides whether the caller may impersonate.
 */
import { decodeLatin1, quoteByteString } from '../../formats/byte-string.ts';
import { authenticationGroup } from '../../model/api-domain.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import { allHeaders, type HeaderList, headersWithPrefix } from '../../model/header-list.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { readFieldTerms } from '../../resources/field-selector.ts';
import type { Exchange } from '../http/exchange.ts';
import { queryValue } from '../http/target.ts';

/**
 * Reads the requested user; `undefined` if none is requested. Unknown `Impersonate-*` headers are
 * ignored.
 */
export const readImpersonation = (headers: HeaderList): UserInfo | undefined => {
  if (!requestsImpersonation(headers)) return undefined;
  const headerValues = (lowerName: string): readonly string[] =>
    allHeaders(headers, lowerName).map(decodeLatin1);
  const [username = ''] = headerValues('impersonate-user');
  const [uid = ''] = headerValues('impersonate-uid');
  const groups = headerValues('impersonate-group');
  const extra = new Map<string, readonly string[]>();
  for (const { rest, value } of headersWithPrefix(headers, 'impersonate-extra-')) {
    const key = decodedKey(rest);
    extra.set(key, [...(extra.get(key) ?? []), decodeLatin1(value)]);
  }
  const isRequested = username !== '' || uid !== '' || groups.length > 0 || extra.size > 0;
  return isRequested ? { username, uid, groups, extra } : undefined;
};

/** Reports whether a header may request impersonation. */
export const requestsImpersonation = (headers: HeaderList): boolean =>
  headers.some(({ name }) => isImpersonationHeader(name));

/**
 * Returns the 400 for a request that impersonates groups, a UID or extra values without a user name.
 */
export const missingUserError = (
  requested: UserInfo,
  { constrained, domain }: { readonly constrained: boolean; readonly domain: string },
): ApiError | undefined => {
  if (requested.username !== '') return undefined;
  return badRequest(
    constrained ? missingUserMessageConstrained(requested) : missingUserMessage(requested, domain),
  );
};

/** Removes the headers, so that later handlers do not see the impersonation. */
export const withoutImpersonation = (headers: HeaderList): HeaderList =>
  headers.filter(({ name }) => !isImpersonationHeader(name));

/**
 * Returns what distinguishes a request besides its attributes, as a cache key for impersonation;
 * `undefined` if it must not be cached.
 */
export const impersonationScope = ({
  target,
  info,
}: Pick<Exchange, 'target' | 'info'>): string | undefined => {
  if (info.kind === 'path') return info.path;
  const place = [info.path, info.version];
  if (!selectingVerbs.has(info.attributes.verb)) return JSON.stringify(place);
  const fields = readFieldTerms(queryValue(target, 'fieldSelector'));
  return fields.kind === 'error'
    ? undefined
    : JSON.stringify([...place, fields.selector, queryValue(target, 'labelSelector')]);
};

const selectingVerbs = new Set(['list', 'watch', 'deletecollection']);

const impersonationHeader = /^impersonate-(?:user$|uid$|group$|extra-)/i;

const isImpersonationHeader = (name: string): boolean => impersonationHeader.test(name);

/** Unescapes a key; one with an invalid escape is returned unchanged. */
const decodedKey = (key: string): string => {
  if (!key.includes('%') || /%(?![\da-f]{2})/.test(key)) return key;
  const bytes = key.replaceAll(/%([\da-f]{2})/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeLatin1(bytes);
};

/**
 * Formats the references as Go's `%v`: kind, namespace, name, uid, version, resource version, path.
 */
const missingUserMessage = ({ uid, groups, extra }: UserInfo, domain: string): string => {
  const version = `${authenticationGroup(domain)}/v1`;
  const references = [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...[...extra].flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ];
  return `requested [${references.join(' ')}] without impersonating a user`;
};

/** Formats the user as Go's `%#v`, with maps in key order. */
const missingUserMessageConstrained = ({ uid, groups, extra }: UserInfo): string => {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map(quoteByteString).join(', ')}}`;
  const keys = [...extra].sort(([left], [right]) => (left < right ? -1 : 1));
  const members = keys.map(([key, values]) => `${quoteByteString(key)}:${list(values)}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = extra.size === 0 ? '(nil)' : `{${members.join(', ')}}`;
  const fields = `Name:"", UID:${quoteByteString(uid)}, Groups:${shownGroups}, Extra:map[string][]string${shownExtra}`;
  return `requested &user.DefaultInfo{${fields}} without impersonating a user name`;
};
