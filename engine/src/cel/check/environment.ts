/**
 * The declarations available to expressions: the two environments of structured authentication
 * (`claims`, `user`) in each release of kube-apiserver.
 */
import type { Release } from '../../model/release.ts';
import { type CelLibrary, existsIn, type OverloadDeclaration } from '../functions/library.ts';
import { libraries, librariesInOrder } from '../functions/registry.ts';
import { authenticationMacros, type MacroTable } from '../syntax/macros.ts';
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

/** The variable of the environment: `claims` or `user`. */
export type EnvironmentName = 'claims' | 'user';

/** An overload with its type parameters, which are fresh for each call. */
export interface CallableOverload {
  readonly declaration: OverloadDeclaration;
  readonly typeParameters: readonly string[];
}

/** A function of an environment, with its overloads from all libraries in resolution order. */
export interface CallableFunction {
  readonly name: string;
  readonly doc: string;
  readonly examples: readonly string[];
  readonly overloads: readonly CallableOverload[];
}

/** The declarations available to an expression in a release. */
export interface CelEnvironment {
  /** The namespace in which names are looked up first; empty in kube-apiserver. */
  readonly container: string;
  readonly release: Release;
  readonly macros: MacroTable;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly functions: ReadonlyMap<string, CallableFunction>;
  /** The libraries that declare the functions. */
  readonly libraries: readonly CelLibrary[];
  /** Returns the type of an identifier: a variable, a type name or an enum constant. */
  identifier(name: string): CelType | undefined;
  /**
   * Returns the type of a type name: `type(T)`, or `T` if the release declares the name as a
   * variable.
   */
  typeNamed(name: string): CelType | undefined;
  /**
   * Names of types that also exist at runtime. Expressions with other type names compile but cannot
   * be loaded.
   */
  readonly typeNames: ReadonlySet<string>;
  /** Returns the fields of an object type; `undefined` for an unknown type. */
  fieldsOf(typeName: string): ReadonlyMap<string, CelType> | undefined;
  /**
   * True if lists and maps must have a single element type and constant arguments are validated.
   */
  readonly strictLiterals: boolean;
}

/** The parts of an environment. */
export interface EnvironmentParts {
  readonly container: string;
  readonly release: Release;
  readonly macros: MacroTable;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly libraries: readonly CelLibrary[];
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  readonly strictLiterals: boolean;
}

/** Returns an authentication environment in a release, which is cached. */
export const environmentFor = (name: EnvironmentName, release: Release): CelEnvironment => {
  const key = `${name} ${release}`;
  const cached = environments.get(key);
  if (cached !== undefined) return cached;
  const environment = createEnvironment({
    container: '',
    release,
    macros: authenticationMacros,
    variables: new Map([variableOf[name]]),
    libraries,
    objects: name === 'user' ? userObjects : noObjects,
    strictLiterals: true,
  });
  environments.set(key, environment);
  return environment;
};

/**
 * Creates an environment from its parts; use `environmentFor` for the authentication environments.
 */
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

/** First release that declares the type name of optionals. */
const namesOptionalsSince: Release = 31;

/** The types with names in CEL itself. Before 1.37, messages show their type parameters. */
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

/** Merges overloads; a later overload replaces an earlier one with the same id. */
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
