/** Lazily computed values. */

/**
 * Returns a function that computes the value on its first call and returns the same value
 * afterwards.
 */
export const once = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
};
