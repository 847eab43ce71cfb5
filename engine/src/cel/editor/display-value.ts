/** Formats values for display in the editor: as one short line of JSON, or as a description. */
import { escapeUnprintable } from '../../source/unprintable.ts';
import { toJsonData } from '../values/json-data.ts';
import { isMap, mapEntries, VariableMap } from '../values/map-value.ts';
import { printValue } from '../values/print-value.ts';
import { CelOptional, type CelValue, isList } from '../values/value.ts';

/**
 * Formats a value for display. Long values are truncated. The result is untrusted: it has to be
 * escaped for its output format.
 */
export const displayValue = (value: CelValue): string => {
  if (value instanceof CelOptional)
    return value.value === undefined ? 'absent' : `optional ${displayValue(value.value)}`;
  if (value instanceof VariableMap) return displayValue(value.record);
  const data = toJsonData(truncate(value, 4));
  return typeof data === 'string' && typeof value !== 'string' ? data : displayJson(data);
};

/**
 * Formats data as JSON and escapes invisible and misleading characters. Strings displayed without
 * quotes use `printable` instead.
 */
export const displayJson = (data: unknown): string => escapeUnprintable(JSON.stringify(data));

const maxItems = 24;
const maxCharacters = 400;

/** Truncates a value to about one line, because claims may be large. */
const truncate = (value: CelValue, depth: number): CelValue => {
  if (typeof value === 'string') return value.slice(0, maxCharacters);
  if (isList(value)) {
    if (depth === 0) return '…';
    return value.slice(0, maxItems).map((item) => truncate(item, depth - 1));
  }
  if (value === null || !isMap(value)) return value;
  if (depth === 0) return '…';
  const entries = mapEntries(value).slice(0, maxItems);
  return Object.fromEntries(
    entries.map(([key, entry]) => [printValue(key), truncate(entry, depth - 1)]),
  );
};
