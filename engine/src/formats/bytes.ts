/** Compares and prints bytes. */

/**
 * Checks whether all bytes are equal. Do not use it for secrets: it stops at the first difference.
 */
export const sameBytes = (left: ArrayLike<number>, right: ArrayLike<number>): boolean => {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
};

/** Returns a negative number, 0 or a positive number; a prefix sorts first. */
export const compareBytes = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
};

/** Returns two lowercase hexadecimal digits for each byte. */
export const hexOf = (bytes: Uint8Array): string => {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits;
};
