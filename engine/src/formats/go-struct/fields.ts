/**
 * Accessors for members of a decoded object; members that are absent or of another type read as
 * empty.
 */
import type { DecodedValue, Fields } from './decode.ts';

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

/** Returns the items of the list with this name. */
export const listField = (fields: Fields, name: string): readonly DecodedValue[] => {
  const value = fields.get(name);
  return Array.isArray(value) ? value : [];
};

/** Returns the strings of the list with this name. */
export const stringListField = (fields: Fields, name: string): readonly string[] =>
  listField(fields, name).filter((item) => typeof item === 'string');

/** Returns the number with this name; `undefined` if it is absent. */
export const numberField = (fields: Fields, name: string): number | bigint | undefined => {
  const value = fields.get(name);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
};
