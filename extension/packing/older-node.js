// Prepended to the language server: the oldest supported VS Code runs servers on Node 20, which
// lacks these functions.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};
Object.groupBy ??= (items, keyOf) =>
  Object.assign(Object.create(null), Object.fromEntries(Map.groupBy(items, keyOf)));
if (Set.prototype.isSubsetOf === undefined) {
  const define = (name, value) =>
    Object.defineProperty(Set.prototype, name, { value, configurable: true, writable: true });
  define('isSubsetOf', function (other) {
    return this.size <= other.size && [...this].every((item) => other.has(item));
  });
  define('isSupersetOf', function (other) {
    return [...other.keys()].every((item) => this.has(item));
  });
  define('isDisjointFrom', function (other) {
    return ![...this].some((item) => other.has(item));
  });
  define('union', function (other) {
    return new Set([...this, ...other.keys()]);
  });
  define('intersection', function (other) {
    return new Set([...this].filter((item) => other.has(item)));
  });
  define('difference', function (other) {
    return new Set([...this].filter((item) => !other.has(item)));
  });
}
