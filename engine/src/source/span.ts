/** Spans in a string: offsets in UTF-16 code units, end exclusive. */

/**
 * A range of offsets in UTF-16 code units; `end` is after the last one.
 *
 * @example
 * ```ts
 * const spanText = (text: string, { start, end }: Span) => text.slice(start, end);
 * ```
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Located<T> {
  readonly value: T;
  readonly span: Span;
}

/** Creates a span from two offsets. */
export const span = (start: number, end: number): Span => ({ start, end });

/** Checks whether `offset` is in `outer` or directly after it, where a cursor can be. */
export const touches = (outer: Span, offset: number): boolean =>
  offset >= outer.start && offset <= outer.end;

/** Checks whether the second span is within the first, edges included. */
export const contains = (outer: Span, inner: Span): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

/** Returns the smallest span that contains both. */
export const cover = (a: Span, b: Span): Span =>
  span(Math.min(a.start, b.start), Math.max(a.end, b.end));

/** Shifts a span by `by` units. */
export const shiftSpan = ({ start, end }: Span, by: number): Span => span(start + by, end + by);
