/**
 * Converts values to JSON for traces and previews. The result is readable, but does not identify
 * the CEL type.
 */
import { isMap, mapEntries } from './map-value.ts';
import { printValue } from './print-value.ts';
import { CelTimestamp } from './time.ts';
import { formatTimestampUtc } from './time-format.ts';
import { CelUint, type CelValue, isList } from './value.ts';

/**
 * Converts a value to JSON. Integers that a double cannot represent, bytes, times and the like
 * become strings.
 */
export const toJsonData = (value: CelValue): unknown => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return toJsonInteger(value);
  if (value instanceof CelUint) return toJsonInteger(value.value);
  if (isList(value)) return value.map(toJsonData);
  if (isMap(value))
    // `fromEntries` creates own members, whatever their names.
    return Object.fromEntries(
      mapEntries(value).map(([key, entry]) => [toJsonString(key), toJsonData(entry)]),
    );
  return toJsonString(value);
};

const toJsonString = (value: CelValue): string =>
  value instanceof CelTimestamp ? formatTimestampUtc(value) : printValue(value);

/** Converts an integer to a number, or to a string if a double cannot represent it. */
export const toJsonInteger = (value: bigint): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};
