/**
 * Reads and writes JSON with maps for objects, so that any member name is safe. It preserves
 * neither positions nor repeated members; the store and API clients use it.
 */
import type { PlainValue } from './json-with-positions.ts';

/** The type in `model/json.ts`. */
type Json = null | boolean | number | string | readonly Json[] | ReadonlyMap<string, Json>;

/**
 * Parses a JSON object; returns `undefined` for anything else. The last of repeated members counts.
 */
export const readJsonMap = (text: string): ReadonlyMap<string, Json> | undefined => {
  try {
    const value = fromRecord(JSON.parse(text));
    return value instanceof Map ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Writes members in order, without spaces. */
export const writeJson = (value: Json): string => {
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...value].map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  );
  return `{${members.join(',')}}`;
};

/**
 * Compares JSON values without regard to the order of members. `undefined` equals only `undefined`.
 */
export const sameJson = (left: Json | undefined, right: Json | undefined): boolean => {
  if (left === right) return true;
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((item, at) => sameJson(item, right[at]))
    );
  }
  if (!(left instanceof Map && right instanceof Map) || left.size !== right.size) return false;
  return [...left].every(([name, member]) => right.has(name) && sameJson(member, right.get(name)));
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Converts a result of `JSON.parse`, whose records have only own members, whatever their names. */
const fromRecord = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(fromRecord);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || value === null) return null;
  const members = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) members.set(name, fromRecord(member));
  return members;
};

/** Converts a value with literals and members as written; the last of repeated members counts. */
export const jsonOfPlain = (value: PlainValue): Json => {
  switch (value.kind) {
    case 'object':
      return new Map(value.members.map(({ name, value: member }) => [name, jsonOfPlain(member)]));
    case 'array':
      return value.items.map(jsonOfPlain);
    case 'string':
      return value.text;
    case 'number':
      return Number(value.literal);
    case 'bool':
      return value.value;
    case 'null':
      return null;
  }
};
