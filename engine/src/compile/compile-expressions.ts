/** Compiles the expressions of a configuration, each text once, and keeps the results for the next time. */
import { compileExpression, type ExpressionCompilation } from '../cel/compile-expression.ts';
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import { expressionsOf } from '../config/expressions.ts';
import type { Release } from '../model/release.ts';
import type { PositionMap } from '../source/position-map.ts';

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
  readonly cache: ExpressionCache;
  /** How many expressions the configuration has. */
  readonly wanted: number;
}

export interface ExpressionOptions {
  readonly release: Release;
  /** Those beyond it are left out; the caller reports `wanted`. */
  readonly most: number;
  readonly previous: ExpressionCache | undefined;
}

export const compileExpressions = (
  configuration: AuthenticationConfiguration | undefined,
  { release, most, previous = new Map() }: ExpressionOptions,
): CompiledExpressions => {
  const cache = new Map<string, ExpressionCompilation>();
  const byPath = new Map<string, PlacedExpression>();
  const wanted = configuration === undefined ? [] : expressionsOf(configuration);
  for (const { path, text, environment, result } of wanted.slice(0, most)) {
    const key = `${release} ${environment} ${result} ${text.value}`;
    const compilation =
      cache.get(key) ??
      previous.get(key) ??
      compileExpression({ text: text.value, environment, result, release });
    cache.set(key, compilation);
    byPath.set(path, { compilation, map: text.map });
  }
  return { byPath, cache, wanted: wanted.length };
};
