/**
 * Name constraints: the DNS names, IP addresses, email addresses and URIs for which an authority
 * may issue certificates.
 */
import { decodeLatin1, quoteByteString } from '../byte-string.ts';
import { hexOf } from '../bytes.ts';
import { isDomainName, readMailbox } from '../domain-name.ts';
import { isIpAddress } from '../go-ip.ts';
import { goQuote } from '../go-quote.ts';
import { isAscii } from './alternative-names.ts';
import { DerReader, derTag, toLatin1 } from './der.ts';

export interface NameConstraints {
  readonly permitted: NameSubtrees;
  readonly excluded: NameSubtrees;
  /** Whether there are constraints of an unsupported kind. */
  readonly hasUnhandled: boolean;
}

export interface NameSubtrees {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly AddressRange[];
  readonly uris: readonly string[];
}

export interface AddressRange {
  readonly address: Uint8Array;
  readonly mask: Uint8Array;
}

/** Parses the extension; returns a string if it is malformed. */
export const readNameConstraints = (content: Uint8Array): NameConstraints | string => {
  const malformed = 'invalid NameConstraints extension';
  const outer = new DerReader(content);
  const inner = outer.read(derTag.sequence);
  if (inner === undefined || !outer.isEmpty) return malformed;
  const parts = new DerReader(inner);
  const permitted = parts.nextTag === 0xa0 ? parts.read(0xa0) : noBytes;
  const excluded = parts.nextTag === 0xa1 ? parts.read(0xa1) : noBytes;
  if (permitted === undefined || excluded === undefined || !parts.isEmpty) return malformed;
  if (permitted.length + excluded.length === 0) return 'empty name constraints extension';
  const allowed = readSubtrees(permitted);
  if (typeof allowed === 'string') return allowed;
  const forbidden = readSubtrees(excluded);
  if (typeof forbidden === 'string') return forbidden;
  return {
    permitted: allowed.subtrees,
    excluded: forbidden.subtrees,
    hasUnhandled: allowed.hasUnhandled || forbidden.hasUnhandled,
  };
};

const noBytes = new Uint8Array();

const readSubtrees = (
  content: Uint8Array,
): { readonly subtrees: NameSubtrees; readonly hasUnhandled: boolean } | string => {
  const list = new DerReader(content);
  const dns: string[] = [];
  const emails: string[] = [];
  const addresses: AddressRange[] = [];
  const uris: string[] = [];
  let hasUnhandled = false;
  while (!list.isEmpty) {
    const subtree = list.read(derTag.sequence);
    const base = subtree && new DerReader(subtree).readAny();
    if (base === undefined) return 'invalid NameConstraints extension';
    const text = toLatin1(base.content);
    if (base.tag === 0x87) {
      const range = readRange(base.content);
      if (typeof range === 'string') return range;
      addresses.push(range);
      continue;
    }
    const names = new Map([
      [0x81, emails],
      [0x82, dns],
      [0x86, uris],
    ]).get(base.tag);
    hasUnhandled ||= names === undefined;
    const problem = names && constraintProblem(base.tag, text);
    if (problem !== undefined) return problem;
    names?.push(text);
  }
  return { subtrees: { dns, emails, addresses, uris }, hasUnhandled };
};

const constraintProblem = (tag: number, text: string): string | undefined => {
  if (!isAscii(text))
    return `invalid constraint value: x509: ${quoteByteString(decodeLatin1(text))} cannot be encoded as an IA5String`;
  if (tag === 0x86 && isIpAddress(text, { zone: false }))
    return `failed to parse URI constraint ${goQuote(text)}: cannot be IP address`;
  const isMailbox = tag === 0x81 && text.includes('@');
  const isValid = isMailbox
    ? readMailbox(text) !== undefined
    : isDomainName(text, { constraint: true });
  const kind = tag === 0x81 ? 'rfc822Name' : tag === 0x82 ? 'dnsName' : 'URI';
  return isValid ? undefined : `failed to parse ${kind} constraint ${goQuote(text)}`;
};

const readRange = (content: Uint8Array): AddressRange | string => {
  const { length } = content;
  if (length !== 8 && length !== 32) return `IP constraint contained value of length ${length}`;
  const mask = content.subarray(length / 2);
  return isMask(mask)
    ? { address: content.subarray(0, length / 2), mask }
    : `IP constraint contained invalid mask ${hexOf(mask)}`;
};

/** Checks for a mask: ones, then zeros. */
const isMask = (mask: Uint8Array): boolean =>
  /^1*0*$/.test(Array.from(mask, (byte) => byte.toString(2).padStart(8, '0')).join(''));
