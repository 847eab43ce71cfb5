/**
 * The functions, macros and namespaces available to expressions, for completion, hover and
 * signature
 * help. Names that only releases newer than the target have are included and marked.
 */
import { newestRelease, oldestRelease, type Release } from '../../model/release.ts';
import { type CelEnvironment, type EnvironmentName, environmentFor } from '../check/environment.ts';
import { firstReleaseOfName } from '../check/release-of-name.ts';
import type { OverloadDeclaration } from '../functions/library.ts';
import { libraries } from '../functions/registry.ts';
import { formatMacroSignature, type MacroDoc, macroDocs } from '../syntax/macro-docs.ts';
import { macrosIn } from '../syntax/macros.ts';
import { formatCelType } from '../values/type-format.ts';
import { type CelType, isDynamic } from '../values/types.ts';
import { examplesOf } from './function-examples.ts';

/** An overload of a function or macro. */
export interface NameSignature {
  /** The formatted signature: `string.split(string) -> list(string)`. */
  readonly text: string;
  /** The parts of `text` for each parameter. */
  readonly params: readonly string[];
  /** A sentence that describes the overload. */
  readonly doc: string;
  /** The first release with this overload. */
  readonly since: Release;
}

/** A name that an expression can use, with all overloads. */
export interface KnownName {
  /** The last part of the name: `contains` for `sets.contains`. */
  readonly name: string;
  readonly kind: 'function' | 'macro' | 'namespace';
  readonly signatures: readonly NameSignature[];
  /** The sentences of all overloads, without duplicates. */
  readonly doc: string;
  readonly examples: readonly string[];
  readonly since: Release;
  /** True if the target release does not have the name. */
  readonly isNewer: boolean;
  /**
   * True for macros that need a list or map: on a claim, the checker rejects them without `dyn(…)`.
   */
  readonly needsList: boolean;
}

/** The environment and release whose names are listed. */
export interface NamesRequest {
  readonly environment: EnvironmentName;
  readonly release: Release;
}

/** Returns the functions and macros without a receiver, and the namespaces. */
export const globalNames = (request: NamesRequest): readonly KnownName[] => {
  const names: KnownName[] = [];
  const namespaces = new Map<string, Release>();
  for (const { name } of newestEnvironment(request).functions.values()) {
    const dot = name.indexOf('.');
    if (dot > 0 && isWritable(name)) {
      const since = firstReleaseOfName(name) ?? oldestRelease;
      const namespace = name.slice(0, dot);
      namespaces.set(namespace, earlierRelease(namespaces.get(namespace) ?? since, since));
    }
    names.push(...functionNamed(name, request, { kind: 'global' }));
  }
  names.push(...macrosOf(request, (macro) => macro.receiver === 'none'));
  for (const [name, since] of namespaces)
    names.push({
      name,
      kind: 'namespace',
      signatures: [],
      doc: `Functions whose names begin with ${name}.`,
      examples: [],
      since,
      isNewer: since > request.release,
      needsList: false,
    });
  return sorted(names);
};

/** Returns the functions of a namespace; none for an unknown namespace. */
export const namespaceNames = (namespace: string, request: NamesRequest): readonly KnownName[] => {
  const prefix = `${namespace}.`;
  const names = [...newestEnvironment(request).functions.keys()].filter((name) =>
    name.startsWith(prefix),
  );
  return sorted(
    names.flatMap((name) =>
      functionNamed(name, request, { kind: 'global' }).map((known) => ({
        ...known,
        name: name.slice(prefix.length),
      })),
    ),
  );
};

/**
 * Returns the functions and macros of a receiver type; for an unknown type, those of strings, lists
 * and maps.
 */
export const memberNames = (receiver: CelType, request: NamesRequest): readonly KnownName[] => {
  const functions = [...newestEnvironment(request).functions.keys()].flatMap((name) =>
    functionNamed(name, request, { kind: 'member', receiver }),
  );
  return sorted([...functions, ...macrosOf(request, (macro) => acceptsReceiver(macro, receiver))]);
};

/**
 * Returns the names for a call, limited to the overloads that match the receiver; without a
 * receiver, those of a global call.
 */
export const namesForCall = (
  name: string,
  receiver: CelType | undefined,
  request: NamesRequest,
): readonly KnownName[] => {
  const form: CallForm = receiver === undefined ? { kind: 'global' } : { kind: 'member', receiver };
  const matches = (macro: MacroDoc): boolean =>
    macro.name === name &&
    (receiver === undefined ? macro.receiver === 'none' : acceptsReceiver(macro, receiver));
  return [...macrosOf(request, matches), ...functionNamed(name, request, form)];
};

/**
 * Returns the function or macro with a qualified name, such as `sets.contains`, with all overloads.
 */
export const namesByFullName = (
  name: string,
  form: 'global' | 'member',
  request: NamesRequest,
): readonly KnownName[] => [
  ...macrosOf(
    request,
    (macro) => macro.name === name && (macro.receiver === 'none') === (form === 'global'),
  ),
  ...functionNamed(name, request, { kind: form === 'global' ? 'global' : 'any member' }),
];

type CallForm =
  | { readonly kind: 'global' }
  | { readonly kind: 'any member' }
  | { readonly kind: 'member'; readonly receiver: CelType };

const newestEnvironment = ({ environment }: NamesRequest): CelEnvironment =>
  environmentFor(environment, newestRelease);

