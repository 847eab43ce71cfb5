/**
 * Compiles expressions to programs: parsing, type checking, the check of the result type, and
 * planning with constant folding. It is the entry point of `cel/`.
 */

import type { Release } from '../model/release.ts';
import { type Span, span } from '../source/span.ts';
import { checkExpression } from './check/check.ts';
import type { CheckError } from './check/check-context.ts';
import type { CheckedExpression } from './check/checked-expression.ts';
import { type CelEnvironment, type EnvironmentName, environmentFor } from './check/environment.ts';
import { ValidatorPanicError, validateLiterals } from './check/literal-validators.ts';
import { suggestName } from './check/suggest.ts';
import { panicProblem, planExpression } from './evaluate/plan.ts';
import type { Program } from './evaluate/program.ts';
import { libraries } from './functions/registry.ts';
import { renderErrors } from './syntax/error-text.ts';
import { parseCel } from './syntax/parser.ts';
import type { CelNode, CelSyntaxError, IdentNode } from './tree/ast.ts';
import { childNodes } from './tree/child-nodes.ts';
import { formatOutputType } from './values/type-format.ts';

export type { EnvironmentName } from './check/environment.ts';

/** The expression to compile, and where in the configuration it is used. */
export interface ExpressionRequest {
  readonly text: string;
  readonly environment: EnvironmentName;
  /**
   * `bool` for claim and user validation rules, whose static type must be bool; `any` for mappings.
   */
  readonly result: 'bool' | 'any';
  readonly release: Release;
}

/** An error of an expression, for display: the cause, its span and a suggestion. */
export interface ExpressionError {
  /** A single cause: `undeclared reference to 'clams' (in container '')`. */
  readonly message: string;
  /**
   * UTF-16 offsets in the decoded expression; the whole expression for errors without a location.
   */
  readonly span: Span;
  /** A declared name similar to the unknown one, and the span to replace with it. */
  readonly suggestion?: { readonly span: Span; readonly text: string };
  /** True if wrapping the span in `dyn(…)` fixes the error. */
  readonly needsDyn?: true;
}

/** The result of a compilation: a checked tree, and either a program or errors. */
export interface ExpressionCompilation {
  /** Always present; the tree of an invalid expression has holes and `error` types. */
  readonly checked: CheckedExpression;
  readonly errors: readonly ExpressionError[];
  /**
   * kube-apiserver's error, `compilation failed: ERROR: …` with carets; absent if the expression
   * compiles.
   */
  readonly serverError?: {
    readonly type: 'FieldValueInvalid' | 'InternalError';
    readonly detail: string;
  };
  /** Present if and only if there is no error. */
  readonly program?: Program;
}

/** The type of `compileExpression`, for callers that receive it as an argument. */
export type CompileExpression = (request: ExpressionRequest) => ExpressionCompilation;

/** Compiles an expression in one of the two authentication environments. Never throws. */
export const compileExpression: CompileExpression = (request) =>
  compileIn(environmentFor(request.environment, request.release), request);

/**
 * Compiles an expression in any environment. The CEL conformance tests use it with environments of
 * their own.
 */
export const compileIn = (
  environment: CelEnvironment,
  request: Pick<ExpressionRequest, 'text' | 'result'>,
): ExpressionCompilation => {
  const { text } = request;
  const parsed = parseCel(text, { release: environment.release, macros: environment.macros });
  const { checked, errors } = checkExpression(parsed, environment);
  // The checker runs despite syntax errors, for the editor; kube-apiserver stops before it.
  if (parsed.errors.length > 0) return compilationFailed(checked, parsed.errors, environment);
  if (errors.length > 0) return compilationFailed(checked, errors, environment);
  const literals = attemptValidation(checked, environment);
  if (literals instanceof ValidatorPanicError) {
    return instantiationFailed(checked, panicProblem(literals), literals.span);
  }
  if (literals.length > 0) return compilationFailed(checked, literals, environment);
  if (request.result === 'bool' && formatOutputType(checked.type) !== 'bool') {
    return rejected(checked, 'FieldValueInvalid', 'must evaluate to bool', 'must evaluate to bool');
  }
  if (usesUntypedVariable(checked)) {
    const detail = 'unexpected compilation error: missing type conversion to proto: ';
    return rejected(checked, 'InternalError', untypedVariableMessage, detail);
  }
  const unloadable = findUnloadableType(checked, environment);
  if (unloadable !== undefined) {
    return instantiationFailed(
      checked,
      `reference to undefined type: ${unloadable.name}`,
      unloadable.span,
    );
  }
  const planned = planExpression(
    checked,
    environment.libraries === libraries ? {} : { libraries: environment.libraries },
  );
  return 'program' in planned
    ? { checked, errors: [], program: planned.program }
    : instantiationFailed(checked, planned.problem, planned.span ?? wholeText(checked));
};

