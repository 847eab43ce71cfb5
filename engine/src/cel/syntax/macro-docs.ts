/**
 * Documentation of the macros for completion, hover and signature help. Macros have no declared
 * types.
 */

export interface MacroDoc {
  readonly name: string;
  /** The receiver type; `list` includes maps. */
  readonly receiver: 'list' | 'optional' | 'none';
  /** Parameter names for display. */
  readonly params: readonly string[];
  readonly result: string;
  readonly doc: string;
  readonly example: string;
}

/** One entry per overload, in the order in which completion lists them. */
export const macroDocs: readonly MacroDoc[] = [
  {
    name: 'has',
    receiver: 'none',
    params: ['field'],
    result: 'bool',
    doc: 'Tests whether a field or claim is present. Only the last field may be missing; the fields before it must be present.',
    example: 'has({"hd": "example.com"}.hd)',
  },
  {
    name: 'exists',
    receiver: 'list',
    params: ['x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for at least one element of a list or key of a map.',
    example: '["dev", "ops"].exists(g, g == "ops")',
  },
  {
    name: 'exists',
    receiver: 'list',
    params: ['i', 'x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for at least one index and element of a list or key and value of a map.',
    example: '["dev", "ops"].exists(i, g, i == 0 && g == "dev")',
  },
  {
    name: 'all',
    receiver: 'list',
    params: ['x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for every element of a list or key of a map.',
    example: '["dev", "ops"].all(g, g.size() == 3)',
  },
  {
    name: 'all',
    receiver: 'list',
    params: ['i', 'x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for every index and element of a list or key and value of a map.',
    example: '{"a": 1, "b": 2}.all(k, v, v > 0)',
  },
  {
    name: 'exists_one',
    receiver: 'list',
    params: ['x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for exactly one element of a list or key of a map.',
    example: '["dev", "ops"].exists_one(g, g.startsWith("d"))',
  },
  {
    name: 'exists_one',
    receiver: 'list',
    params: ['i', 'x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for exactly one index and element of a list or key and value of a map.',
    example: '["dev", "ops"].exists_one(i, g, g == "ops")',
  },
  {
    name: 'existsOne',
    receiver: 'list',
    params: ['i', 'x', 'condition'],
    result: 'bool',
    doc: 'Tests whether the condition is true for exactly one index and element of a list or key and value of a map.',
    example: '["dev", "ops"].existsOne(i, g, g == "ops")',
  },
  {
    name: 'map',
    receiver: 'list',
    params: ['x', 'value'],
    result: 'list',
    doc: 'Returns a list with a value for every element of a list or key of a map.',
    example: '["dev", "ops"].map(g, "oidc:" + g)',
  },
  {
    name: 'map',
    receiver: 'list',
    params: ['x', 'condition', 'value'],
    result: 'list',
    doc: 'Returns a list with a value for every element of a list or key of a map for which the condition is true.',
    example: '["dev", "ops"].map(g, g != "ops", "oidc:" + g)',
  },
  {
    name: 'filter',
    receiver: 'list',
    params: ['x', 'condition'],
    result: 'list',
    doc: 'Returns the elements of a list or keys of a map for which the condition is true.',
    example: '["k8s-dev", "mail"].filter(g, g.startsWith("k8s-"))',
  },
  {
    name: 'sortBy',
    receiver: 'list',
    params: ['x', 'key'],
    result: 'list',
    doc: 'Sorts a list by the key computed for each element.',
    example: '["ccc", "a", "bb"].sortBy(g, g.size())',
  },
  {
    name: 'transformList',
    receiver: 'list',
    params: ['i', 'x', 'value'],
    result: 'list',
    doc: 'Returns a list with a value for every index and element of a list or key and value of a map.',
    example: '{"team": "dev"}.transformList(k, v, k + "=" + v)',
  },
  {
    name: 'transformList',
    receiver: 'list',
    params: ['i', 'x', 'condition', 'value'],
    result: 'list',
    doc: 'Returns a list with a value for every index and element of a list or key and value of a map for which the condition is true.',
    example: '["dev", "ops"].transformList(i, g, i > 0, g)',
  },
  {
    name: 'transformMap',
    receiver: 'list',
    params: ['k', 'v', 'value'],
    result: 'map',
    doc: 'Returns a map with the same keys and new values.',
    example: '{"team": "dev"}.transformMap(k, v, v.upperAscii())',
  },
  {
    name: 'transformMap',
    receiver: 'list',
    params: ['k', 'v', 'condition', 'value'],
    result: 'map',
    doc: 'Returns a map with new values, limited to the entries for which the condition is true.',
    example: '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 10)',
  },
  {
    name: 'transformMapEntry',
    receiver: 'list',
    params: ['k', 'v', 'entry'],
    result: 'map',
    doc: 'Returns a map with a new entry for every key and value.',
    example: '{"team": "dev"}.transformMapEntry(k, v, {v: k})',
  },
  {
    name: 'transformMapEntry',
    receiver: 'list',
    params: ['k', 'v', 'condition', 'entry'],
    result: 'map',
    doc: 'Returns a map with a new entry for every key and value for which the condition is true.',
    example: '{"a": 1, "b": 2}.transformMapEntry(k, v, v > 1, {k: v})',
  },
  {
    name: 'optMap',
    receiver: 'optional',
    params: ['x', 'value'],
    result: 'optional',
    doc: 'Returns an optional with a new value computed from the value of an optional; an empty optional stays empty.',
    example: 'optional.of("jane").optMap(x, "oidc:" + x).orValue("none")',
  },
  {
    name: 'optFlatMap',
    receiver: 'optional',
    params: ['x', 'optional'],
    result: 'optional',
    doc: 'Returns a new optional computed from the value of an optional; an empty optional stays empty.',
    example: 'optional.of({"a": "b"}).optFlatMap(x, x.?a).orValue("none")',
  },
];

/** Formats the signature of a macro: `list.exists(x, condition) -> bool`. */
export const formatMacroSignature = ({ name, receiver, params, result }: MacroDoc): string =>
  `${receiver === 'none' ? '' : `${receiver}.`}${name}(${params.join(', ')}) -> ${result}`;
