/**
 * Accessors for members of a decoded object; members that are absent or of another type read as
 * empty.
 */
import type { DecodedValue } from './decode-object.ts';

/** The members of a decoded struct or map. */
export type Fields = ReadonlyMap<string, DecodedValue>;

/** Returns the struct or map with this name. */
export const mapField = (fields: Fields, name: string): Fields => {
  const value = fields.get(name);
  return value instanceof Map ? value : new Map();
};

/** Returns the string with this name. */
export const stringField = (fields: Fields, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

/** Returns the strings of the list with this name. */
export const stringListField = (fields: Fields, name: string): readonly string[] => {
  const value = fields.get(name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};
