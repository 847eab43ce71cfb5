/** The parts of an identifier, between which it wraps. */

/** The text of the parts, joined, is the identifier. */
export const partsOf = (text: string): readonly string[] => {
  const parts = text.split(/(?<=[:/@|,])(?![:/@|,]|$)/);
  return parts.length <= maxParts
    ? parts
    : [...parts.slice(0, maxParts - 1), parts.slice(maxParts - 1).join('')];
};

/** More than any identifier with a meaning has. */
const maxParts = 24;