/** Reports whether a name can be written in an expression; internal names and operators cannot. */
const isWritable = (name: string): boolean => /^[A-Za-z][\w.]*$/.test(name);

const functionNamed = (
  name: string,
  request: NamesRequest,
  form: CallForm,
): readonly KnownName[] => {
  const callable = newestEnvironment(request).functions.get(name);
  if (callable === undefined || !isWritable(name)) return [];
  const overloads = callable.overloads
    .map(({ declaration }) => declaration)
    .filter((declaration) => isFor(declaration, form));
  const [first] = overloads;
  if (first === undefined) return [];
  const signatures = overloads
    .map((overload) => signatureOf(name, overload, request))
    .sort((a, b) => a.since - b.since);
  const since = signatures[0]?.since ?? oldestRelease;
  return [
    {
      name,
      kind: 'function',
      signatures,
      doc: [...new Set(signatures.map(({ doc }) => doc))].join(' '),
      examples: examplesOf(name),
      since,
      isNewer: since > request.release,
      needsList: false,
    },
  ];
};

const isFor = ({ member, params }: OverloadDeclaration, form: CallForm): boolean => {
  if (form.kind === 'global') return !member && params.every(isReachable);
  const [first] = params;
  if (!member || first === undefined || !isReachable(first)) return false;
  if (form.kind === 'any member') return true;
  const { receiver } = form;
  if (isDynamic(receiver)) return isCommon(first);
  // Functions of `dyn` are meant for lists.
  return first.kind === 'dyn' ? receiver.kind === 'list' : isAssignable(receiver, first);
};

/** Reports whether a value of the type can exist; authentication expressions have no authorizer. */
const isReachable = (type: CelType): boolean =>
  !('name' in type && type.name.startsWith('kubernetes.authorization.'));

const isCommon = ({ kind }: CelType): boolean =>
  kind === 'string' || kind === 'list' || kind === 'map' || kind === 'dyn';

/** Reports whether a type is assignable to another one; unknown types always are. */
const isAssignable = (actual: CelType, expected: CelType): boolean => {
  if (
    isDynamic(actual) ||
    isDynamic(expected) ||
    expected.kind === 'param' ||
    actual.kind === 'param'
  )
    return true;
  if (actual.kind === 'list' && expected.kind === 'list')
    return isAssignable(actual.element, expected.element);
  if (actual.kind === 'map' && expected.kind === 'map')
    return isAssignable(actual.key, expected.key) && isAssignable(actual.value, expected.value);
  if (actual.kind === 'optional' && expected.kind === 'optional')
    return isAssignable(actual.value, expected.value);
  if ('name' in actual && 'name' in expected) return actual.name === expected.name;
  return actual.kind === expected.kind;
};

const acceptsReceiver = (macro: MacroDoc, receiver: CelType): boolean => {
  if (macro.receiver === 'none') return false;
  if (macro.receiver === 'optional') return receiver.kind === 'optional';
  return (
    isDynamic(receiver) ||
    receiver.kind === 'list' ||
    (receiver.kind === 'map' && macro.name !== 'sortBy')
  );
};

const signatureOf = (
  name: string,
  { id, member, params, result }: OverloadDeclaration,
  { environment }: NamesRequest,
): NameSignature => {
  const [receiver, ...others] = params;
  const args = (member ? others : params).map(formatCelType);
  const before = member && receiver !== undefined ? `${formatCelType(receiver)}.` : '';
  const since = releases.find((release) =>
    environmentFor(environment, release)
      .functions.get(name)
      ?.overloads.some(({ declaration }) => declaration.id === id),
  );
  return {
    text: `${before}${name}(${args.join(', ')}) -> ${formatCelType(result)}`,
    params: args,
    doc: docOf(name, id),
    since: since ?? newestRelease,
  };
};

/**
 * Returns the documentation of an overload. Libraries share names: `indexOf` exists for strings and
 * for lists.
 */
const docOf = (name: string, id: string): string =>
  libraries
    .flatMap(({ functions }) => functions)
    .findLast(
      (declared) =>
        declared.name === name && declared.overloads.some((overload) => overload.id === id),
    )?.doc ?? '';

const releases: readonly Release[] = [30, 31, 32, 33, 34, 35, 36, newestRelease];

const macrosOf = (
  request: NamesRequest,
  matches: (macro: MacroDoc) => boolean,
): readonly KnownName[] => {
  const byName = Map.groupBy(macroDocs.filter(matches), ({ name }) => name);
  return [...byName].flatMap(([name, docs]): readonly KnownName[] => {
    const [first] = docs;
    if (first === undefined) return [];
    const signatures = docs.map((doc) => ({
      text: formatMacroSignature(doc),
      params: doc.params,
      doc: doc.doc,
      since: sinceOfMacro(doc),
    }));
    const since = signatures.map((signature) => signature.since).reduce(earlierRelease);
    return [
      {
        name,
        kind: 'macro',
        signatures,
        doc: first.doc,
        examples: docs.map(({ example }) => example),
        since,
        isNewer: since > request.release,
        needsList: first.receiver === 'list',
      },
    ];
  });
};

const sinceOfMacro = ({ name, params }: MacroDoc): Release =>
  releases.find((release) =>
    macrosIn(release).some((macro) => macro.name === name && macro.argCount === params.length),
  ) ?? newestRelease;

const earlierRelease = (one: Release, other: Release): Release => (one < other ? one : other);

const sorted = (names: readonly KnownName[]): readonly KnownName[] =>
  names.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
