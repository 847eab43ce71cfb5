/** Values that are a promise only if the caller has to wait for them. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Calls `next` with the value: immediately, or when the promise settles. */
export const andThen = <Value, Next>(
  value: MaybePromise<Value>,
  next: (settled: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (value instanceof Promise ? value.then(next) : next(value));

/** Calls `attempt` with one item after the other, and returns its first result. */
export const firstResult = <Item, Result>(
  items: readonly Item[],
  attempt: (item: Item) => MaybePromise<Result | undefined>,
): MaybePromise<Result | undefined> => {
  for (const [index, item] of items.entries()) {
    const result = attempt(item);
    if (result instanceof Promise) {
      return result.then((settled) => settled ?? firstResult(items.slice(index + 1), attempt));
    }
    if (result !== undefined) return result;
  }
  return undefined;
};
