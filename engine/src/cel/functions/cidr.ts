/** IP address ranges in CIDR notation. */

import { CelCidr, CelIp, maskBytes, parseCidr, parseIp, sharesPrefix } from '../values/ip-value.ts';
import { boolType, intType, opaqueType, stringType } from '../values/types.ts';
import { type Body, CelError, noSuchOverload } from '../values/value.ts';
import { canParse, declare, gettersOf, global, members, onStrings } from './declare.ts';
import type { CelLibrary } from './library.ts';

const ipType = opaqueType('net.IP');
const cidrType = opaqueType('net.CIDR');
const getter = gettersOf(cidrType, CelCidr);

const readCidr = (text: string): CelCidr | CelError => {
  const parsed = parseCidr(text);
  return parsed instanceof CelError
    ? new CelError(`network address parse error during conversion from string: ${parsed.message}`)
    : parsed;
};

const cidr = onStrings((text = '') => readCidr(text));

const toText: Body = (value = null) => (value instanceof CelCidr ? String(value) : noSuchOverload);

const masked = ({ address, bits }: CelCidr): CelCidr =>
  new CelCidr(new CelIp(maskBytes(address.bytes, bits)), bits);

const containsIp: Body = (range = null, other = null) => {
  const address = typeof other === 'string' ? parseIp(other) : other;
  if (!(range instanceof CelCidr) || !(address instanceof CelIp)) return noSuchOverload;
  return sharesPrefix(range.address, address, range.bits);
};

const containsCidr: Body = (range = null, other = null) => {
  const inner = typeof other === 'string' ? readCidr(other) : other;
  if (inner instanceof CelError) return inner;
  if (!(range instanceof CelCidr) || !(inner instanceof CelCidr)) return noSuchOverload;
  return range.bits <= inner.bits && sharesPrefix(range.address, inner.address, range.bits);
};

/** The `cidr` library. */
export const cidrLibrary: CelLibrary = {
  name: 'cidr',
  since: 30,
  doc: 'IP address ranges in CIDR notation.',
  types: [cidrType],
  functions: [
    declare('cidr', 'Parses a CIDR range; an invalid range is an error.', [
      global('string_to_cidr', [stringType], cidrType, cidr),
    ]),
    declare(
      'containsCIDR',
      'Returns whether the range contains another range.',
      members(boolType, containsCidr, {
        cidr_contains_cidr_string: [cidrType, stringType],
        cidr_contains_cidr: [cidrType, cidrType],
      }),
    ),
    declare(
      'containsIP',
      'Returns whether the range contains an IP address.',
      members(boolType, containsIp, {
        cidr_contains_ip_string: [cidrType, stringType],
        cidr_contains_ip_ip: [cidrType, ipType],
      }),
    ),
    declare('ip', 'Returns the address before the slash.', [
      getter('cidr_ip', ipType, ({ address }) => address),
    ]),
    declare('isCIDR', 'Returns whether a string is a CIDR range.', [
      global('is_cidr', [stringType], boolType, canParse(parseCidr)),
    ]),
    declare('masked', 'Returns the range with all host bits set to zero.', [
      getter('cidr_masked', cidrType, masked),
    ]),
    declare('prefixLength', 'Returns the length of the prefix in bits.', [
      getter('cidr_prefix_length', intType, ({ bits }) => BigInt(bits)),
    ]),
    declare('string', 'Converts the range to a string.', [
      global('cidr_to_string', [cidrType], stringType, toText),
    ]),
  ],
};
