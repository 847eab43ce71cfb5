/** The cursor's position in an expression, complete or not. */
import {
  decodedPosition,
  type EnvironmentName,
  environmentFor,
  type NamesRequest,
  type Span,
  span,
  toFileSpan,
  type ValuePlace,
} from '@authgraph/engine/language';
import type { PartContext } from './feature.ts';

export interface ExpressionPlace extends NamesRequest {
  readonly context: PartContext;
  readonly value: ValuePlace;
  /** Index of the `jwt` entry that holds the expression. */
  readonly index: number;
  /** The decoded expression. */
  readonly text: string;
  /** Offset of the cursor in the expression. */
  readonly offset: number;
  /** Offset of the cursor in the configuration. */
  readonly cursor: number;
}

/** Returns `undefined` for fields that are not expressions. */
export const expressionPlace = (
  context: PartContext,
  value: ValuePlace,
  cursor: number,
): ExpressionPlace | undefined => {
  const environment: EnvironmentName | undefined = value.row.expression;
  if (environment === undefined) return undefined;
  const index = entryIndexOf(value);
  if (index === undefined) return undefined;
  return {
    context,
    value,
    index,
    ...decodedPosition(value.scalar, cursor),
    cursor,
    environment,
    release: context.part.compilation.settings.targetRelease,
  };
};

/** Returns the index of the `jwt` entry that contains the value. */
export const entryIndexOf = ({ path }: Pick<ValuePlace, 'path'>): number | undefined => {
  const [, index] = /^jwt\[(\d+)\]/.exec(path) ?? [];
  return index === undefined ? undefined : Number(index);
};

/** Returns the CEL environment of the target release. */
export const environmentOf = ({ environment, release }: ExpressionPlace) =>
  environmentFor(environment, release);

/**
 * Returns the span of a part of the expression in the configuration. An empty span at the cursor
 * stays at the cursor.
 */
export const fileSpanOf = (
  { value, offset, cursor }: ExpressionPlace,
  { start, end }: Span,
): Span => {
  if (start === end && start === offset) return span(cursor, cursor);
  const fileSpan = toFileSpan(value.scalar.map, span(start, end));
  return end === offset ? span(fileSpan.start, Math.max(fileSpan.start, cursor)) : fileSpan;
};
