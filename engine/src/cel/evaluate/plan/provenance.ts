/**
 * The origin of JSON data. kube-apiserver returns data of a variable in wrappers that unescape
 * names and hide that a value is empty; elements that a comprehension reads from such a list are
 * not wrapped. Values here are the same in both cases, so the planner derives from the expression
 * whether kube-apiserver would wrap them.
 */
export interface Provenance {
  /** Whether data is wrapped: names are unescaped, and an empty list or map is not a zero value. */
  readonly isWrapped: boolean;
  /** Returns the provenance of a selected member or element. */
  readonly selected: () => Provenance;
  /** Returns the provenance of the elements in a comprehension. */
  readonly iterated: () => Provenance;
}

/** Data without wrappers, including all its parts. */
export const plainData: Provenance = {
  isWrapped: false,
  selected: () => plainData,
  iterated: () => plainData,
};

/** Data selected from a variable. */
const wrappedData: Provenance = {
  isWrapped: true,
  selected: () => wrappedData,
  iterated: () => plainData,
};

/** A whole variable: iterating over it yields wrapped values. */
export const variableData: Provenance = {
  isWrapped: true,
  selected: () => wrappedData,
  iterated: () => wrappedData,
};

/** Returns the provenance of a list or map that the expression creates. */
export const constructedFrom = (parts: readonly Provenance[]): Provenance => {
  const part = mergedProvenance(parts);
  return { isWrapped: false, selected: () => part, iterated: () => part };
};

/** Returns the provenance of one of several values: wrapped if one of them may be. */
export const mergedProvenance = (parts: readonly Provenance[]): Provenance =>
  parts.find((part) => part.isWrapped) ?? parts.find((part) => part !== plainData) ?? plainData;
