/** Short forms to write a library's table of functions. */
import type { CelType } from '../values/types.ts';
import { type CelResult, type CelValue, noSuchOverload } from '../values/value.ts';
import type { FunctionDeclaration, OverloadDeclaration } from './library.ts';

/** The body of an overload: takes as many arguments as the overload has parameters. */
export type Body = (...args: CelValue[]) => CelResult;

/** What an overload may say beyond its signature. */
export type OverloadReleases = Pick<OverloadDeclaration, 'since' | 'until'>;

/** An overload called as `name(a, b)`. */
export const global = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  traits: OverloadReleases = {},
): OverloadDeclaration => overload(id, false, params, result, body, traits);

/** An overload called as `a.name(b)`. */
export const member = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  traits: OverloadReleases = {},
): OverloadDeclaration => overload(id, true, params, result, body, traits);

/** A function with its sentence and its overloads, in the order in which they are tried. */
export const declare = (
  name: string,
  doc: string,
  overloads: readonly OverloadDeclaration[],
): FunctionDeclaration => ({ name, doc, overloads });

/** A function whose one body looks at the values itself. */
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

/** For functions that the planner makes itself, or that no value can reach. */
export const neverCalled: Body = () => noSuchOverload;

/** A body that wants its arguments of one type; anything else has no overload. */
export const onStrings =
  (body: (...texts: string[]) => CelResult): Body =>
  (...args) =>
    args.every((arg) => typeof arg === 'string') ? body(...args) : noSuchOverload;

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
