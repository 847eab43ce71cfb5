/**
 * Values of a strategic merge patch as kube-apiserver represents them: they are modified in place,
 * have a Go type, and are printed and compared by Go's rules.
 */
import { formatDouble } from '../formats/go-float.ts';
import type { JsonNode } from '../formats/json-with-positions.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isList, isObject } from './object-fields.ts';

/** A value, where a `bigint` is an int64 and a `number` a float64. */
export type PatchValue = null | boolean | bigint | number | string | PatchItems | PatchMembers;
export type PatchItems = PatchValue[];
export type PatchMembers = Map<string, PatchValue>;

/**
 * Kinds of failures. `error`: the patch is inconsistent or does not fit the kind. `malformed`: no
 * patch may have this form. `unprocessable`: such values cannot be merged. `panic`: kube-apiserver
 * closes the connection without a response.
 */
export type StrategicMergeProblem = 'error' | 'malformed' | 'unprocessable' | 'tooLarge' | 'panic';

/** A failure to merge; it never leaves the merge. */
export class StrategicMergeError extends Error {
  readonly kind: StrategicMergeProblem;
  constructor(message: string, kind: StrategicMergeProblem = 'error') {
    super(message);
    this.kind = kind;
  }
}

/** Returns a copy that may be modified. */
export const copyOfObject = (object: JsonObject): PatchMembers =>
  new Map(Array.from(object, ([name, member]) => [name, copyOf(member)]));

const copyOf = (value: Json): PatchValue => {
  if (isList(value)) return value.map(copyOf);
  if (isObject(value)) return copyOfObject(value);
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
};

/** Returns the members of an object as it was sent. */
export const patchMembersOf = (node: JsonNode): PatchMembers =>
  new Map(
    node.kind === 'object'
      ? node.members.map(({ name, value }) => [name, patchValueOf(value)])
      : [],
  );

const patchValueOf = (node: JsonNode): PatchValue => {
  switch (node.kind) {
    case 'object':
      return patchMembersOf(node);
    case 'array':
      return node.items.map(patchValueOf);
    case 'string':
      return node.text;
    case 'number':
      return numberOf(node.literal);
    case 'bool':
      return node.value;
    default:
      return null;
  }
};

/** An integer literal is an int64 if it fits, anything else a float64. */
const numberOf = (literal: string): bigint | number => {
  const isInt64 = /^-?\d{1,19}$/.test(literal) && isInt64Value(BigInt(literal));
  return isInt64 ? BigInt(literal) : Number(literal);
};

const isInt64Value = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** Returns whether the value is a list. */
export const isItems = (value: PatchValue | undefined): value is PatchItems => Array.isArray(value);

/** Returns whether the value is a map. */
export const isMembers = (value: PatchValue | undefined): value is PatchMembers =>
  value instanceof Map;

/** Returns a value that must be a list; an absent one has no items. */
export const itemsOf = (value: PatchValue | undefined): PatchItems => {
  if (value === undefined) return [];
  return isItems(value) ? value : throwUnexpectedType('[]interface {}', value);
};

/** Returns a value that must be a map. */
export const membersOf = (value: PatchValue): PatchMembers =>
  isMembers(value) ? value : throwUnexpectedType('map[string]interface {}', value);

const throwUnexpectedType = (wanted: string, value: PatchValue): never => {
  const found = value === null ? '%!s(<nil>)' : goType(value);
  throw new StrategicMergeError(`expected a ${wanted}, but received a ${found}`);
};

/** Returns the value of the merge key, which an item must have. */
export const keyOf = (item: PatchMembers, key: string): PatchValue => {
  const value = item.get(key);
  if (value !== undefined) return value;
  throw new StrategicMergeError(
    `map: ${formatValue(item)} does not contain declared merge key: ${key}`,
  );
};

/** Returns Go's name of the type; empty for null, which has none. */
export const goType = (value: PatchValue): string => {
  if (value === null) return '';
  if (isItems(value)) return '[]interface {}';
  if (isMembers(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' ? 'int64' : 'float64';
};

/**
 * Returns whether Go considers two values equal; it cannot compare maps or lists with each other.
 */
export const areEqual = (left: PatchValue, right: PatchValue): boolean => {
  const type = goType(left);
  if (isCompound(left) && type === goType(right)) {
    throw new StrategicMergeError(`runtime error: comparing uncomparable type ${type}`, 'panic');
  }
  return left === right;
};

/** Returns a Go set of the values, which cannot contain maps or lists. */
export const goSet = (values: readonly PatchValue[]): ReadonlySet<PatchValue> =>
  new Set(values.map(requireHashable));

/** Returns a value that must be hashable in Go. */
export const requireHashable = (value: PatchValue): PatchValue => {
  if (!isCompound(value)) return value;
  throw new StrategicMergeError(`runtime error: hash of unhashable type ${goType(value)}`, 'panic');
};

const isCompound = (value: PatchValue): boolean => value !== null && typeof value === 'object';

/** Formats a value like `%v`; members of maps are sorted by name. */
export const formatValue = (value: PatchValue): string => formatWith(value, formatScalar);

const formatScalar = (value: boolean | bigint | number): string =>
  typeof value === 'number' ? formatDouble(value) : String(value);

/** Formats a value like `%s`, which marks values that are not strings. */
export const formatAsString = (value: PatchValue): string =>
  value === null
    ? '%!s(<nil>)'
    : formatWith(value, (scalar) => `%!s(${goType(scalar)}=${formatScalar(scalar)})`);

const formatWith = (
  value: PatchValue,
  scalar: (value: boolean | bigint | number) => string,
): string => {
  if (isItems(value)) return `[${value.map((item) => formatWith(item, scalar)).join(' ')}]`;
  if (isMembers(value)) {
    const members = [...value].sort(([left], [right]) => (left < right ? -1 : 1));
    const entries = members.map(([name, member]) => `${name}:${formatWith(member, scalar)}`);
    return `map[${entries.join(' ')}]`;
  }
  if (value === null) return '<nil>';
  return typeof value === 'string' ? value : scalar(value);
};
