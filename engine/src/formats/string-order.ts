/** Go's order of strings, which is that of their UTF-8 bytes. */

/**
 * Returns a negative number, 0 or a positive number. UTF-8 bytes and code points have the same
 * order.
 */
export const byCodePoint = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
};

/** Orders code units like code points: surrogates sort after all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
