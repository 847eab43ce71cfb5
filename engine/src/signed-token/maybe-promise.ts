/** Calls `next` with the value: immediately, or when the promise settles. */
export const andThen = <Value, Next>(
  value: Value | Promise<Value>,
  next: (settled: Value) => Next | Promise<Next>,
): Next | Promise<Next> => (value instanceof Promise ? value.then(next) : next(value));
