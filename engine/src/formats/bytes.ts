/** Bytes as such: equal, ordered, and as hexadecimal digits. */

/** Whether every byte is the same. Not for secrets: it stops at the first difference. */
export const sameBytes = (left: ArrayLike<number>, right: ArrayLike<number>): boolean => {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
};

/** Less than, equal to or more than 0; what is a beginning of the other comes first. */
export const compareBytes = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
};

/** Two lower-case digits a byte. */
export const hexOf = (bytes: Uint8Array): string => {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return digits;
};
