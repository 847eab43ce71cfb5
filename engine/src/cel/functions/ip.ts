/** IPv4 and IPv6 addresses. */

import { CelIp, parseIp } from '../values/ip-value.ts';
import { boolType, intType, opaqueType, stringType } from '../values/types.ts';
import { type Body, CelError, noSuchOverload } from '../values/value.ts';
import { canParse, declare, gettersOf, global, onStrings } from './declare.ts';
import type { CelLibrary } from './library.ts';

const ipType = opaqueType('net.IP');
const getter = gettersOf(ipType, CelIp);

const ip = onStrings((text = '') => parseIp(text));

const isCanonical = onStrings((text = '') => {
  const parsed = parseIp(text);
  return parsed instanceof CelError ? parsed : String(parsed) === text;
});

const toText: Body = (value = null) => (value instanceof CelIp ? String(value) : noSuchOverload);

type Bytes = readonly number[];

const isLoopback = (bytes: Bytes): boolean =>
  bytes.length === 4
    ? bytes[0] === 127
    : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));

const isLinkLocalMulticast = (bytes: Bytes): boolean => {
  const [first = 0, second = 0, third = 0] = bytes;
  if (bytes.length === 4) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
};

const isLinkLocalUnicast = (bytes: Bytes): boolean => {
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 4) return first === 169 && second === 254;
  return first === 0xfe && (second & 0xc0) === 0x80;
};

const isMulticast = (bytes: Bytes): boolean => {
  const [first = 0] = bytes;
  return bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
};

const isGlobalUnicast = (bytes: Bytes): boolean =>
  !bytes.every((byte) => byte === 0) &&
  !(bytes.length === 4 && bytes.every((byte) => byte === 255)) &&
  !isLoopback(bytes) &&
  !isMulticast(bytes) &&
  !isLinkLocalUnicast(bytes);

/** The `ip` library. */
export const ipLibrary: CelLibrary = {
  name: 'ip',
  since: 30,
  doc: 'IP addresses.',
  types: [ipType],
  functions: [
    declare('family', 'Returns the IP version: 4 or 6.', [
      getter('ip_family', intType, ({ bytes }) => (bytes.length === 4 ? 4n : 6n)),
    ]),
    declare('ip', 'Reads an IP address; an error if it is none.', [
      global('string_to_ip', [stringType], ipType, ip),
    ]),
    declare('ip.isCanonical', 'Returns whether an IP address is in canonical form.', [
      global('ip_is_canonical', [stringType], boolType, isCanonical),
    ]),
    declare(
      'isGlobalUnicast',
      'Returns whether it is a global unicast address; private addresses are.',
      [getter('ip_is_global_unicast', boolType, ({ bytes }) => isGlobalUnicast(bytes))],
    ),
    declare('isIP', 'Returns whether a string is an IP address.', [
      global('is_ip', [stringType], boolType, canParse(parseIp)),
    ]),
    declare('isLinkLocalMulticast', 'Returns whether it is a link-local multicast address.', [
      getter('ip_is_link_local_multicast', boolType, ({ bytes }) => isLinkLocalMulticast(bytes)),
    ]),
    declare('isLinkLocalUnicast', 'Returns whether it is a link-local unicast address.', [
      getter('ip_is_link_local_unicast', boolType, ({ bytes }) => isLinkLocalUnicast(bytes)),
    ]),
    declare('isLoopback', 'Returns whether it is a loopback address.', [
      getter('ip_is_loopback', boolType, ({ bytes }) => isLoopback(bytes)),
    ]),
    declare('isUnspecified', 'Returns whether it is 0.0.0.0 or ::.', [
      getter('ip_is_unspecified', boolType, ({ bytes }) => bytes.every((byte) => byte === 0)),
    ]),
    declare('string', 'Converts the address to a string.', [
      global('ip_to_string', [ipType], stringType, toText),
    ]),
  ],
};
