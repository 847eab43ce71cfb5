/** Prints values in error messages as Go's `%v` does. */
import { formatDouble } from '../../formats/go-float.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { isMap, mapEntries } from './map-value.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import { formatGoDuration, formatTimestampUtc } from './time-format.ts';
import { CelBytes, CelOptional, CelTypeValue, CelUint, type CelValue, isList } from './value.ts';

/**
 * Prints a value for `no such key: …` and similar messages. Lists and maps that are data of a
 * variable are printed in their wrapper.
 */
export const printValue = (
  value: CelValue,
  isData: (value: CelValue) => boolean = () => false,
  printData: (value: CelValue) => string = printWrapped,
): string => {
  // The protobuf constant for null.
  if (value === null) return '0';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  const printPart = (part: CelValue): string => printValue(part, isData, printData);
  if (isList(value)) {
    return isData(value) ? printData(value) : `[${value.map(printPart).join(', ')}]`;
  }
  if (isMap(value)) return isData(value) ? printData(value) : printMap(value, printPart);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelBytes) return `[${[...value.bytes].join(' ')}]`;
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelDuration) return formatGoDuration(value);
  if (value instanceof CelTimestamp) {
    return formatTimestampUtc(value).replace('T', ' ').replace('Z', ' +0000 UTC');
  }
  if (value instanceof CelOptional) {
    return value.value === undefined ? 'optional.none()' : `optional(${printPart(value.value)})`;
  }
  return String(value);
};

/** Prints data of a variable, whose lists and maps kube-apiserver returns in a wrapper. */
export const printWrapped = (value: CelValue): string =>
  isList(value) || isMap(value) ? `&{${printUnwrapped(value)}}` : printValue(value);

/**
 * Prints the contents of a wrapper: members of a map are CEL values, elements of a list are Go
 * values.
 */
export const printUnwrapped = (value: CelValue): string => {
  if (isList(value)) return `[${value.map(printGoValue).join(', ')}]`;
  return isMap(value) ? printMap(value, printUnwrapped) : printValue(value);
};

const printMap = (
  value: Parameters<typeof mapEntries>[0],
  print: (value: CelValue) => string,
): string =>
  `{${mapEntries(value)
    .map(([key, entry]) => `${print(key)}: ${print(entry)}`)
    .join(', ')}}`;

/** Prints Go lists and maps; maps are sorted by key. */
const printGoValue = (value: CelValue): string => {
  if (value === null) return '<nil>';
  if (isList(value)) return `[${value.map(printGoValue).join(' ')}]`;
  if (!isMap(value)) return printValue(value);
  const entries = mapEntries(value).map(
    ([key, entry]) => [printValue(key), printGoValue(entry)] as const,
  );
  entries.sort(([a], [b]) => byCodePoint(a, b));
  return `map[${entries.map(([key, entry]) => `${key}:${entry}`).join(' ')}]`;
};
