/** Places in one text: offsets in UTF-16 code units, end exclusive. */

/** Offsets in one text, in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Located<T> {
  readonly value: T;
  readonly span: Span;
}

/** A span from its two offsets. */
export const span = (start: number, end: number): Span => ({ start, end });

/** True when `offset` stands in `outer` or directly behind it (where a cursor would be). */
export const touches = (outer: Span, offset: number): boolean =>
  offset >= outer.start && offset <= outer.end;

/** Is the second span inside the first, edges included? */
export const contains = (outer: Span, inner: Span): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

/** The smallest span that holds both. */
export const cover = (a: Span, b: Span): Span =>
  span(Math.min(a.start, b.start), Math.max(a.end, b.end));

/** The same span `by` units further on. */
export const shiftSpan = ({ start, end }: Span, by: number): Span => span(start + by, end + by);
