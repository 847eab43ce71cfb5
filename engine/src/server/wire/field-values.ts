/** Members of a decoded object; what is absent or of another type reads as empty. */
import type { DecodedValue } from './decode-object.ts';

/** Members of a decoded struct or map. */
export type Fields = ReadonlyMap<string, DecodedValue>;

/** The struct or map of that name. */
export const mapField = (fields: Fields, name: string): Fields => {
  const value = fields.get(name);
  return value instanceof Map ? value : new Map();
};

/** The text of that name. */
export const stringField = (fields: Fields, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

/** The texts of the list of that name. */
export const stringListField = (fields: Fields, name: string): readonly string[] => {
  const value = fields.get(name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};
