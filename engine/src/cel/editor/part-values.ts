/**
 * The type and value of a part of an expression. The rest of the expression may be invalid.
 * Variables
 * of enclosing macros get the elements that the macros iterate over.
 */
import { newestRelease } from '../../model/release.ts';
import type { Span } from '../../source/span.ts';
import { checkExpression } from '../check/check.ts';
import { type CelEnvironment, environmentFor } from '../check/environment.ts';
import { compileIn } from '../compile-expression.ts';
import { parseCel } from '../syntax/parser.ts';
import { type CelType, dynType, intType, isDynamic } from '../values/types.ts';
import { type CelValue, isList } from '../values/value.ts';
import type { DraftBinding } from './draft-place.ts';

/** A part of an expression that can be evaluated separately. */
export interface ExpressionPart {
  readonly text: string;
  readonly span: Span;
  /** Variables of enclosing macros, outermost first. */
  readonly bindings: readonly DraftBinding[];
  readonly environment: CelEnvironment;
}

/** Returns the type of a part; `undefined` if it is not valid separately. */
export const typeOfPart = ({
  text,
  span,
  bindings,
  environment,
}: ExpressionPart): CelType | undefined =>
  typeIn(
    text.slice(span.start, span.end),
    macroVariableTypes(text, bindings, environment),
    environment,
  );

/** Returns the types of macro variables. */
export const macroVariableTypes = (
  text: string,
  bindings: readonly DraftBinding[],
  environment: CelEnvironment,
): ReadonlyMap<string, CelType> => {
  const locals = new Map<string, CelType>();
  for (const { names, range, boundTo } of bindings) {
    const type = typeIn(text.slice(range.start, range.end), locals, environment) ?? dynType;
    const [key, value] = names;
    if (key === undefined) continue;
    if (boundTo === 'value') locals.set(key, type.kind === 'optional' ? type.value : dynType);
    else if (value === undefined) locals.set(key, elementOf(type));
    else {
      locals.set(key, type.kind === 'map' ? type.key : type.kind === 'list' ? intType : dynType);
      locals.set(value, type.kind === 'map' ? type.value : elementOf(type));
    }
  }
  return locals;
};

const elementOf = (type: CelType): CelType => {
  if (type.kind === 'list') return type.element;
  return type.kind === 'map' ? type.key : dynType;
};

const typeIn = (
  text: string,
  locals: ReadonlyMap<string, CelType>,
  environment: CelEnvironment,
): CelType | undefined => {
  const scoped: CelEnvironment =
    locals.size === 0
      ? environment
      : { ...environment, identifier: (name) => locals.get(name) ?? environment.identifier(name) };
  const { release, macros } = environment;
  const { checked } = checkExpression(parseCel(text, { release, macros }), scoped);
  return checked.type.kind === 'error' ? undefined : checked.type;
};

/** The value of a part of an expression. */
export type PartValue =
  | { readonly kind: 'value'; readonly value: CelValue }
  /** Inside macros, the values for all elements. */
  | { readonly kind: 'each'; readonly values: readonly CelValue[] }
  | { readonly kind: 'error'; readonly message: string };

/** Evaluates a part with the value of `claims` or `user`. */
export type PartProgram = (variable: CelValue) => PartValue;

/**
 * Plans a part; `undefined` if it cannot run separately. It can use functions of all releases,
 * because only its value matters.
 */
export const planPart = (
  part: Omit<ExpressionPart, 'environment'>,
  environment: 'claims' | 'user',
): PartProgram | undefined => {
  const { text, span, bindings } = part;
  const slice = ({ start, end }: Span): string => `(${text.slice(start, end)}\n)`;
  let wrapped = slice(span);
  for (const { names, range, boundTo } of bindings.toReversed()) {
    const rangeText = `dyn${slice(range)}`;
    const [key, value] = names;
    if (key === undefined) return undefined;
    if (boundTo === 'value') wrapped = `[${rangeText}.value()].map(${key}, ${wrapped})`;
    else if (value === undefined) wrapped = `${rangeText}.map(${key}, ${wrapped})`;
    else wrapped = `${rangeText}.transformList(${key}, ${value}, ${wrapped})`;
  }
  const { program } = compileIn(environmentFor(environment, newestRelease), {
    text: wrapped,
    result: 'any',
  });
  if (program === undefined) return undefined;
  return (variable) => {
    const { value, error } = program.evaluate(variable);
    if (value === undefined) return { kind: 'error', message: error ?? '' };
    if (bindings.length === 0) return { kind: 'value', value };
    return { kind: 'each', values: flatten(value, bindings.length) };
  };
};

const flatten = (value: CelValue, depth: number): readonly CelValue[] => {
  if (depth === 0) return [value];
  return isList(value) ? value.flatMap((item) => flatten(item, depth - 1)) : [value];
};

/**
 * Reports whether the checker rejects the type as the range of a macro unless it is wrapped in
 * `dyn(…)`.
 */
export const needsDyn = (type: CelType | undefined): boolean => type?.kind === 'any';

/** Reports whether a type is only known at runtime. */
export const isUnknown = (type: CelType | undefined): boolean =>
  type === undefined || isDynamic(type) || type.kind === 'param';
