/** What a value can be asked for by name. */
import { isMap, mapEntries, VariableMap } from './map-value.ts';
import { CelError, CelOptional, type CelValue } from './value.ts';

/** Entries whose keys are texts; of an optional those of what it holds. Errors are no members. */
export const membersOf = (value: CelValue): readonly (readonly [string, CelValue])[] => {
  if (value instanceof CelOptional) return value.value === undefined ? [] : membersOf(value.value);
  if (value instanceof VariableMap) return membersOf(value.record);
  if (value === null || !isMap(value)) return [];
  return mapEntries(value).flatMap(([key, entry]) =>
    typeof key === 'string' && !isError(entry) ? [[key, entry] as const] : [],
  );
};

/** A claim with a number that no double holds is one. */
const isError = (value: unknown): boolean => value instanceof CelError;
