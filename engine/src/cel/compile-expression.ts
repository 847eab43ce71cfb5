/**
 * Text -> a runnable expression, the whole way: parse, check, result type, constant folding. The one
 * door of this room for the rest of the house.
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

/** What to compile, and for which place of the configuration. */
export interface ExpressionRequest {
  readonly text: string;
  readonly environment: EnvironmentName;
  /** `bool`: the two kinds of rules, which must be statically bool; `any`: mappings. */
  readonly result: 'bool' | 'any';
  readonly release: Release;
}

/** One error of an expression for people: cause, piece of the text, near name. */
export interface ExpressionError {
  /** One cause: `undeclared reference to 'clams' (in container '')`. */
  readonly message: string;
  /** UTF-16 offsets in the decoded expression; the whole expression for errors without a place. */
  readonly span: Span;
  /** A name that is near the unknown one, and where to put it. */
  readonly suggestion?: { readonly span: Span; readonly text: string };
  /** `dyn(…)` around the span mends it. */
  readonly needsDyn?: true;
}

/** The answer: always a checked tree, and either a program or errors. */
export interface ExpressionCompilation {
  /** There for broken text too, with holes and `error` types. */
  readonly checked: CheckedExpression;
  readonly errors: readonly ExpressionError[];
  /** The real server's detail text, `compilation failed: ERROR: …` with carets; absent when it compiles. */
  readonly serverError?: {
    readonly type: 'FieldValueInvalid' | 'InternalError';
    readonly detail: string;
  };
  /** Present exactly when there is no error. */
  readonly program?: Program;
}

/** The door's type, for those who pass it on. */
export type CompileExpression = (request: ExpressionRequest) => ExpressionCompilation;

/** Compiles in one of the two authentication environments. Never throws. */
export const compileExpression: CompileExpression = (request) =>
  compileIn(environmentFor(request.environment, request.release), request);

/** Compiles in any environment; the door that the language's own conformance tests use. */
export const compileIn = (
  environment: CelEnvironment,
  request: Pick<ExpressionRequest, 'text' | 'result'>,
): ExpressionCompilation => {
  const { text } = request;
  const parsed = parseCel(text, { release: environment.release, macros: environment.macros });
  const { checked, errors } = checkExpression(parsed, environment);
  // The checker runs on broken text for the editor's sake; the real server stops before it.
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

/** A macro may hold a piece of the text twice, and its error twice: once is enough for a reader. */
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

/** A piece that ends in something missing may end before it starts: then its start is its place. */
const orderedSpan = ({ start, end }: Span): Span => span(start, Math.max(start, end));

const suggestionFor = (
  error: CelSyntaxError | CheckError,
  environment: CelEnvironment,
): Pick<ExpressionError, 'suggestion'> => {
  if (!('unresolved' in error) || error.unresolved === undefined) return {};
  const text = suggestName(error.unresolved, environment);
  return text === undefined ? {} : { suggestion: { span: error.span, text } };
};

/** As many as the real server lists. */
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

/** Whether a node is the second variable of a macro over a range of unknown type, up to 1.32. */
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
 * The first identifier with a type as its value that names no type of the runtime. The real server
 * looks such an identifier up by name, also where it is a variable: `[int].map(t, t)` is refused.
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
      const found = find(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(checked.tree);
};

const wholeText = (checked: CheckedExpression): Span => span(0, checked.parsed.text.length);
