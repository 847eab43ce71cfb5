/**
 * Where JSON data came from. The real server hands data of a variable out in wrappers that unescape
 * names and hide emptiness; data that a comprehension takes out of such a list comes without. Values
 * here are the same, so the planner follows by the shape of the expression which of the two it would be.
 */
export interface Provenance {
  /** In a wrapper: names are unescaped, an empty list or map is not a zero value. */
  readonly isWrapped: boolean;
  /** What selecting or indexing gives. */
  readonly selected: () => Provenance;
  /** What going through it gives. */
  readonly iterated: () => Provenance;
}

/** Data without wrappers, and everything inside it. */
export const plainData: Provenance = {
  isWrapped: false,
  selected: () => plainData,
  iterated: () => plainData,
};

/** Data that a variable gave out. */
const wrappedData: Provenance = {
  isWrapped: true,
  selected: () => wrappedData,
  iterated: () => plainData,
};

/** A variable as a whole: going through it gives wrapped values. */
export const variableData: Provenance = {
  isWrapped: true,
  selected: () => wrappedData,
  iterated: () => wrappedData,
};

/** A list or map that the expression made. */
export const constructedFrom = (parts: readonly Provenance[]): Provenance => {
  const part = mergedProvenance(parts);
  return { isWrapped: false, selected: () => part, iterated: () => part };
};

/** One of several: wrapped if one may be. */
export const mergedProvenance = (parts: readonly Provenance[]): Provenance =>
  parts.find((part) => part.isWrapped) ?? parts.find((part) => part !== plainData) ?? plainData;
