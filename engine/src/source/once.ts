/** Values that are made when they are first asked for. */

/** Makes the value at the first call and gives the same one ever after. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
};
