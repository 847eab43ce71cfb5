/**
 * Names that an expression may go on with: what completion lists, hover explains and signature help
 * follows. Those that only a newer release than the target has are told too, and marked.
 */
import { newestRelease, oldestRelease, type Release } from '../../model/release.ts';
import { type CelEnvironment, type EnvironmentName, environmentFor } from '../check/environment.ts';
import { firstReleaseOfName } from '../check/release-of-name.ts';
import type { OverloadDeclaration } from '../functions/library.ts';
import { libraries } from '../functions/registry.ts';
import { type MacroDoc, macroDocs, formatMacroSignature } from '../syntax/macro-docs.ts';
import { macroSignatures } from '../syntax/macros.ts';
import { formatCelType } from '../values/type-format.ts';
import { type CelType, isDynamic } from '../values/types.ts';
import { examplesOf } from './function-examples.ts';

/** One form of a function or macro. */
export interface NameSignature {
  /** `string.split(string) -> list(string)` */
  readonly text: string;
  /** Pieces of the text between its brackets, one a parameter. */
  readonly params: readonly string[];
  /** One sentence. */
  readonly doc: string;
  /** The release that brought it. */
  readonly since: Release;
}

/** A name that an expression may call, with all its forms. */
export interface KnownName {
  /** One segment: `contains` also of `sets.contains`. */
  readonly name: string;
  readonly kind: 'function' | 'macro' | 'namespace';
  readonly signatures: readonly NameSignature[];
  /** The sentences of its forms, each once. */
  readonly doc: string;
  readonly examples: readonly string[];
  readonly since: Release;
  /** The target release lacks it. */
  readonly isNewer: boolean;
  /** Macro that the checker refuses of what a claim holds, unless `dyn(…)` stands around it. */
  readonly needsList: boolean;
}

/** Whose names are asked for: those of an environment in a release. */
export interface NamesRequest {
  readonly environment: EnvironmentName;
  readonly release: Release;
}

/** Functions and macros that need nothing in front of them, and namespaces. */
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

/** Functions of a namespace; none where there is no such namespace. */
export const namespaceNames = (namespace: string, request: NamesRequest): readonly KnownName[] => {
  const prefix = `${namespace}.`;
  const names = [...newestEnvironment(request).functions.keys()].filter((name) =>
    name.startsWith(prefix),
  );
  return sorted(
    names.flatMap((name) =>
      functionNamed(name, request, { kind: 'global' }).map((found) => ({
        ...found,
        name: name.slice(prefix.length),
      })),
    ),
  );
};

/** What may follow the dot behind a value of the type; of an unknown one, what texts, lists and maps have. */
export const memberNames = (receiver: CelType, request: NamesRequest): readonly KnownName[] => {
  const functions = [...newestEnvironment(request).functions.keys()].flatMap((name) =>
    functionNamed(name, request, { kind: 'member', receiver }),
  );
  return sorted([...functions, ...macrosOf(request, (macro) => acceptsReceiver(macro, receiver))]);
};

/** The names of one call, all of whose forms fit the receiver; without one, those of a global call. */
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

/** A function or macro by its whole name, with all its forms: `sets.contains`. */
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

/** Internal names and operators cannot be written. */
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
  // What takes anything is meant for lists.
  return first.kind === 'dyn' ? receiver.kind === 'list' : isAssignable(receiver, first);
};

/** No expression has an authorizer to start with. */
const isReachable = (type: CelType): boolean =>
  !('name' in type && type.name.startsWith('kubernetes.authorization.'));

const isCommon = ({ kind }: CelType): boolean =>
  kind === 'string' || kind === 'list' || kind === 'map' || kind === 'dyn';

/** Whether a value of the type may be given; what is unknown fits anything. */
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

/** Libraries share names: `indexOf` is one of texts, and one of lists. */
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
    macroSignatures(release, 'authentication').some(
      (macro) => macro.name === name && macro.argCount === params.length,
    ),
  ) ?? newestRelease;

const earlierRelease = (one: Release, other: Release): Release => (one < other ? one : other);

const sorted = (names: readonly KnownName[]): readonly KnownName[] =>
  names.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
