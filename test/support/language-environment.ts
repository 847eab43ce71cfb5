/**
 * The environment that the language's own conformance cases require: standard library, strings at
 * their latest version, math, encoders, bindings, optionals, mixed literals, and whatever a case
 * declares. No product code selects it.
 */
import { type CelEnvironment, createEnvironment } from '../../engine/src/cel/check/environment.ts';
import { comprehensionsLibrary } from '../../engine/src/cel/functions/comprehensions.ts';
import type { CelLibrary, FunctionDeclaration } from '../../engine/src/cel/functions/library.ts';
import { optionalsLibrary } from '../../engine/src/cel/functions/optionals.ts';
import { standardLibrary } from '../../engine/src/cel/functions/standard.ts';
import { stringsLibrary } from '../../engine/src/cel/functions/strings.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  timestampType,
  typeOf,
  typeParam,
  uintType,
} from '../../engine/src/cel/values/types.ts';
import { CelError } from '../../engine/src/cel/values/value.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { encodersLibrary } from './cel-extensions/encoders.ts';
import { allMacros } from './cel-extensions/macros.ts';
import { mathLibrary } from './cel-extensions/math.ts';
import { stringsLatestLibrary } from './cel-extensions/strings-latest.ts';
import type { TaggedValue } from './tagged-value.ts';

/** A case of the specification; its README documents the fields. */
export interface SpecCase {
  readonly id: string;
  readonly expr: string;
  readonly container?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly functions?: Readonly<
    Record<string, readonly { params: readonly string[]; result: string; member?: boolean }[]>
  >;
  readonly bindings?: Readonly<Record<string, TaggedValue>>;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly value?: TaggedValue;
  readonly error?: string | undefined;
  readonly outputType?: string;
  readonly outputTypeByCelGo?: string;
}

/** The libraries of the specification. No authentication environment has all of them. */
const languageLibraries: readonly CelLibrary[] = [
  standardLibrary,
  optionalsLibrary,
  stringsLibrary,
  stringsLatestLibrary,
  comprehensionsLibrary,
  mathLibrary,
  encodersLibrary,
];

/** `extra` names are declared too, without a value: what an unchecked expression may name. */
export const languageEnvironment = (
  wanted: SpecCase,
  extra: { readonly variables?: readonly string[]; readonly functions?: readonly string[] } = {},
): CelEnvironment =>
  createEnvironment({
    container: wanted.container ?? '',
    release: newestRelease,
    macros: allMacros,
    variables: new Map([
      ...(extra.variables ?? []).map((name) => [name, dynType] as const),
      ...Object.entries(wanted.variables ?? {}).map(
        ([name, type]) => [name, readType(type)] as const,
      ),
    ]),
    libraries: [...languageLibraries, caseLibrary(wanted, extra.functions ?? [])],
    objects: new Map(),
    strictLiterals: false,
  });

const caseLibrary = (wanted: SpecCase, unknownFunctions: readonly string[]): CelLibrary => ({
  name: 'case',
  since: 30,
  doc: '',
  functions: [
    ...Object.entries(wanted.functions ?? {}).map(
      ([name, overloads]): FunctionDeclaration => ({
        name,
        doc: '',
        overloads: overloads.map((overload, index) => ({
          id: `${name}_${index}`,
          member: overload.member ?? false,
          params: overload.params.map(readType),
          result: readType(overload.result),
          evaluate: () => new CelError('no such overload'),
        })),
      }),
    ),
    ...unknownFunctions.map(
      (name): FunctionDeclaration => ({
        name,
        doc: '',
        overloads: [false, true].map((member) => ({
          id: `${name}_${member ? 'member' : 'global'}`,
          member,
          params: [dynType],
          result: dynType,
          evaluate: () => new CelError(`unbound function: ${name}`),
        })),
      }),
    ),
  ],
});

const simpleTypes = new Map<string, CelType>([
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['null', nullType],
  ['null_type', nullType],
  ['dyn', dynType],
  ['timestamp', timestampType],
  ['google.protobuf.Timestamp', timestampType],
  ['duration', durationType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Any', anyType],
  ['type', typeOf(undefined)],
]);

/** `map(string, list(int))` -> its type; a single capital letter is a type parameter. */
export const readType = (text: string): CelType => {
  const simple = simpleTypes.get(text);
  if (simple !== undefined) return simple;
  if (/^[A-Z]$/.test(text)) return typeParam(text);
  const open = text.indexOf('(');
  if (open === -1) return opaqueType(text);
  const name = text.slice(0, open);
  const parameters = splitParameters(text.slice(open + 1, -1)).map(readType);
  const [first = dynType, second = dynType] = parameters;
  switch (name) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'optional':
    case 'optional_type':
      return optionalOf(first);
    case 'type':
      return typeOf(first);
    default:
      return opaqueType(name, parameters);
  }
};

const splitParameters = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return [...parts, text.slice(start).trim()];
};
