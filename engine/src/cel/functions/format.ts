/** Named formats of Kubernetes: names, labels, dates and others. */

import { CelFormat, namedFormats } from '../values/api-formats.ts';
import { listOf, objectType, optionalOf, stringType } from '../values/types.ts';
import { type Body, CelOptional, none, noSuchOverload, stringList } from '../values/value.ts';
import { declare, global, member } from './declare.ts';
import type { CelLibrary, FunctionDeclaration } from './library.ts';

const formatType = objectType('kubernetes.NamedFormat');

const declareFormat = ([name, format]: readonly [string, CelFormat]): FunctionDeclaration =>
  declare(`format.${name}`, `The format \`${name}\`.`, [
    global(`format.${name}`, [], formatType, () => format),
  ]);

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
    ...[...namedFormats].map(declareFormat),
    declare('format.named', 'Returns the format with a name, if it exists.', [
      global('format-named', [stringType], optionalOf(formatType), findFormat),
    ]),
    declare('validate', 'Returns what is wrong with a string; absent if it is valid.', [
      member('format-validate', [formatType, stringType], optionalOf(listOf(stringType)), validate),
    ]),
  ].sort((a, b) => (a.name < b.name ? -1 : 1)),
};
