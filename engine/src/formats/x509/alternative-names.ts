/**
 * Subject alternative names: DNS names, email addresses, IP addresses and URIs. Other kinds are
 * ignored.
 */

import { isDomainName } from '../domain-name.ts';
import { goQuote } from '../go-quote.ts';
import { parseGoUrl } from '../go-url.ts';
import { DerReader, derTag, toLatin1 } from './der.ts';

export interface AlternativeNames {
  /** The whole extension; names are compared by its bytes. */
  readonly der: Uint8Array;
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  /** 4 or 16 bytes for each address. */
  readonly addresses: readonly Uint8Array[];
  readonly uris: readonly AlternativeUri[];
}

export interface AlternativeUri {
  readonly text: string;
  /** The host with its port; may be empty. */
  readonly host: string;
}

/** Parses the extension; returns a string if it is malformed. */
export const readAlternativeNames = (content: Uint8Array): AlternativeNames | string => {
  const inner = new DerReader(content).read(derTag.sequence);
  if (inner === undefined) return 'invalid subject alternative names';
  const names = new DerReader(inner);
  const dns: string[] = [];
  const emails: string[] = [];
  const addresses: Uint8Array[] = [];
  const uris: AlternativeUri[] = [];
  while (!names.isEmpty) {
    const name = names.readAny();
    if (name === undefined) return 'invalid subject alternative name';
    const text = toLatin1(name.content);
    switch (name.tag) {
      case 0x81:
        if (!isAscii(text)) return 'SAN rfc822Name is malformed';
        emails.push(text);
        break;
      case 0x82:
        if (!isAscii(text)) return 'SAN dNSName is malformed';
        dns.push(text);
        break;
      case 0x86: {
        const uri = readUri(text);
        if (typeof uri === 'string') return uri;
        uris.push(uri);
        break;
      }
      case 0x87:
        if (name.content.length !== 4 && name.content.length !== 16)
          return `cannot parse IP address of length ${name.content.length}`;
        addresses.push(name.content);
        break;
      default:
        break;
    }
  }
  return { der: content, dns, emails, addresses, uris };
};

/** Checks for ASCII, to which these names are limited. */
export const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

const readUri = (text: string): AlternativeUri | string => {
  if (!isAscii(text)) return 'SAN uniformResourceIdentifier is malformed';
  const url = parseGoUrl(text);
  if (url.kind === 'error') return `cannot parse URI ${goQuote(text)}: ${url.message}`;
  if (url.host !== '' && !isDomainName(url.host, { constraint: false }))
    return `cannot parse URI ${goQuote(text)}: invalid domain`;
  return { text, host: url.host };
};
