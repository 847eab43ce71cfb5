/** Goes on at once with a value, and later with a promise of one. */
export const andThen = <Value, Next>(
  value: Value | Promise<Value>,
  next: (settled: Value) => Next | Promise<Next>,
): Next | Promise<Next> => (value instanceof Promise ? value.then(next) : next(value));
