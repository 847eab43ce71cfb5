/**
 * Text -> a runnable expression, the whole way: parse, check, result type, constant folding. The one
 * door of this room for the rest of the house.
 */

import type { Release } from '../model/release.ts';
import type { Span } from '../source/span.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { Program } from './program.ts';

/** Which variables exist: `claims` or `user`. */
export type EnvironmentName = 'claims' | 'user';

export interface ExpressionRequest {
  readonly text: string;
  readonly environment: EnvironmentName;
  /** `bool`: the two kinds of rules, which must be statically bool; `any`: mappings. */
  readonly result: 'bool' | 'any';
  readonly release: Release;
}

export interface ExpressionError {
  /** One cause: `undeclared reference to 'clams' (in container '')`. */
  readonly message: string;
  /** UTF-16 offsets in the decoded expression; the whole expression for errors without a place. */
  readonly span: Span;
  /** A name that is near the unknown one, and where to put it. */
  readonly suggestion?: { readonly span: Span; readonly text: string };
}

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

export type CompileExpression = (request: ExpressionRequest) => ExpressionCompilation;
