/**
 * Values of a strategic merge patch as the real server has them while it merges: they change in
 * place, know their Go type, print as Go prints them and are compared as Go compares them.
 */
import { formatDouble } from '../formats/go-float.ts';
import type { JsonNode } from '../formats/json-with-positions.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { isList, isObject } from './object-fields.ts';

/** A `bigint` is an int64, a `number` a float64. */
export type PatchValue = null | boolean | bigint | number | string | PatchItems | PatchMembers;
export type PatchItems = PatchValue[];
export type PatchMembers = Map<string, PatchValue>;

/**
 * `error`: the patch contradicts itself or the kind. `malformed`: no patch can say so.
 * `unprocessable`: nothing merges that. `panic`: here the real server ends the connection without an
 * answer.
 */
export type StrategicMergeProblem = 'error' | 'malformed' | 'unprocessable' | 'tooLarge' | 'panic';

/** Carries a message up; never leaves the merge. */
export class StrategicMergeError extends Error {
  readonly kind: StrategicMergeProblem;
  constructor(message: string, kind: StrategicMergeProblem = 'error') {
    super(message);
    this.kind = kind;
  }
}

/** A copy that may be changed. */
export const copyOfObject = (object: JsonObject): PatchMembers =>
  new Map(Array.from(object, ([name, member]) => [name, copyOf(member)]));

const copyOf = (value: Json): PatchValue => {
  if (isList(value)) return value.map(copyOf);
  if (isObject(value)) return copyOfObject(value);
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
};

/** The members of an object as it was sent. */
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

/** Digits alone are an int64 as far as they fit into one. */
const numberOf = (literal: string): bigint | number => {
  const isInt64 = /^-?\d{1,19}$/.test(literal) && isInt64Value(BigInt(literal));
  return isInt64 ? BigInt(literal) : Number(literal);
};

const isInt64Value = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** A list. */
export const isItems = (value: PatchValue | undefined): value is PatchItems => Array.isArray(value);

/** A map. */
export const isMembers = (value: PatchValue | undefined): value is PatchMembers =>
  value instanceof Map;

/** The list, where it has to be one; of what is absent there are no items. */
export const itemsOf = (value: PatchValue | undefined): PatchItems => {
  if (value === undefined) return [];
  return isItems(value) ? value : throwUnexpectedType('[]interface {}', value);
};

/** The map, where it has to be one. */
export const membersOf = (value: PatchValue): PatchMembers =>
  isMembers(value) ? value : throwUnexpectedType('map[string]interface {}', value);

const throwUnexpectedType = (wanted: string, value: PatchValue): never => {
  const found = value === null ? '%!s(<nil>)' : goType(value);
  throw new StrategicMergeError(`expected a ${wanted}, but received a ${found}`);
};

/** The value of the merge key, where an item has to have one. */
export const keyOf = (item: PatchMembers, key: string): PatchValue => {
  const value = item.get(key);
  if (value !== undefined) return value;
  throw new StrategicMergeError(
    `map: ${formatValue(item)} does not contain declared merge key: ${key}`,
  );
};

/** As Go names the type; empty for null, which has none. */
export const goType = (value: PatchValue): string => {
  if (value === null) return '';
  if (isItems(value)) return '[]interface {}';
  if (isMembers(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' ? 'int64' : 'float64';
};

/** Whether Go takes the two for one; maps and lists it can't compare with their like. */
export const areEqual = (left: PatchValue, right: PatchValue): boolean => {
  const type = goType(left);
  if (isCompound(left) && type === goType(right)) {
    throw new StrategicMergeError(`runtime error: comparing uncomparable type ${type}`, 'panic');
  }
  return left === right;
};

/** What Go keeps in a set: all but maps and lists. */
export const goSet = (values: readonly PatchValue[]): ReadonlySet<PatchValue> =>
  new Set(values.map(requireHashable));

/** The value, where Go can look it up in a set. */
export const requireHashable = (value: PatchValue): PatchValue => {
  if (!isCompound(value)) return value;
  throw new StrategicMergeError(`runtime error: hash of unhashable type ${goType(value)}`, 'panic');
};

const isCompound = (value: PatchValue): boolean => value !== null && typeof value === 'object';

/** As `%v` prints it: a map by the names of its members. */
export const formatValue = (value: PatchValue): string => formatWith(value, formatScalar);

const formatScalar = (value: boolean | bigint | number): string =>
  typeof value === 'number' ? formatDouble(value) : String(value);

/** As `%s` prints it, which says of all but texts that they are none. */
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
    const texts = members.map(([name, member]) => `${name}:${formatWith(member, scalar)}`);
    return `map[${texts.join(' ')}]`;
  }
  if (value === null) return '<nil>';
  return typeof value === 'string' ? value : scalar(value);
};
