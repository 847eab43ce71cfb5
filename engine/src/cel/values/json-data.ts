/** Values as JSON data, for traces and previews: what a person would write, not an exact coding. */
import { isMap, mapEntries } from './map-value.ts';
import { printValue } from './print-value.ts';
import { CelTimestamp } from './time.ts';
import { formatTimestampUtc } from './time-format.ts';
import { CelUint, type CelValue, isList } from './value.ts';

/** Whole numbers beyond doubles, bytes, times and the like become text. */
export const toJsonData = (value: CelValue): unknown => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return toJsonInteger(value);
  if (value instanceof CelUint) return toJsonInteger(value.value);
  if (isList(value)) return value.map(toJsonData);
  if (isMap(value))
    // `fromEntries` makes own members of any name.
    return Object.fromEntries(
      mapEntries(value).map(([key, entry]) => [toJsonString(key), toJsonData(entry)]),
    );
  return toJsonString(value);
};

const toJsonString = (value: CelValue): string =>
  value instanceof CelTimestamp ? formatTimestampUtc(value) : printValue(value);

const toJsonInteger = (value: bigint): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};
