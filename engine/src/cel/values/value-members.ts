/** The members of a value that can be selected by name. */
import { isMap, mapEntries, VariableMap } from './map-value.ts';
import { CelError, CelOptional, type CelValue } from './value.ts';

/**
 * Returns the entries with string keys; for an optional, those of the value that it holds. Errors
 * are left out.
 */
export const membersOf = (value: CelValue): readonly (readonly [string, CelValue])[] => {
  if (value instanceof CelOptional) return value.value === undefined ? [] : membersOf(value.value);
  if (value instanceof VariableMap) return membersOf(value.record);
  if (value === null || !isMap(value)) return [];
  return mapEntries(value).flatMap(([key, entry]) =>
    typeof key === 'string' && !isError(entry) ? [[key, entry] as const] : [],
  );
};

/** A claim whose number exceeds the range of doubles is an error. */
const isError = (value: unknown): boolean => value instanceof CelError;
