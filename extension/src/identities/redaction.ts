/**
 * Proposes replacements for what a committed sample should not contain: email addresses and tokens.
 * The user sees each replacement and keeps what the configuration depends on.
 */
import { tokenPlaceholder, tokensIn } from './nested-tokens.ts';

export interface Replacement {
  readonly kind: 'address' | 'domain' | 'token';
  readonly before: string;
  readonly after: string;
}

/** Returns each string once, in the order of the claims. Equal addresses get equal replacements. */
export const proposedReplacements = (claims: string): readonly Replacement[] => {
  const replacementByValue = new Map<string, Replacement>();
  const find = (kind: Replacement['kind'], before: string, after: string): void => {
    replacementByValue.set(before, { kind, before, after });
  };
  const people = new Map<string, string>();
  const domains = new Map<string, string>();
  for (const [address = '', person = '', domain = ''] of claims.matchAll(addressPattern)) {
    if (reservedDomain.test(domain)) continue;
    const newPerson = numbered(people, person, (count) => `person${count}`);
    const newDomain = numbered(domains, domain.toLowerCase(), domainName);
    find('address', address, `${newPerson}@${newDomain}`);
  }
  // The domain of an address may also occur alone, for example in `hd`.
  for (const text of claims.match(stringPattern) ?? []) {
    const value = text.slice(1, -1);
    const known = domains.get(value.toLowerCase());
    if (known !== undefined) find('domain', value, known);
  }
  for (const token of tokensIn(claims)) find('token', token, tokenPlaceholder);
  return [...replacementByValue.values()];
};

/** Applies the longest replacements first, so that an address is replaced before its domain. */
export const applyReplacements = (claims: string, replacements: readonly Replacement[]): string => {
  const byLength = [...replacements].sort((a, b) => b.before.length - a.before.length);
  return claims.replace(stringPattern, (text) =>
    byLength.reduce(
      (changed, { kind, before, after }) =>
        // A domain is replaced only as a whole value; as part of a URL it may be an issuer's.
        kind === 'domain' && changed !== `"${before}"`
          ? changed
          : changed.replaceAll(before, after),
      text,
    ),
  );
};

const addressPattern =
  /(?<![\p{L}\p{N}._%+'-])([\p{L}\p{N}._%+'-]+)@((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/gu;
const stringPattern = /"(?:[^"\\]|\\.)*"?/g;

/** Reserved domains, which replacements use themselves (RFC 2606). */
const reservedDomain = /(?:^|\.)example(?:\.(?:com|net|org))?$/i;

const numbered = (
  known: Map<string, string>,
  key: string,
  make: (count: number) => string,
): string => {
  const name = known.get(key) ?? make(known.size + 1);
  known.set(key, name);
  return name;
};

const domainName = (count: number): string =>
  ['example.com', 'example.org', 'example.net'][count - 1] ?? `tenant${count}.example.com`;
