/** Typed configuration -> what the real server's validation says to it, in its order. */
import type { ExpressionCompilation } from '../cel/compile-expression.ts';
import type { Diagnostic, ServerError } from '../diagnostics/diagnostic.ts';
import type { FeatureGates } from '../model/feature-gates.ts';
import type { Release } from '../model/release.ts';
import type { PositionMap } from '../source/position-map.ts';
import type { AuthenticationConfiguration } from './configuration.ts';

export interface ValidationContext {
  readonly release: Release;
  readonly featureGates: FeatureGates;
  /** Issuers that no entry may name. */
  readonly disallowedIssuers: readonly string[];
  readonly expressionAt: (
    path: string,
  ) => { readonly compilation: ExpressionCompilation; readonly map: PositionMap } | undefined;
  /** Paths whose value is there but could not be read: nothing is said about them. */
  readonly unread: ReadonlySet<string>;
}

export interface Validation {
  /** The real server's errors in the real order. */
  readonly errors: readonly ServerError[];
  readonly diagnostics: readonly Diagnostic[];
}

export const validateConfiguration = (
  _configuration: AuthenticationConfiguration | undefined,
  _context: ValidationContext,
): Validation => ({ errors: [], diagnostics: [] });
