/** Address ranges in CIDR notation. */
import { boolType, intType, opaqueType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Address ranges in CIDR notation. */
export const cidrLibrary: CelLibrary = {
  name: 'cidr',
  since: 30,
  doc: 'Address ranges in CIDR notation.',
  types: [opaqueType('net.CIDR')],
  functions: [
    declare('cidr', '', [global('string_to_cidr', [stringType], opaqueType('net.CIDR'), pending)]),
    declare('containsCIDR', '', [
      member('cidr_contains_cidr_string', [opaqueType('net.CIDR'), stringType], boolType, pending),
      member(
        'cidr_contains_cidr',
        [opaqueType('net.CIDR'), opaqueType('net.CIDR')],
        boolType,
        pending,
      ),
    ]),
    declare('containsIP', '', [
      member('cidr_contains_ip_string', [opaqueType('net.CIDR'), stringType], boolType, pending),
      member(
        'cidr_contains_ip_ip',
        [opaqueType('net.CIDR'), opaqueType('net.IP')],
        boolType,
        pending,
      ),
    ]),
    declare('ip', '', [member('cidr_ip', [opaqueType('net.CIDR')], opaqueType('net.IP'), pending)]),
    declare('isCIDR', '', [global('is_cidr', [stringType], boolType, pending)]),
    declare('masked', '', [
      member('cidr_masked', [opaqueType('net.CIDR')], opaqueType('net.CIDR'), pending),
    ]),
    declare('prefixLength', '', [
      member('cidr_prefix_length', [opaqueType('net.CIDR')], intType, pending),
    ]),
    declare('string', '', [
      global('cidr_to_string', [opaqueType('net.CIDR')], stringType, pending),
    ]),
  ],
};
