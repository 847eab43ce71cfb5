/** The expressions of a configuration with their spans. */
import {
  type Compilation,
  contentSpan,
  type EnvironmentName,
  expressionsOf,
  type LocatedString,
  mapsEveryCharacter,
  oncePer,
  type PlacedExpression,
  type Span,
  toDecodedOffset,
  toFileSpan,
} from '@authgraph/engine/language';

export interface ExpressionInFile {
  /** `jwt[0].claimMappings.username.expression` */
  readonly path: string;
  /** Index of the authenticator. */
  readonly authenticator: number;
  /** Indexes of other authenticators that share the expression through a YAML alias. */
  readonly sharedWith: readonly number[];
  readonly environment: EnvironmentName;
  readonly result: 'bool' | 'any';
  readonly located: LocatedString;
  readonly compilation: PlacedExpression['compilation'];
  /** The span of the expression in the configuration, without quotes. */
  readonly extent: Span;
}

/**
 * Returns the expressions in document order. An aliased expression appears once; expressions whose
 * exact span is unknown, as in a broken file, are left out.
 */
export const expressionsIn = oncePer((compilation: Compilation): readonly ExpressionInFile[] => {
  const { configuration, expressions } = compilation;
  const sharersByStart = new Map<number, number[]>();
  return (configuration === undefined ? [] : expressionsOf(configuration))
    .flatMap(({ path, text, environment, result }): readonly ExpressionInFile[] => {
      const placed = expressions.get(path);
      const extent = contentSpan(text);
      const authenticator = Number(/^jwt\[(\d+)\]/.exec(path)?.[1]);
      const sharers = sharersByStart.get(extent.start);
      if (sharers !== undefined) sharers.push(authenticator);
      if (placed === undefined || sharers !== undefined || !mapsEveryCharacter(text)) return [];
      const sharedWith: number[] = [];
      sharersByStart.set(extent.start, sharedWith);
      return [
        {
          path,
          authenticator,
          sharedWith,
          environment,
          result,
          located: text,
          compilation: placed.compilation,
          extent,
        },
      ];
    })
    .sort((a, b) => a.extent.start - b.extent.start);
});

/** Returns the expression around an offset, and the offset in its own text. */
export const expressionAt = (
  compilation: Compilation,
  offset: number,
): { readonly expression: ExpressionInFile; readonly at: number } | undefined => {
  for (const expression of expressionsIn(compilation)) {
    const { extent, located } = expression;
    if (offset < extent.start || offset > extent.end) continue;
    const at = toDecodedOffset(located.map, offset);
    if (at !== undefined) return { expression, at };
  }
  return undefined;
};

/** Returns the span of a part of an expression in the configuration. */
export const placeOf = ({ located }: Pick<ExpressionInFile, 'located'>, part: Span): Span =>
  toFileSpan(located.map, part);
