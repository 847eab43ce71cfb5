/** Which header fields tell whom a proxy has authenticated, and what they say in a request. */

import { decodeBytes, decodeLatin1 } from '../../formats/byte-string.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { trimSpace } from '../../formats/go-space.ts';
import {
  allHeaders,
  firstHeader,
  type HeaderList,
  headersWithPrefix,
} from '../../model/header-list.ts';
import type { UserInfo } from '../../model/user-info.ts';

/** As configured; case does not matter. */
export interface HeaderRules {
  /** The first one with a value counts. */
  readonly username: readonly string[];
  readonly uid: readonly string[];
  /** All values of all count. */
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** Blanks around names go; a text is the problem. For who checks the proxy in another way. */
export const trimmedHeaderRules = (rules: HeaderRules): HeaderRules | string => {
  const all = [rules.username, rules.uid, rules.groups, rules.extraPrefixes].flat();
  const blank = all.find(isBlank);
  if (blank !== undefined) return `empty header ${goQuote(blank)}`;
  const trimmed = (names: readonly string[]): readonly string[] =>
    names.map((name) => trimSpace(name));
  return {
    username: trimmed(rules.username),
    uid: trimmed(rules.uid),
    groups: trimmed(rules.groups),
    extraPrefixes: trimmed(rules.extraPrefixes),
  };
};

export const isBlank = (name: string): boolean => trimSpace(name) === '';

/** What the fields say; `undefined` without a user name, and then nothing else counts. */
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

/** Of the first name whose first field is not empty: an empty one hides those after it. */
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

/** Percent escapes as bytes; with one that is none, the text stays as it is. */
const unescapedKey = (text: string): string => {
  if (!text.includes('%') || /%(?![0-9a-f]{2})/.test(text)) return decodeLatin1(text);
  const letters = text.replace(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeBytes(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
};

/** Names and beginnings of names, in lower case. */
export interface HeaderNames {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

/** The fields that must be gone once the request has an identity, whoever gave it. */
export const proxyHeaderNames = (rules: HeaderRules): HeaderNames => ({
  names: [...rules.username, ...rules.uid, ...rules.groups].map(lower),
  prefixes: rules.extraPrefixes.map(lower),
});

/** The list without the fields of the proxy. */
export const withoutProxyHeaders = (
  headers: HeaderList,
  { names, prefixes }: HeaderNames,
): HeaderList =>
  headers.filter(({ name }) => {
    const lowerName = lower(name);
    return !names.includes(lowerName) && !prefixes.some((prefix) => lowerName.startsWith(prefix));
  });

/** ASCII case only. */
const lower = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
