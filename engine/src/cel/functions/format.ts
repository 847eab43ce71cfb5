/** Named formats of the API and their checks. */
import { listOf, opaqueType, optionalOf, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Named formats of the API and their checks. */
export const formatLibrary: CelLibrary = {
  name: 'format',
  since: 31,
  doc: 'Named formats of the API and their checks.',
  types: [opaqueType('kubernetes.NamedFormat')],
  functions: [
    declare('format.byte', '', [
      global('format.byte', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.date', '', [
      global('format.date', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.datetime', '', [
      global('format.datetime', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1035Label', '', [
      global('format.dns1035Label', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1035LabelPrefix', '', [
      global('format.dns1035LabelPrefix', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123Label', '', [
      global('format.dns1123Label', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123LabelPrefix', '', [
      global('format.dns1123LabelPrefix', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123Subdomain', '', [
      global('format.dns1123Subdomain', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123SubdomainPrefix', '', [
      global('format.dns1123SubdomainPrefix', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.labelValue', '', [
      global('format.labelValue', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.named', '', [
      global(
        'format-named',
        [stringType],
        optionalOf(opaqueType('kubernetes.NamedFormat')),
        pending,
      ),
    ]),
    declare('format.qualifiedName', '', [
      global('format.qualifiedName', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.uri', '', [
      global('format.uri', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.uuid', '', [
      global('format.uuid', [], opaqueType('kubernetes.NamedFormat'), pending),
    ]),
    declare('validate', '', [
      member(
        'format-validate',
        [opaqueType('kubernetes.NamedFormat'), stringType],
        optionalOf(listOf(stringType)),
        pending,
      ),
    ]),
  ],
};
