/** The operators that select a member other than `a.b`. */

/**
 * Operators of `a[b]`, `a[?b]` and `a.?b`. Their first argument is the operand, the second one the
 * member.
 */
export const selectionOperators: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
