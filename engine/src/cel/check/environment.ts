/**
 * What an expression may name: the two environments of structured authentication (`claims`, `user`)
 * as each release of the real server has them.
 */
import type { Release } from '../../model/release.ts';
import { type CelLibrary, existsIn, type OverloadDeclaration } from '../functions/library.ts';
import { librariesInOrder, libraries } from '../functions/registry.ts';
import type { MacroSet } from '../syntax/macros.ts';
import { enumConstants, messageTypes } from '../values/message-types.ts';
import { declaresTypesSince, scalarAliases } from '../values/scalar-aliases.ts';
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
  objectType,
  opaqueType,
  optionalOf,
  runtimeTypeName,
  stringType,
  timestampType,
  typeOf,
  typeParam,
  typeParameters,
  uintType,
} from '../values/types.ts';

/** Which variables exist: `claims` or `user`. */
export type EnvironmentName = 'claims' | 'user';

/** An overload with the type parameters that each use makes fresh. */
export interface CallableOverload {
  readonly declaration: OverloadDeclaration;
  readonly typeParameters: readonly string[];
}

/** A function of one environment: the overloads of all its libraries, in the order in which they are tried. */
export interface CallableFunction {
  readonly name: string;
  readonly doc: string;
  readonly examples: readonly string[];
  readonly overloads: readonly CallableOverload[];
}

/** Everything that an expression may name, in one release. */
export interface CelEnvironment {
  /** Namespace in which names are looked up first; empty in the real environments. */
  readonly container: string;
  readonly release: Release;
  readonly macros: MacroSet;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, CallableFunction>;
  /** Where the functions come from. */
  readonly libraries: readonly CelLibrary[];
  /** Variables, names of types and constants. */
  identifier(name: string): CelType | undefined;
  /** The type of a type's name: `type(T)`, or `T` where a release declares the name as a variable. */
  typeNamed(name: string): CelType | undefined;
  /** Names of types that exist at run time too; another name of a type compiles and cannot be loaded. */
  readonly typeNames: ReadonlySet<string>;
  /** Fields of an object type; `undefined` where no such type exists. */
  fieldsOf(typeName: string): ReadonlyMap<string, CelType> | undefined;
  /** Lists and maps must hold one type, and constant arguments are looked at. */
  readonly strictLiterals: boolean;
}

/** What an environment is made of. */
export interface EnvironmentParts {
  readonly container: string;
  readonly release: Release;
  readonly macros: MacroSet;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly libraries: readonly CelLibrary[];
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  readonly strictLiterals: boolean;
}

/** The environment of a kind of expression in a release; the same object every time. */
export const environmentFor = (name: EnvironmentName, release: Release): CelEnvironment => {
  const key = `${name} ${release}`;
  const cached = environments.get(key);
  if (cached !== undefined) return cached;
  const environment = createEnvironment({
    container: '',
    release,
    macros: 'authentication',
    variables: new Map([variableOf[name]]),
    libraries,
    objects: name === 'user' ? userObjects : noObjects,
    strictLiterals: true,
  });
  environments.set(key, environment);
  return environment;
};

/** Makes an environment of its parts; the authentication environments come from `environmentFor`. */
export const createEnvironment = (parts: EnvironmentParts): CelEnvironment => {
  const typeNames = new Map(
    standardTypes(parts.release).map((type) => [runtimeTypeName(type), typeOf(type)]),
  );
  for (const library of parts.libraries) {
    if (library.since > parts.release) continue;
    for (const type of library.types ?? []) typeNames.set(runtimeTypeName(type), typeOf(type));
  }
  const declaredOnly = new Map(
    declaredTypes(parts.objects).map(([name, type]) => [
      name,
      parts.release < declaresTypesSince ? type : typeOf(type),
    ]),
  );
  for (const message of messageTypes.values()) {
    const names = message.isTypeValue ? typeNames : declaredOnly;
    names.set(message.name, typeOf(message.instance));
  }
  return {
    container: parts.container,
    release: parts.release,
    macros: parts.macros,
    variables: parts.variables,
    libraries: parts.libraries,
    functions: gatherFunctions(librariesInOrder(parts.release, parts.libraries), parts.release),
    typeNamed: (name) => typeNames.get(name) ?? declaredOnly.get(name),
    identifier: (name) =>
      parts.variables.get(name) ??
      typeNames.get(name) ??
      declaredOnly.get(name) ??
      (enumConstants.has(name) ? intType : undefined),
    typeNames: new Set(typeNames.keys()),
    fieldsOf: (typeName) => parts.objects.get(typeName) ?? messageFields.get(typeName),
    strictLiterals: parts.strictLiterals,
  };
};

