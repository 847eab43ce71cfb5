/** A cursor in an expression of the configuration, half written or not. */
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
  /** Of the entry of `jwt` in which it stands. */
  readonly index: number;
  /** The expression, decoded. */
  readonly text: string;
  /** Of the cursor in it. */
  readonly offset: number;
  /** Of the cursor in the configuration. */
  readonly cursor: number;
}

/** `undefined` for fields that hold no expression. */
export const expressionPlace = (
  context: PartContext,
  value: ValuePlace,
  cursor: number,
): ExpressionPlace | undefined => {
  const environment: EnvironmentName | undefined = value.row.expression;
  if (environment === undefined) return undefined;
  const index = Number(/^jwt\[(\d+)\]/.exec(value.path)?.[1] ?? Number.NaN);
  if (Number.isNaN(index)) return undefined;
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

/** The environment that the target release has. */
export const environmentOf = ({ environment, release }: ExpressionPlace) =>
  environmentFor(environment, release);

/** Where a piece of the expression stands in the configuration. An empty one at the cursor is there. */
export const fileSpanOf = (
  { value, offset, cursor }: ExpressionPlace,
  { start, end }: Span,
): Span => {
  if (start === end && start === offset) return span(cursor, cursor);
  const found = toFileSpan(value.scalar.map, span(start, end));
  return end === offset ? span(found.start, Math.max(found.start, cursor)) : found;
};
