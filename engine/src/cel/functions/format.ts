/** Named formats of Kubernetes: names, labels, dates and others. */

import { CelFormat, namedFormats } from '../values/api-formats.ts';
import { listOf, objectType, optionalOf, stringType } from '../values/types.ts';
import { CelOptional, type CelResult, none, noSuchOverload, stringList } from '../values/value.ts';
import { type Body, declare, global, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

const formatType = objectType('kubernetes.NamedFormat');
const format = (name: string): CelResult => namedFormats.get(name) ?? noSuchOverload;

const findFormat: Body = (name = null) => {
  if (typeof name !== 'string') return noSuchOverload;
  const namedFormat = namedFormats.get(name);
  return namedFormat === undefined ? none : new CelOptional(namedFormat);
};

const validate: Body = (value = null, text = null) => {
  if (!(value instanceof CelFormat) || typeof text !== 'string') return noSuchOverload;
  const problems = value.problems(text);
  return problems.length === 0 ? none : new CelOptional(stringList(problems));
};

/** The `format` library. */
export const formatLibrary: CelLibrary = {
  name: 'format',
  since: 31,
  doc: 'Named formats of the Kubernetes API, and checks of strings.',
  functions: [
    declare('format.byte', 'The format `byte`.', [
      global('format.byte', [], formatType, () => format('byte')),
    ]),
    declare('format.date', 'The format `date`.', [
      global('format.date', [], formatType, () => format('date')),
    ]),
    declare('format.datetime', 'The format `datetime`.', [
      global('format.datetime', [], formatType, () => format('datetime')),
    ]),
    declare('format.dns1035Label', 'The format `dns1035Label`.', [
      global('format.dns1035Label', [], formatType, () => format('dns1035Label')),
    ]),
    declare('format.dns1035LabelPrefix', 'The format `dns1035LabelPrefix`.', [
      global('format.dns1035LabelPrefix', [], formatType, () => format('dns1035LabelPrefix')),
    ]),
    declare('format.dns1123Label', 'The format `dns1123Label`.', [
      global('format.dns1123Label', [], formatType, () => format('dns1123Label')),
    ]),
    declare('format.dns1123LabelPrefix', 'The format `dns1123LabelPrefix`.', [
      global('format.dns1123LabelPrefix', [], formatType, () => format('dns1123LabelPrefix')),
    ]),
    declare('format.dns1123Subdomain', 'The format `dns1123Subdomain`.', [
      global('format.dns1123Subdomain', [], formatType, () => format('dns1123Subdomain')),
    ]),
    declare('format.dns1123SubdomainPrefix', 'The format `dns1123SubdomainPrefix`.', [
      global('format.dns1123SubdomainPrefix', [], formatType, () =>
        format('dns1123SubdomainPrefix'),
      ),
    ]),
    declare('format.labelValue', 'The format `labelValue`.', [
      global('format.labelValue', [], formatType, () => format('labelValue')),
    ]),
    declare('format.named', 'Returns the format with a name, if it exists.', [
      global('format-named', [stringType], optionalOf(formatType), findFormat),
    ]),
    declare('format.qualifiedName', 'The format `qualifiedName`.', [
      global('format.qualifiedName', [], formatType, () => format('qualifiedName')),
    ]),
    declare('format.uri', 'The format `uri`.', [
      global('format.uri', [], formatType, () => format('uri')),
    ]),
    declare('format.uuid', 'The format `uuid`.', [
      global('format.uuid', [], formatType, () => format('uuid')),
    ]),
    declare('validate', 'Returns what is wrong with a string; absent if it is valid.', [
      member('format-validate', [formatType, stringType], optionalOf(listOf(stringType)), validate),
    ]),
  ],
};
