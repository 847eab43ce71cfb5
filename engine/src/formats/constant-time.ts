/** Comparing secrets: how long it takes must not tell how much of a guess was right. */

/** The time depends on the length of the texts alone. */
export const sameSecret = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) {
    difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  }
  return difference === 0;
};
