/** Values inside error messages, as Go's `%v` prints them. */
import { formatDouble } from './double-text.ts';
import { isMap, mapEntries } from './map-value.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import { formatGoDuration, formatTimestampUtc } from './time-text.ts';
import { CelBytes, CelOptional, CelTypeValue, CelUint, type CelValue, isList } from './value.ts';

/** A value as it stands in `no such key: …` and the like. */
export const printValue = (value: CelValue): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(printValue).join(', ')}]`;
  if (isMap(value)) {
    const entries = mapEntries(value);
    return `{${entries.map(([key, entry]) => `${printValue(key)}: ${printValue(entry)}`).join(', ')}}`;
  }
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelBytes) return `[${[...value.bytes].join(' ')}]`;
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelDuration) return formatGoDuration(value);
  if (value instanceof CelTimestamp) return formatTimestampUtc(value);
  if (value instanceof CelOptional) {
    return value.value === undefined ? 'optional.none()' : `optional(${printValue(value.value)})`;
  }
  return String(value);
};

/** The same for data of a variable, whose lists and maps the real server hands out in a wrapper. */
export const printWrapped = (value: CelValue): string => {
  if (value === null) return '0';
  return isList(value) || isMap(value) ? `&{${printInside(value)}}` : printValue(value);
};

/** Inside a wrapper the data are as Go decoded them. */
const printInside = (value: CelValue): string => {
  if (value === null) return '<nil>';
  if (isList(value)) return `[${value.map(printInside).join(', ')}]`;
  if (!isMap(value)) return printValue(value);
  const entries = mapEntries(value);
  return `{${entries.map(([key, entry]) => `${printValue(key)}: ${printInside(entry)}`).join(', ')}}`;
};
