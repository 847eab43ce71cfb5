/** Helpers that declare the functions of a library. */
import type { CelType } from '../values/types.ts';
import {
  type Body,
  CelError,
  type CelObject,
  type CelResult,
  type CelValue,
  noSuchOverload,
} from '../values/value.ts';
import type { FunctionDeclaration, OverloadDeclaration } from './library.ts';

/** The releases that have an overload. */
export type OverloadReleases = Pick<OverloadDeclaration, 'since' | 'until'>;

/** Declares an overload that is called as `name(a, b)`. */
export const global = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  traits: OverloadReleases = {},
): OverloadDeclaration => overload(id, false, params, result, body, traits);

/** Declares an overload that is called as `a.name(b)`. */
export const member = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  traits: OverloadReleases = {},
): OverloadDeclaration => overload(id, true, params, result, body, traits);

/** The parameters of overloads that share a result type and an implementation, by their IDs. */
export type ParametersById = Readonly<Record<string, readonly CelType[]>>;

/** Declares overloads that are called as `name(a, b)`. */
export const globals = (
  result: CelType,
  body: Body,
  overloads: ParametersById,
): readonly OverloadDeclaration[] =>
  Object.entries(overloads).map(([id, params]) => global(id, params, result, body));

/** Declares overloads that are called as `a.name(b)`. */
export const members = (
  result: CelType,
  body: Body,
  overloads: ParametersById,
  traits: OverloadReleases = {},
): readonly OverloadDeclaration[] =>
  Object.entries(overloads).map(([id, params]) => member(id, params, result, body, traits));

/**
 * Declares a function with its documentation and its overloads, in the order in which they are
 * tried.
 */
export const declare = (
  name: string,
  doc: string,
  overloads: readonly OverloadDeclaration[],
): FunctionDeclaration => ({ name, doc, overloads });

/**
 * Declares a function with a single implementation, which checks the types of its arguments itself.
 */
export const declareSingleton = (
  name: string,
  doc: string,
  overloads: readonly OverloadDeclaration[],
): FunctionDeclaration => {
  const [first] = overloads;
  return first === undefined
    ? { name, doc, overloads }
    : { name, doc, overloads, singleton: first.evaluate };
};

/** The implementation of functions that the planner implements, or that no value can reach. */
export const neverCalled: Body = () => noSuchOverload;

/** Declares an overload that reads its receiver. */
type DeclareGetter<T> = (
  id: string,
  result: CelType,
  read: (receiver: T) => CelResult,
) => OverloadDeclaration;

/** Returns what declares overloads that read a receiver of a class. */
export const gettersOf =
  <T extends CelObject>(
    type: CelType,
    valueClass: abstract new (...args: never) => T,
  ): DeclareGetter<T> =>
  (id, result, read) =>
    member(id, [type], result, (value = null) =>
      value instanceof valueClass ? read(value) : noSuchOverload,
    );

/** Returns a function that declares comparisons of two values of a class by their order. */
export const comparisonsOf =
  <T extends CelObject>(
    type: CelType,
    valueClass: abstract new (...args: never) => T,
    compare: (a: T, b: T) => number,
  ) =>
  (id: string, result: CelType, of: (sign: number) => CelValue): OverloadDeclaration =>
    member(id, [type, type], result, (a = null, b = null) =>
      a instanceof valueClass && b instanceof valueClass ? of(compare(a, b)) : noSuchOverload,
    );

/** Creates an implementation that requires strings for all arguments. */
export const onStrings =
  (body: (...texts: string[]) => CelResult): Body =>
  (...args) =>
    args.every((arg) => typeof arg === 'string') ? body(...args) : noSuchOverload;

/** Creates an implementation that checks whether a string can be parsed. */
export const canParse = (parse: (text: string) => CelResult): Body =>
  onStrings((text = '') => !(parse(text) instanceof CelError));

const overload = (
  id: string,
  isMember: boolean,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  traits: OverloadReleases,
): OverloadDeclaration => ({
  id,
  member: isMember,
  params,
  result,
  evaluate: (args) => body(...args),
  ...(params.length === 1 && { evaluate1: body }),
  ...(params.length === 2 && { evaluate2: body }),
  ...traits,
});
