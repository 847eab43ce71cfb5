/**
 * JSON text ↔ data with maps for objects, for texts that are read often and whose places nobody asks
 * for: what a store keeps, what an API server answers.
 */

/** The shape of `model/json.ts`. */
type Json = null | boolean | number | string | readonly Json[] | ReadonlyMap<string, Json>;

/** `undefined` for what is no JSON object. Of repeated members the last counts. */
export const readJsonMap = (text: string): ReadonlyMap<string, Json> | undefined => {
  try {
    const value = fromRecord(JSON.parse(text));
    return value instanceof Map ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Members in their order, without spaces. */
export const writeJson = (value: Json): string => {
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const members = [...value].map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  );
  return `{${members.join(',')}}`;
};

/** Equal data; the order of members does not count. What is absent equals only what is absent. */
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

/** What `JSON.parse` gave; its records have own members only, whatever they are called. */
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
