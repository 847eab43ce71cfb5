/**
 * Compiles the expressions of a configuration, each distinct string once, and caches the results
 * for the next compilation.
 */
import { compileExpression, type ExpressionCompilation } from '../cel/compile-expression.ts';
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import { type ConfigExpression, expressionsOf } from '../config/expressions.ts';
import type { Release } from '../model/release.ts';
import { detachString } from '../source/detach-string.ts';
import type { PositionMap } from '../source/position-map.ts';

/** A compiled expression with its position in the file. */
export interface PlacedExpression {
  readonly compilation: ExpressionCompilation;
  /** Maps offsets of the expression to offsets of the file. */
  readonly map: PositionMap;
}

/**
 * Compilation results by string, environment, result type and release; opaque outside of this file.
 */
export type ExpressionCache = ReadonlyMap<string, ExpressionCompilation>;

export interface CompiledExpressions {
  /** Expressions by field path, for example `jwt[0].claimMappings.username.expression`. */
  readonly byPath: ReadonlyMap<string, PlacedExpression>;
  /** The results used by this compilation, and no others. */
  readonly cache: ExpressionCache;
  /** How many expressions the configuration has. */
  readonly count: number;
}

export interface ExpressionOptions {
  readonly release: Release;
  /** Expressions beyond this number are not compiled; the caller reports the total. */
  readonly maxExpressions: number;
  readonly previous: ExpressionCache | undefined;
}

export const compileExpressions = (
  configuration: AuthenticationConfiguration | undefined,
  { release, maxExpressions, previous = new Map() }: ExpressionOptions,
): CompiledExpressions => {
  const cache = new Map<string, ExpressionCompilation>();
  const byPath = new Map<string, PlacedExpression>();
  const wanted = configuration === undefined ? [] : expressionsOf(configuration);
  for (const expression of wanted.slice(0, maxExpressions)) {
    const key = keyOf(expression, release);
    const compilation = cache.get(key) ?? previous.get(key) ?? compileDetached(expression, release);
    cache.set(key, compilation);
    byPath.set(expression.path, { compilation, map: expression.text.map });
  }
  return { byPath, cache, count: wanted.length };
};

/**
 * A cache that new results are added to. `fallback` holds the results of the previous compilation.
 */
export interface WritableExpressionCache {
  readonly results: Map<string, ExpressionCompilation>;
  readonly fallback: ExpressionCache | undefined;
}

export interface CachedExpression {
  /** The cache key of the result. */
  readonly key: string;
  readonly compilation: ExpressionCompilation;
}

/** Compiles an expression unless the cache has it; a new result is added to the cache. */
export const compileCached = (
  expression: ConfigExpression,
  release: Release,
  { results, fallback }: WritableExpressionCache,
): CachedExpression => {
  const key = keyOf(expression, release);
  const compilation =
    results.get(key) ?? fallback?.get(key) ?? compileDetached(expression, release);
  results.set(key, compilation);
  return { key, compilation };
};

const keyOf = (
  { environment, result, text }: Pick<ConfigExpression, 'environment' | 'result' | 'text'>,
  release: Release,
): string => `${release} ${environment} ${result} ${text.value}`;

/** Compiles a copy of the string, because the result outlives the text of the file. */
const compileDetached = (
  { text, environment, result }: ConfigExpression,
  release: Release,
): ExpressionCompilation =>
  compileExpression({ text: detachString(text.value), environment, result, release });
