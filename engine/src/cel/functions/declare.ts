/** Short forms to write a library's table of functions. */
import type { CelType } from '../types.ts';
import { CelError, type CelResult, type CelValue } from '../value.ts';
import type { FunctionDeclaration, OverloadDeclaration } from './library.ts';

/** The body of an overload: takes as many arguments as the overload has parameters. */
export type Body = (...args: CelValue[]) => CelResult;

/** An overload called as `name(a, b)`. */
export const global = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  more: Partial<OverloadDeclaration> = {},
): OverloadDeclaration => overload(id, false, params, result, body, more);

/** An overload called as `a.name(b)`. */
export const member = (
  id: string,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  more: Partial<OverloadDeclaration> = {},
): OverloadDeclaration => overload(id, true, params, result, body, more);

/** A function with its sentence and its overloads, in the order in which they are tried. */
export const declare = (
  name: string,
  doc: string,
  overloads: readonly OverloadDeclaration[],
): FunctionDeclaration => ({ name, doc, overloads });

export const pending: Body = () => new CelError('no such overload');

const overload = (
  id: string,
  isMember: boolean,
  params: readonly CelType[],
  result: CelType,
  body: Body,
  more: Partial<OverloadDeclaration>,
): OverloadDeclaration => ({
  id,
  member: isMember,
  params,
  result,
  evaluate: (args) => body(...args),
  ...more,
});