const attemptValidation = (
  checked: CheckedExpression,
  environment: CelEnvironment,
): readonly CheckError[] | ValidatorPanicError => {
  try {
    return validateLiterals(checked, environment);
  } catch (error) {
    if (error instanceof ValidatorPanicError) return error;
    throw error;
  }
};

const compilationFailed = (
  checked: CheckedExpression,
  errors: readonly (CelSyntaxError | CheckError)[],
  environment: CelEnvironment,
): ExpressionCompilation => ({
  checked,
  errors: [...errors]
    .sort((a, b) => a.at - b.at)
    .slice(0, maxErrors)
    .map((error) => ({
      message: error.message,
      span: error.at < 0 ? wholeText(checked) : orderedSpan(error.span),
      ...suggestionFor(error, environment),
      ...('needsDyn' in error && error.needsDyn ? { needsDyn: true as const } : {}),
    }))
    .filter(isNotRepeated),
  serverError: {
    type: 'FieldValueInvalid',
    detail: `compilation failed: ${renderErrors(checked.parsed.text, errors)}`,
  },
});

/** Drops repeated errors: a macro may use an argument twice, so its error is reported twice. */
const isNotRepeated = (
  error: ExpressionError,
  index: number,
  errors: readonly ExpressionError[],
): boolean => {
  const previous = errors[index - 1];
  return (
    previous === undefined ||
    previous.message !== error.message ||
    previous.span.start !== error.span.start ||
    previous.span.end !== error.span.end
  );
};

/** Corrects the span of a node that ends in a missing part, whose end may be before its start. */
const orderedSpan = ({ start, end }: Span): Span => span(start, Math.max(start, end));

const suggestionFor = (
  error: CelSyntaxError | CheckError,
  environment: CelEnvironment,
): Pick<ExpressionError, 'suggestion'> => {
  if (!('unresolved' in error) || error.unresolved === undefined) return {};
  const text = suggestName(error.unresolved, environment);
  return text === undefined ? {} : { suggestion: { span: error.span, text } };
};

/** Maximum number of errors, the same as in kube-apiserver. */
const maxErrors = 100;

const rejected = (
  checked: CheckedExpression,
  type: 'FieldValueInvalid' | 'InternalError',
  message: string,
  detail: string,
): ExpressionCompilation => ({
  checked,
  errors: [{ message, span: wholeText(checked) }],
  serverError: { type, detail },
});

/**
 * Reports whether an expression uses the second variable of a macro over a range of unknown type,
 * which has no type up to 1.32.
 */
const usesUntypedVariable = ({ types }: CheckedExpression): boolean => {
  for (const type of types.values()) if (type.kind === 'unset') return true;
  return false;
};

const untypedVariableMessage =
  'the second variable of a macro over a range of unknown type cannot be used up to 1.32';

const instantiationFailed = (
  checked: CheckedExpression,
  message: string,
  at: Span,
): ExpressionCompilation => ({
  checked,
  errors: [{ message, span: at }],
  serverError: {
    type: 'InternalError',
    detail: `program instantiation failed: ${message}`,
  },
});

/**
 * Finds the first identifier whose value is a type but whose name is not a runtime type.
 * kube-apiserver
 * looks up such identifiers by name, even variables: it rejects `[int].map(t, t)`.
 */
const findUnloadableType = (
  checked: CheckedExpression,
  environment: CelEnvironment,
): IdentNode | undefined => {
  const find = (node: CelNode): IdentNode | undefined => {
    if (node.kind === 'ident') {
      const isType = checked.types.get(node.id)?.kind === 'type';
      return isType && !environment.typeNames.has(node.name) ? node : undefined;
    }
    for (const child of childNodes(node)) {
      const unloadable = find(child);
      if (unloadable !== undefined) return unloadable;
    }
    return undefined;
  };
  return find(checked.tree);
};

const wholeText = (checked: CheckedExpression): Span => span(0, checked.parsed.text.length);
