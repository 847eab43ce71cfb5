/**
 * Canonical JSON: text that depends on the data alone, with sorted member names and without white
 * space.
 */

/** Serializes plain data. Members that are `undefined` are omitted, as `JSON.stringify` does. */
export const canonicalJson = (data: unknown): string => {
  if (Array.isArray(data)) return `[${data.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data ?? null);
  const members = Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`);
  return `{${members.join(',')}}`;
};
