/** Named formats of the API and their checks. */
import { listOf, objectType, optionalOf, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Named formats of the API and their checks. */
export const formatLibrary: CelLibrary = {
  name: 'format',
  since: 31,
  doc: 'Named formats of the API and their checks.',
  functions: [
    declare('format.byte', '', [
      global('format.byte', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.date', '', [
      global('format.date', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.datetime', '', [
      global('format.datetime', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1035Label', '', [
      global('format.dns1035Label', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1035LabelPrefix', '', [
      global('format.dns1035LabelPrefix', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123Label', '', [
      global('format.dns1123Label', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123LabelPrefix', '', [
      global('format.dns1123LabelPrefix', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123Subdomain', '', [
      global('format.dns1123Subdomain', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.dns1123SubdomainPrefix', '', [
      global('format.dns1123SubdomainPrefix', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.labelValue', '', [
      global('format.labelValue', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.named', '', [
      global(
        'format-named',
        [stringType],
        optionalOf(objectType('kubernetes.NamedFormat')),
        pending,
      ),
    ]),
    declare('format.qualifiedName', '', [
      global('format.qualifiedName', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.uri', '', [
      global('format.uri', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('format.uuid', '', [
      global('format.uuid', [], objectType('kubernetes.NamedFormat'), pending),
    ]),
    declare('validate', '', [
      member(
        'format-validate',
        [objectType('kubernetes.NamedFormat'), stringType],
        optionalOf(listOf(stringType)),
        pending,
      ),
    ]),
  ],
};
