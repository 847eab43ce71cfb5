/** A checked expression as JSON data, from which a program is planned without parser or checker. */

export interface SerializedExpression {
  /** The expression's own text, for messages and traces. */
  readonly text: string;
  /** Encoded tree, types and references; see `encodeExpression`. */
  readonly code: unknown;
}
