import type { Span } from '../../../source/span.ts';

/** An expression that cannot be planned. The message follows `program instantiation failed: `. */
export class PlanError extends Error {
  /** The part of the expression that causes the error, or `undefined` for the whole expression. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}
