import type { Span } from '../../../source/span.ts';

/** Why a program cannot be made: the text behind `program instantiation failed: `. */
export class PlanError extends Error {
  /** The part of the expression that causes it; the whole expression if there is none. */
  readonly span: Span | undefined;

  constructor(message: string, span?: Span) {
    super(message);
    this.span = span;
  }
}
