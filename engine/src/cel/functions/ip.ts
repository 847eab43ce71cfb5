/** IPv4 and IPv6 addresses. */

import { CelIp, parseIp } from '../values/ip-value.ts';
import { boolType, intType, opaqueType, stringType } from '../values/types.ts';
import { CelError, type CelValue, noSuchOverload } from '../values/value.ts';
import { type Body, declare, global, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

const ipType = opaqueType('net.IP');
const ip: Body = (text = null) => (typeof text === 'string' ? parseIp(text) : noSuchOverload);

const isIp: Body = (text = null) =>
  typeof text === 'string' ? !(parseIp(text) instanceof CelError) : noSuchOverload;

const isCanonical: Body = (text = null) => {
  if (typeof text !== 'string') return noSuchOverload;
  const parsed = parseIp(text);
  return parsed instanceof CelError ? parsed : String(parsed) === text;
};

const toText: Body = (value = null) => (value instanceof CelIp ? String(value) : noSuchOverload);

const getter =
  (of: (address: CelIp) => CelValue): Body =>
  (value = null) =>
    value instanceof CelIp ? of(value) : noSuchOverload;

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
      member(
        'ip_family',
        [ipType],
        intType,
        getter(({ bytes }) => (bytes.length === 4 ? 4n : 6n)),
      ),
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
      [
        member(
          'ip_is_global_unicast',
          [ipType],
          boolType,
          getter(({ bytes }) => isGlobalUnicast(bytes)),
        ),
      ],
    ),
    declare('isIP', 'Returns whether a string is an IP address.', [
      global('is_ip', [stringType], boolType, isIp),
    ]),
    declare('isLinkLocalMulticast', 'Returns whether it is a link-local multicast address.', [
      member(
        'ip_is_link_local_multicast',
        [ipType],
        boolType,
        getter(({ bytes }) => isLinkLocalMulticast(bytes)),
      ),
    ]),
    declare('isLinkLocalUnicast', 'Returns whether it is a link-local unicast address.', [
      member(
        'ip_is_link_local_unicast',
        [ipType],
        boolType,
        getter(({ bytes }) => isLinkLocalUnicast(bytes)),
      ),
    ]),
    declare('isLoopback', 'Returns whether it is a loopback address.', [
      member(
        'ip_is_loopback',
        [ipType],
        boolType,
        getter(({ bytes }) => isLoopback(bytes)),
      ),
    ]),
    declare('isUnspecified', 'Returns whether it is 0.0.0.0 or ::.', [
      member(
        'ip_is_unspecified',
        [ipType],
        boolType,
        getter(({ bytes }) => bytes.every((byte) => byte === 0)),
      ),
    ]),
    declare('string', 'Converts the address to a string.', [
      global('ip_to_string', [ipType], stringType, toText),
    ]),
  ],
};