/** The first release in which the authentication environments have a function of this name. */
export const firstReleaseOfFunction = (functionName: string): Release | undefined => {
  let first: Release | undefined;
  for (const library of libraries) {
    for (const declared of library.functions) {
      if (declared.name !== functionName) continue;
      for (const overload of declared.overloads) {
        const since = sinceOfOverload(library, overload);
        if (first === undefined || since < first) first = since;
      }
    }
  }
  return first;
};

const environments = new Map<string, CelEnvironment>();

const messageFields: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map(
  [...messageTypes.values()].map((message) => [
    message.name,
    new Map([...message.fields].map(([name, field]) => [name, field.type])),
  ]),
);

const userInfoName = 'kubernetes.UserInfo';

const variableOf: Readonly<Record<EnvironmentName, readonly [string, CelType]>> = {
  claims: ['claims', mapOf(stringType, anyType)],
  user: ['user', objectType(userInfoName)],
};

const noObjects: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map();

const userObjects: ReadonlyMap<string, ReadonlyMap<string, CelType>> = new Map([
  [
    userInfoName,
    new Map<string, CelType>([
      ['username', stringType],
      ['uid', stringType],
      ['groups', listOf(stringType)],
      ['extra', mapOf(stringType, listOf(stringType))],
    ]),
  ],
]);

/** Names that kube-apiserver's type provider declares and its runtime lacks. */
const declaredTypes = (
  objects: EnvironmentParts['objects'],
): readonly (readonly [string, CelType])[] => [
  ...scalarAliases,
  ...[...objects].flatMap(([name, fields]) => [
    [name, objectType(name)] as const,
    ...[...fields]
      .filter(([, type]) => type.kind === 'list' || type.kind === 'map')
      .map(([field, type]) => [`${name}.${field}`, type] as const),
  ]),
];

/** First release whose type of optionals is an identifier. */
const namesOptionalsSince: Release = 31;

/** Types that the language itself names; before 1.37 those with parts showed their parameters. */
const standardTypes = (release: Release): readonly CelType[] => [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listOf(release < 37 ? typeParam('A') : dynType),
  release < 37 ? mapOf(typeParam('A'), typeParam('B')) : mapOf(dynType, dynType),
  nullType,
  ...(release < namesOptionalsSince ? [] : [optionalTypeOf(release)]),
  stringType,
  timestampType,
  typeOf(undefined),
  uintType,
];

const optionalTypeOf = (release: Release): CelType =>
  release < 37 ? opaqueType('optional_type') : optionalOf(dynType);

const sinceOfOverload = (library: CelLibrary, overload: OverloadDeclaration): Release =>
  overload.since !== undefined && overload.since > library.since ? overload.since : library.since;

const gatherFunctions = (
  from: readonly CelLibrary[],
  release: Release,
): ReadonlyMap<string, CallableFunction> => {
  const functions = new Map<string, CallableFunction>();
  for (const library of from) {
    for (const declared of library.functions) {
      const overloads = declared.overloads
        .filter(
          (overload) =>
            sinceOfOverload(library, overload) <= release && existsIn(overload, release),
        )
        .map((overload) => ({ declaration: overload, typeParameters: parametersOf(overload) }));
      if (overloads.length === 0) continue;
      const existing = functions.get(declared.name);
      functions.set(declared.name, {
        name: declared.name,
        doc: existing === undefined || existing.doc === '' ? declared.doc : existing.doc,
        examples: [...(existing?.examples ?? []), ...(declared.examples ?? [])],
        overloads: mergeOverloads(existing?.overloads ?? [], overloads),
      });
    }
  }
  return functions;
};

/** A later overload with an id already known takes its place. */
const mergeOverloads = (
  existing: readonly CallableOverload[],
  added: readonly CallableOverload[],
): readonly CallableOverload[] => {
  const byId = new Map(existing.map((overload) => [overload.declaration.id, overload]));
  for (const overload of added) byId.set(overload.declaration.id, overload);
  return [...byId.values()];
};

const parametersOf = (overload: OverloadDeclaration): readonly string[] => {
  const names = new Set<string>();
  const collect = (type: CelType): void => {
    if (type.kind === 'param') names.add(type.name);
    else for (const parameter of typeParameters(type)) collect(parameter);
  };
  collect(overload.result);
  for (const type of overload.params) collect(type);
  return [...names];
};
