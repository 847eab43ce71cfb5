/**
 * The headers in which a proxy names the user it authenticated, and how they are read from a
 * request.
 */

import { decodeLatin1 } from '../../formats/byte-string.ts';
import { trimSpace } from '../../formats/go-space.ts';
import {
  allHeaders,
  firstHeader,
  type HeaderList,
  headersWithPrefix,
} from '../../model/header-list.ts';
import type { UserInfo } from '../../model/user-info.ts';

/** Header names as configured; case does not matter. */
export interface HeaderRules {
  /** The first header with a value is used. */
  readonly username: readonly string[];
  readonly uid: readonly string[];
  /** The values of all these headers are used. */
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export const isBlank = (name: string): boolean => trimSpace(name) === '';

/**
 * Reads the user from the headers; returns `undefined` if there is no username, whatever the other
 * headers contain.
 */
export type ProxyUserReader = (headers: HeaderList) => UserInfo | undefined;

export const proxyUserReader = (rules: HeaderRules): ProxyUserReader => {
  const usernameNames = rules.username.map(lower);
  const uidNames = rules.uid.map(lower);
  const groupNames = rules.groups.map(lower);
  const prefixes = rules.extraPrefixes.map(lower);
  return (headers) => {
    const username = firstValue(headers, usernameNames);
    if (username === '') return undefined;
    return {
      username: decodeLatin1(username),
      uid: decodeLatin1(firstValue(headers, uidNames)),
      groups: groupNames
        .flatMap((name) => allHeaders(headers, name))
        .filter((group) => group !== '')
        .map(decodeLatin1),
      extra: extraOf(headers, prefixes),
    };
  };
};

/**
 * Returns the first non-empty value, looking at the first header of each name only: if it is empty,
 * later headers of that name are ignored.
 */
const firstValue = (headers: HeaderList, names: readonly string[]): string => {
  for (const name of names) {
    const value = firstHeader(headers, name) ?? '';
    if (value !== '') return value;
  }
  return '';
};

const extraOf = (headers: HeaderList, prefixes: readonly string[]): UserInfo['extra'] => {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const { rest, value } of headersWithPrefix(headers, prefix)) {
      const key = unescapedKey(rest);
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [decodeLatin1(value)]);
      else values.push(decodeLatin1(value));
    }
  }
  return extra;
};

/** Decodes percent escapes as bytes. If one is invalid the key stays as it is. */
const unescapedKey = (text: string): string => {
  if (!text.includes('%') || /%(?![0-9a-f]{2})/.test(text)) return decodeLatin1(text);
  const letters = text.replace(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeLatin1(letters);
};

/** Names and prefixes of headers in lower case. */
export interface HeaderNames {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

/**
 * Returns the names of the headers to remove from an authenticated request, whichever authenticator
 * accepted it.
 */
export const proxyHeaderNames = (rules: HeaderRules): HeaderNames => ({
  names: [...rules.username, ...rules.uid, ...rules.groups].map(lower),
  prefixes: rules.extraPrefixes.map(lower),
});

/** Returns the headers without those that a proxy sets. */
export const withoutProxyHeaders = (
  headers: HeaderList,
  { names, prefixes }: HeaderNames,
): HeaderList =>
  headers.filter(({ name }) => {
    const lowerName = lower(name);
    return !names.includes(lowerName) && !prefixes.some((prefix) => lowerName.startsWith(prefix));
  });

/** Lower-cases ASCII letters only. */
const lower = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
