/**
 * Reads members of untyped data: messages of pages, and claims. A member of an unexpected type
 * counts as missing.
 */

export const stringAt = (value: unknown, name: string): string | undefined => {
  const member = memberAt(value, name);
  return typeof member === 'string' ? member : undefined;
};

/** Returns a non-negative integer. */
export const indexAt = (value: unknown, name: string): number | undefined => {
  const member = memberAt(value, name);
  return typeof member === 'number' && Number.isInteger(member) && member >= 0 ? member : undefined;
};

export const stringsAt = (value: unknown, name: string): readonly string[] | undefined => {
  const member = memberAt(value, name);
  return Array.isArray(member) && member.every((item) => typeof item === 'string')
    ? member
    : undefined;
};

export const memberAt = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
