/** IP addresses. */
import { boolType, intType, opaqueType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** IP addresses. */
export const ipLibrary: CelLibrary = {
  name: 'ip',
  since: 30,
  doc: 'IP addresses.',
  types: [opaqueType('net.IP')],
  functions: [
    declare('family', '', [member('ip_family', [opaqueType('net.IP')], intType, pending)]),
    declare('ip', '', [global('string_to_ip', [stringType], opaqueType('net.IP'), pending)]),
    declare('ip.isCanonical', '', [global('ip_is_canonical', [stringType], boolType, pending)]),
    declare('isGlobalUnicast', '', [
      member('ip_is_global_unicast', [opaqueType('net.IP')], boolType, pending),
    ]),
    declare('isIP', '', [global('is_ip', [stringType], boolType, pending)]),
    declare('isLinkLocalMulticast', '', [
      member('ip_is_link_local_multicast', [opaqueType('net.IP')], boolType, pending),
    ]),
    declare('isLinkLocalUnicast', '', [
      member('ip_is_link_local_unicast', [opaqueType('net.IP')], boolType, pending),
    ]),
    declare('isLoopback', '', [
      member('ip_is_loopback', [opaqueType('net.IP')], boolType, pending),
    ]),
    declare('isUnspecified', '', [
      member('ip_is_unspecified', [opaqueType('net.IP')], boolType, pending),
    ]),
    declare('string', '', [global('ip_to_string', [opaqueType('net.IP')], stringType, pending)]),
  ],
};
