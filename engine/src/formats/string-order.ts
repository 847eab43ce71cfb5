/** The order of texts that Go's sorting gives: that of their UTF-8 bytes. */

/** Less than, equal to or more than 0. The order of UTF-8 bytes is that of the code points. */
export const byCodePoint = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
};

/** Code units compare like code points, but that the halves of a pair come behind all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
