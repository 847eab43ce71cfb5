/** A value as a person reads it beside a text: one short line of JSON, or the words of its type. */
import { escapeUnprintable } from '../../source/unprintable.ts';
import { isMap, mapEntries, VariableMap } from '../values/map-value.ts';
import { printValue } from '../values/print-value.ts';
import { CelOptional, type CelValue, isList } from '../values/value.ts';
import { toJsonData } from '../values/json-data.ts';

/** Not safe to show as it stands: texts are foreign. Of long ones the beginning is enough. */
export const displayValue = (value: CelValue): string => {
  if (value instanceof CelOptional)
    return value.value === undefined ? 'absent' : `optional ${displayValue(value.value)}`;
  if (value instanceof VariableMap) return displayValue(value.record);
  const data = toJsonData(truncate(value, 4));
  return typeof data === 'string' && typeof value !== 'string' ? data : displayJson(data);
};

/**
 * JSON data in its own notation. What nobody would see, or would see something else for, stands there as
 * an escape; where a text is shown without quotes, `printable` shows a picture of it.
 */
export const displayJson = (data: unknown): string => escapeUnprintable(JSON.stringify(data));

const maxItems = 24;
const maxCharacters = 400;

/** Claims may be large: nobody reads more than a line of them. */
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
