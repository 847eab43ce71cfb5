/** Compiles the expressions of a configuration, each text once, and keeps the results for the next time. */
import { compileExpression, type ExpressionCompilation } from '../cel/compile-expression.ts';
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import { type ConfigExpression, expressionsOf } from '../config/expressions.ts';
import type { Release } from '../model/release.ts';
import { detachString } from '../source/detach-string.ts';
import type { PositionMap } from '../source/position-map.ts';

/** An expression of the file, compiled. */
export interface PlacedExpression {
  readonly compilation: ExpressionCompilation;
  /** From the expression's text to the file. */
  readonly map: PositionMap;
}

/** Results by text, environment, result and release; opaque to everyone else. */
export type ExpressionCache = ReadonlyMap<string, ExpressionCompilation>;

export interface CompiledExpressions {
  /** By the path of the field, `jwt[0].claimMappings.username.expression`. */
  readonly byPath: ReadonlyMap<string, PlacedExpression>;
  /** What was wanted now, and nothing else. */
  readonly cache: ExpressionCache;
  /** How many expressions the configuration has. */
  readonly count: number;
}

export interface ExpressionOptions {
  readonly release: Release;
  /** Those beyond it are left out; the caller reports `wanted`. */
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

/** Results that grow with every new text, and those of the last compilation beside them. */
export interface WritableExpressionCache {
  readonly results: Map<string, ExpressionCompilation>;
  readonly fallback: ExpressionCache | undefined;
}

export interface CachedExpression {
  /** Under which the result is kept. */
  readonly key: string;
  readonly compilation: ExpressionCompilation;
}

/** One expression, looked up first; a new result is added. */
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

/** A result outlives the version of the file that it was made for. */
const compileDetached = (
  { text, environment, result }: ConfigExpression,
  release: Release,
): ExpressionCompilation =>
  compileExpression({ text: detachString(text.value), environment, result, release });
