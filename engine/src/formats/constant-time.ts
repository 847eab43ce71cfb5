/** Compares secrets without leaking how much of a guess was correct. */

/** Compares two strings in a time that depends only on their length. */
export const sameSecret = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) {
    difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  }
  return difference === 0;
};
