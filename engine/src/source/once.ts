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

/** Returns a function that computes the value of each object once, while the object is in use. */
export const oncePer = <Key extends object, Value>(
  make: (key: Key) => Value,
): ((key: Key) => Value) => {
  const values = new WeakMap<Key, () => Value>();
  return (key) => {
    const value = values.get(key) ?? once(() => make(key));
    values.set(key, value);
    return value();
  };
};
